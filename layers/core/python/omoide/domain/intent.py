"""What a query is after: types of memories, names, times, urgency, told by patterns.

An intent boosts what fits it and never filters anything out.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from zoneinfo import ZoneInfo

from omoide.domain.intent_entities import entities_of
from omoide.domain.intent_patterns import hinted_types, is_thorough, is_urgent
from omoide.domain.language import detect_language
from omoide.domain.memory import MemoryType
from omoide.domain.time_words import (
    Order,
    TimeWindow,
    asks_now,
    asks_past,
    asks_when,
    order_asked,
    time_windows,
)


class Urgency(StrEnum):
    """How soon, or how thoroughly, an answer is wanted."""

    HIGH = "high"
    NORMAL = "normal"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class Intent:
    """What a query is after.

    Attributes:
        memory_types: Types of memories that its words hint at; empty: any.
        entities: Names, quotations and identifiers in it, in their order, each once.
        windows: Times it speaks of.
        urgency: High: fast; low: thoroughly.
        language: BCP-47 tag, None where nothing tells.
        asks_past: It asks for what once was so.
        asks_now: It asks for what is so now.
        asks_when: It asks for a time.
        order: It asks for the first or the last of several.
    """

    memory_types: tuple[MemoryType, ...]
    entities: tuple[str, ...]
    windows: tuple[TimeWindow, ...]
    urgency: Urgency
    language: str | None
    asks_past: bool
    asks_now: bool
    asks_when: bool
    order: Order | None


def intent_of(query: str, *, now: datetime, zone: ZoneInfo) -> Intent:
    """Return what a query is after.

    Args:
        query: Any text.
        now: Aware time at which it is asked, or as of which.
        zone: Whose calendar its words of time are of.
    """
    windows = time_windows(query, now=now, zone=zone)
    is_about_when = asks_when(query)
    return Intent(
        memory_types=_types(query, windows, now, is_about_when=is_about_when),
        entities=entities_of(query, [window.text for window in windows]),
        windows=windows,
        urgency=_urgency(query),
        language=detect_language(query),
        asks_past=asks_past(query),
        asks_now=asks_now(query),
        asks_when=is_about_when,
        order=order_asked(query),
    )


def _types(
    query: str, windows: tuple[TimeWindow, ...], now: datetime, *, is_about_when: bool
) -> tuple[MemoryType, ...]:
    """The hinted types; a time that has begun hints at experience, one to come at intentions."""
    hinted = set(hinted_types(query))
    begun = [window.start is None or window.start <= now for window in windows]
    if is_about_when or any(begun):
        hinted.add(MemoryType.EPISODIC)
    if not all(begun):
        hinted.add(MemoryType.PROSPECTIVE)
    return tuple(kind for kind in MemoryType if kind in hinted)


def _urgency(query: str) -> Urgency:
    if is_urgent(query):
        return Urgency.HIGH
    return Urgency.LOW if is_thorough(query) else Urgency.NORMAL
