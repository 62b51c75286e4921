"""`python -m infra.local.evaluation time-words`: how many labelled windows of time are found.

The file holds JSON lines with ``query``, ``zone``, ``now``, ``language``, ``half`` and ``windows``,
a list of ``{"start", "end"}``. A query is right when exactly its windows are found, in any order.
"""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from omoide.domain.errors import InvalidRequestError
from omoide.domain.time_words import time_windows

_Window = tuple[datetime | None, datetime | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledWords:
    """A query with the windows that it means.

    Attributes:
        query: The text.
        zone: Whose calendar counts.
        now: When it is asked.
        language: BCP-47.
        half: ``dev``, to mend by, or ``held``, to judge by.
        windows: What should be found; empty where the words mean no time.
    """

    query: str
    zone: ZoneInfo
    now: datetime
    language: str
    half: str
    windows: tuple[_Window, ...]

    def found(self) -> tuple[_Window, ...]:
        """The windows that are found."""
        windows = time_windows(self.query, now=self.now, zone=self.zone)
        return tuple((window.start, window.end) for window in windows)

    @property
    def is_right(self) -> bool:
        """Whether exactly the labelled windows are found."""
        return Counter(self.found()) == Counter(self.windows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """How many of some queries are right."""

    name: str
    count: int
    right: int

    @property
    def percent(self) -> float:
        """Share of right ones, 0..100."""
        return 100 * self.right / self.count if self.count else 0.0


def read_labelled(path: Path, half: str) -> tuple[LabelledWords, ...]:
    """Read one half of a file.

    Raises:
        InvalidRequestError: A line cannot be understood; names it, without its text.
    """
    return tuple(one for one in _lines(path) if one.half == half)


def shares(labelled: tuple[LabelledWords, ...]) -> tuple[Share, ...]:
    """Return the share of right queries: of all, by language, and of those that mean no time."""
    groups = {"all": list(labelled)}
    for language in sorted({one.language for one in labelled}):
        groups[f"language {language}"] = [one for one in labelled if one.language == language]
    groups["without a time"] = [one for one in labelled if not one.windows]
    return tuple(
        Share(name=name, count=len(group), right=sum(one.is_right for one in group))
        for name, group in groups.items()
    )


def _lines(path: Path) -> Iterator[LabelledWords]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            yield _labelled(json.loads(line))
        except (KeyError, TypeError, ValueError) as error:
            place = f"{path.name}:{number}"
            raise InvalidRequestError.of(place, f"cannot be understood: {error!r}") from None


def _labelled(line: dict[str, Any]) -> LabelledWords:
    return LabelledWords(
        query=line["query"],
        zone=ZoneInfo(line["zone"]),
        now=datetime.fromisoformat(line["now"]),
        language=line["language"],
        half=line["half"],
        windows=tuple((_time(one["start"]), _time(one["end"])) for one in line["windows"]),
    )


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)
