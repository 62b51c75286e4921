"""Remembering that memories were used."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from omoide.domain.memory import Use


@dataclass(frozen=True, slots=True, kw_only=True)
class Accessed:
    """Memories returned to an agent: one access per memory and session-hour.

    Attributes:
        namespace: Their namespace.
        memory_ids: What was returned.
        session: Who asked: the session of the request or, without one, the key id.
        at: When.
    """

    namespace: str
    memory_ids: tuple[str, ...]
    session: str
    at: datetime


class UseLog(Protocol):
    """Access counters, apart from the records: unversioned, no history, not indexed."""

    def record(self, accessed: Accessed) -> None:
        """Count accesses soon; cheap for the caller, lost at most on a crash."""
        ...

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        """The counters of those that were ever used."""
        ...
