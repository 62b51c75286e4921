"""Every setting of the product: one typed object, read once at the start.

What is passed explicitly wins over the environment, which wins over the default. A value that does
not fit stops the start with the name of its variable. ``python -m omoide.settings`` prints the
configuration page.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from platformdirs import user_data_path

from omoide.domain.errors import OmoideError

PREFIX = "OMOIDE_"


class SettingError(OmoideError):
    """A setting has a value that does not fit; names the variable."""

    code = "SETTING"


def _text(value: str) -> str:
    if not value.strip():
        raise ValueError("must not be empty")
    return value.strip()


def _optional_text(value: str) -> str:
    return value.strip()


def _address(value: str) -> str:
    address = value.strip().rstrip("/")
    if address and not address.startswith(("http://", "https://")):
        raise ValueError("must begin with http:// or https://")
    return address


def _folder(value: str) -> Path:
    return Path(_text(value)).expanduser()


def _flag(value: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True}
    words |= {"0": False, "false": False, "no": False, "off": False}
    if value.strip().lower() not in words:
        raise ValueError("must be true or false")
    return words[value.strip().lower()]


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(value: str) -> int:
        if not value.strip().removeprefix("-").isdecimal():
            raise ValueError("must be a whole number")
        number = int(value)
        if not low <= number <= high:
            raise ValueError(f"must be between {low} and {high}")
        return number

    return read


def _about(
    read: Callable[[str], object], meaning: str, *, group: str, shown: str = ""
) -> dict[str, object]:
    return {"read": read, "meaning": meaning, "group": group, "shown": shown}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The configuration of one process; the meaning of each field is in its metadata."""

    data: Path = field(
        default_factory=lambda: user_data_path("omoide"),
        metadata=_about(
            _folder,
            "Folder of the memories. Made with mode 0700 when it is missing.",
            group="Data",
            shown="the user's data folder",
        ),
    )
    model: str = field(
        default="multilingual-e5-small",
        metadata=_about(
            _text,
            "Embedding model: a name of `models.toml`, or a folder with `model.onnx`, "
            "`tokenizer.json` and `embed.json`.",
            group="Embedding",
        ),
    )
    embedding_threads: int = field(
        default=1,
        metadata=_about(
            _whole(1, 256), "Threads one run of the embedding model may use.", group="Embedding"
        ),
    )
    embedding_cache: int = field(
        default=64,
        metadata=_about(
            _whole(0, 65_536),
            "MiB of memory for embeddings of recent texts; 0 switches the cache off.",
            group="Embedding",
        ),
    )
    weights: str = field(
        default="",
        metadata=_about(
            _optional_text,
            "File of weights of the ranking by namespace, as `omoide eval --tune` writes it; "
            "empty: the model's own weights everywhere.",
            group="Ranking",
        ),
    )
    reranker: str = field(
        default="",
        metadata=_about(
            _optional_text,
            "Folder of a cross-encoder with `model.onnx` and `tokenizer.json` that reads the best "
            "memories again; empty: none. [ranking.md](ranking.md) tells its form.",
            group="Ranking",
        ),
    )
    writes_per_minute: int = field(
        default=600,
        metadata=_about(_whole(1, 1_000_000), "Writes a key may make in a minute.", group="Limits"),
    )
    searches_per_minute: int = field(
        default=1_200,
        metadata=_about(
            _whole(1, 1_000_000), "Searches a key may make in a minute.", group="Limits"
        ),
    )
    agent_writes_per_minute: int = field(
        default=0,
        metadata=_about(
            _whole(0, 1_000_000),
            "Writes an agent of memex's shape may make in a minute; 0 counts no agents "
            "(memex: 60).",
            group="Limits",
        ),
    )
    agent_searches_per_minute: int = field(
        default=0,
        metadata=_about(
            _whole(0, 1_000_000),
            "Searches an agent of memex's shape may make in a minute; 0 counts no agents "
            "(memex: 120).",
            group="Limits",
        ),
    )
    host: str = field(
        default="127.0.0.1",
        metadata=_about(_text, "Address the server binds to.", group="Server"),
    )
    port: int = field(
        default=8_000,
        metadata=_about(_whole(0, 65_535), "Port of the HTTP API.", group="Server"),
    )
    workers: int = field(
        default=1, metadata=_about(_whole(1, 64), "Server processes.", group="Server")
    )
    require_key: bool = field(
        default=False,
        metadata=_about(
            _flag,
            "Refuse requests without a key, also on the loopback interface.",
            group="Server",
        ),
    )
    table: str = field(
        default="",
        metadata=_about(
            _optional_text,
            "DynamoDB table that keeps the memories instead of the data folder.",
            group="Cloud",
            shown="none",
        ),
    )
    opensearch_url: str = field(
        default="",
        metadata=_about(
            _address,
            "OpenSearch that holds the index of the table. Requests to an `https` address carry "
            "an AWS signature. Without it searches read the table into memory.",
            group="Cloud",
            shown="none",
        ),
    )
    uses_queue: str = field(
        default="",
        metadata=_about(
            _address,
            "SQS queue that is told which memories a search returned. Without one they are "
            "counted during the search.",
            group="Cloud",
            shown="none",
        ),
    )
    dead_letters: str = field(
        default="",
        metadata=_about(
            _address,
            "SQS queue that keeps which memories cannot be indexed.",
            group="Cloud",
            shown="none",
        ),
    )

    @classmethod
    def load(cls, environment: Mapping[str, str] | None = None, **explicit: object) -> "Settings":
        """Read the settings.

        Args:
            environment: Variables; None means those of the process.
            explicit: Values that win over the environment; None stands for "not given".

        Raises:
            SettingError: A variable or a value does not fit.
        """
        variables = os.environ if environment is None else environment
        values: dict[str, object] = {}
        for one in fields(cls):
            name = PREFIX + one.name.upper()
            given = explicit.pop(one.name, None)
            raw = variables.get(name) if given is None else str(given)
            if raw is None:
                continue
            label = name if given is None else one.name
            try:
                values[one.name] = one.metadata["read"](raw)
            except ValueError as error:
                raise SettingError(f"{label}: {error} (it is {raw!r})") from None
        if explicit:
            raise SettingError(f"{', '.join(sorted(explicit))}: no such setting")
        return cls(**values)  # pyright: ignore[reportArgumentType]


def configuration_page() -> str:
    """Return ``docs/configuration.md``."""
    lines = [
        "# Configuration",
        "",
        "Written by `make docs` from `omoide.settings`; change it there.",
        "",
        "A command-line option wins over an environment variable, which wins over the default. A",
        "value that does not fit stops the start with the name of its variable; a model that",
        "cannot be loaded does not: searches then go by words.",
    ]
    group = ""
    for one in fields(Settings):
        if one.metadata["group"] != group:
            group = str(one.metadata["group"])
            lines += ["", f"## {group}", "", "| variable | default | meaning |", "|---|---|---|"]
        default = str(one.metadata["shown"] or f"`{_shown(one.default)}`")
        lines.append(f"| `{PREFIX}{one.name.upper()}` | {default} | {one.metadata['meaning']} |")
    return "\n".join(lines) + "\n"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    import sys

    sys.stdout.write(configuration_page())
