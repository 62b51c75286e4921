"""Reading ``models.toml``."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

MODELS_FILE: Final = Path(__file__).parents[3] / "models.toml"
"""The models this project describes."""

_SOURCE_FIELDS: Final = {
    "package": {"package", "version", "member", "sha256", "package_sha256"},
    "url": {"url", "sha256"},
    "file": {"file", "sha256"},
}
_BUILD_FIELDS: Final = {
    "description",
    "reader",
    "token_layer",
    "heads",
    "epsilon",
    "scripts",
    "mean",
    "sources",
}


class ModelsFileError(Exception):
    """``models.toml`` is wrong; the message names the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where bytes come from and what they must hash to.

    Attributes:
        kind: ``package``, ``url`` or ``file``.
        location: Package name, address or path.
        sha256: Of the bytes used.
        version: Of the package.
        member: Path of the bytes inside the package's wheel.
        package_sha256: Of the wheel.
    """

    kind: str
    location: str
    sha256: str
    version: str = ""
    member: str = ""
    package_sha256: str = ""

    @property
    def name(self) -> str:
        """For messages."""
        return f"{self.location}=={self.version}" if self.kind == "package" else self.location


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelEntry:
    """One model of ``models.toml``.

    Attributes:
        name: Of the model.
        reader: ``packed-e5``, ``safetensors-bert`` or ``onnx`` (a finished graph).
        sources: ``weights`` (or ``graph``) and ``tokenizer``.
        scripts: Scripts whose pieces are kept; None keeps the vocabulary.
        mean: File with the mean token vector, or None.
        settings: The remaining fields that steer the build.
        embed: The fields that go into ``embed.json`` unchanged.
    """

    name: str
    reader: str
    sources: Mapping[str, Source]
    scripts: tuple[str, ...] | None
    mean: Path | None
    settings: Mapping[str, Any]
    embed: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsFile:
    """All models described, and which one is the default."""

    path: Path
    default: str
    models: Mapping[str, ModelEntry]

    def entry(self, name: str) -> ModelEntry:
        """The entry of a model.

        Raises:
            ModelsFileError: There is none of that name.
        """
        if name not in self.models:
            raise ModelsFileError(f"no model {name!r} in {self.path}; known: {sorted(self.models)}")
        return self.models[name]


def read_models_file(path: Path = MODELS_FILE) -> ModelsFile:
    """Parse ``models.toml``.

    Raises:
        ModelsFileError: The file is missing, or an entry lacks something.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelsFileError(f"{path}: {error}") from error
    tables = cast(dict[str, dict[str, Any]], document.get("models", {}))
    models = {name: _entry(path, name, table) for name, table in tables.items()}
    default = str(document.get("default", ""))
    if default not in models:
        raise ModelsFileError(f"{path}: default names no model: {default!r}")
    return ModelsFile(path=path, default=default, models=models)


def _entry(path: Path, name: str, table: dict[str, Any]) -> ModelEntry:
    where = f"{path}: models.{name}"
    for field in ("reader", "sources", "dims", "max_tokens"):
        if field not in table:
            raise ModelsFileError(f"{where}.{field} is missing")
    sources = {
        part: _source(f"{where}.sources.{part}", source)
        for part, source in cast(dict[str, dict[str, str]], table["sources"]).items()
    }
    scripts = cast(list[str] | None, table.get("scripts"))
    mean = cast(str | None, table.get("mean"))
    return ModelEntry(
        name=name,
        reader=str(table["reader"]),
        sources=sources,
        scripts=None if scripts is None else tuple(scripts),
        mean=None if mean is None else path.parent / mean,
        settings={field: table[field] for field in table if field in _BUILD_FIELDS},
        embed={field: value for field, value in table.items() if field not in _BUILD_FIELDS},
    )


def _source(where: str, table: dict[str, str]) -> Source:
    kinds = [kind for kind in _SOURCE_FIELDS if kind in table]
    if len(kinds) != 1:
        raise ModelsFileError(f"{where} must have exactly one of package, url, file")
    wanted = _SOURCE_FIELDS[kinds[0]]
    if set(table) != wanted:
        raise ModelsFileError(f"{where} must have the fields {sorted(wanted)}")
    return Source(
        kind=kinds[0],
        location=table[kinds[0]],
        sha256=table["sha256"],
        version=table.get("version", ""),
        member=table.get("member", ""),
        package_sha256=table.get("package_sha256", ""),
    )
