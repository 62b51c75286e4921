"""What a deployment can choose, with ``cdk -c name=value``."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import cast

from infra.packaging.target import Architecture, Target

_MAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_URL = re.compile(r"https?://[^/\s]+")
_TABLE = re.compile(r"[A-Za-z0-9_.-]{3,255}")
_STREAM = re.compile(r"arn:[a-z-]+:dynamodb:[^:]+:\d{12}:table/[^/]+/stream/.+")
_PYTHONS = ("3.11", "3.12", "3.13")


class OptionError(ValueError):
    """A value that was passed with ``-c`` does not fit; names it."""


class SearchMode(StrEnum):
    """Where the search index is."""

    OPENSEARCH = "opensearch"
    EXACT = "exact"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The choices of one deployment; every field can be passed by its name.

    Attributes:
        name: Name of the stack, for several in one account.
        search: An OpenSearch domain, or exact search inside the functions.
        opensearch_url: An OpenSearch of your own instead of a domain of the stack.
        architecture: Processor of the functions.
        python: Python of the functions.
        keep_data: Whether the table outlives the stack.
        table: A table that is there instead of a new one, such as a restored one.
        table_stream: ARN of its stream.
        alarm_email: Who is told of alarms; none when empty.
        requests_per_second: Steady rate over all callers.
        burst: Requests at once over all callers.
    """

    name: str = "Omoide"
    search: SearchMode = SearchMode.OPENSEARCH
    opensearch_url: str = ""
    architecture: Architecture = Architecture.ARM64
    python: str = "3.13"
    keep_data: bool = True
    table: str = ""
    table_stream: str = ""
    alarm_email: str = ""
    requests_per_second: int = 50
    burst: int = 100

    @property
    def target(self) -> Target:
        """What the layers are built for."""
        return Target(architecture=self.architecture, python=self.python)

    @property
    def has_domain(self) -> bool:
        """Whether the stack has an OpenSearch domain of its own."""
        return self.search is SearchMode.OPENSEARCH and not self.opensearch_url

    @classmethod
    def read(cls, lookup: Callable[[str], object]) -> "Options":
        """Read the options.

        Args:
            lookup: Returns the value that was passed for a name; None when there is none.

        Raises:
            OptionError: A value does not fit.
        """
        values: dict[str, object] = {}
        for one in fields(cls):
            given = lookup(one.name)
            if given is not None:
                values[one.name] = _read(one.name, str(given).strip())
        options = cls(**values)  # pyright: ignore[reportArgumentType]
        if options.opensearch_url and options.search is SearchMode.EXACT:
            raise OptionError("opensearch_url: has no meaning with search=exact")
        if bool(options.table) != bool(options.table_stream):
            missing = "table_stream" if options.table else "table"
            raise OptionError(f"{missing}: table and table_stream go together")
        if options.table_stream and f":table/{options.table}/" not in options.table_stream:
            raise OptionError("table_stream: is the stream of another table")
        return options


def _read(name: str, text: str) -> object:
    reader = _READERS[name]
    try:
        return reader(text)
    except ValueError as error:
        raise OptionError(f"{name}: {error} (it is {text!r})") from None


def _stack_name(text: str) -> str:
    if re.fullmatch(r"[A-Za-z][A-Za-z0-9-]{0,19}", text) is None:
        raise ValueError("must be 1 to 20 letters, digits and hyphens, a letter first")
    return text


def _one_of(kind: type[StrEnum]) -> Callable[[str], StrEnum]:
    def read(text: str) -> StrEnum:
        if text not in set(kind):
            raise ValueError(f"must be {' or '.join(kind)}")
        return kind(text)

    return read


def _python(text: str) -> str:
    if text not in _PYTHONS:
        raise ValueError(f"must be one of {', '.join(_PYTHONS)}")
    return text


def _matching(pattern: re.Pattern[str], what: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text and pattern.fullmatch(text) is None:
            raise ValueError(f"must be {what}")
        return text

    return read


def _flag(text: str) -> bool:
    if text.lower() not in {"true", "false"}:
        raise ValueError("must be true or false")
    return text.lower() == "true"


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise ValueError("must be a whole number from 1 to 10000")
    return int(text)


_READERS: Mapping[str, Callable[[str], object]] = {
    "name": _stack_name,
    "search": cast("Callable[[str], object]", _one_of(SearchMode)),
    "opensearch_url": _matching(_URL, "an address such as https://host:443, without a path"),
    "architecture": cast("Callable[[str], object]", _one_of(Architecture)),
    "python": _python,
    "keep_data": _flag,
    "table": _matching(_TABLE, "the name of a table"),
    "table_stream": _matching(_STREAM, "the ARN of a table's stream"),
    "alarm_email": _matching(_MAIL, "a mail address"),
    "requests_per_second": _count,
    "burst": _count,
}
