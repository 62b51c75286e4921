"""Finding the windows of time that a query speaks of."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from omoide.domain.time_words.bounds import Bound, Bounded, bounded
from omoide.domain.time_words.chinese import CHINESE
from omoide.domain.time_words.english import ENGLISH
from omoide.domain.time_words.grouping import grouped
from omoide.domain.time_words.japanese import JAPANESE
from omoide.domain.time_words.korean import KOREAN
from omoide.domain.time_words.lexicon import Found, Lexicon
from omoide.domain.time_words.local_calendar import (
    DAY,
    WEEK,
    Span,
    Today,
    at,
    instant_of,
    today_in,
)
from omoide.domain.time_words.ranges import range_of
from omoide.domain.time_words.resolving import resolve
from omoide.domain.time_words.window import TimeWindow

_LEXICONS: tuple[tuple[re.Pattern[str], Lexicon], ...] = (
    (re.compile("[a-z0-9]"), ENGLISH),
    (re.compile("[\u3040-\u30ff\u3400-\u9fff]"), JAPANESE),
    (re.compile("\\A[^\u3040-\u30ff]*[\u3400-\u9fff][^\u3040-\u30ff]*\\Z"), CHINESE),
    (re.compile("[\uac00-\ud7af]"), KOREAN),
)
_QUOTED = re.compile('"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』')
_LEAST_AROUND = 3 * DAY


def time_windows(query: str, *, now: datetime, zone: ZoneInfo) -> tuple[TimeWindow, ...]:
    """Return the windows that a query's words of time mean, in the order of the words.

    Args:
        query: Any text; what it quotes is not looked at, unless it is one quotation.
        now: Aware time at which it is said.
        zone: Of whoever says it.
    """
    folded = unicodedata.normalize("NFKC", query).replace("’", "'")
    text = folded.lower()
    if len(text) != len(folded):
        folded = text
    if _QUOTED.fullmatch(text.strip()) is None:
        text = _QUOTED.sub(lambda quoted: "\x00" * len(quoted[0]), text)
    today = today_in(zone, now)
    windows: list[TimeWindow] = []
    for one in bounded(text, grouped(text, _found(text, today))):
        span = _span(one, today)
        window = None if span is None else _window(span, folded[one.start : one.end], zone)
        if window is not None:
            windows.append(window)
    return tuple(windows)


def _found(text: str, today: Today) -> Iterator[Found]:
    found: list[Found] = []
    for pattern, lexicon in _LEXICONS:
        if pattern.search(text):
            found += lexicon.find(text, today)
    found.sort(key=lambda one: (one.start, -one.end))
    end = 0
    for one in found:
        if one.start >= end:
            end = one.end
            yield one


def _span(one: Bounded, today: Today) -> Span | None:
    if one.last is not None:
        return range_of(one.first.mention, one.last.mention, today)
    span = resolve(one.first.mention, today)
    return span if span is None or one.bound is None else _bounded(span, one.bound, today)


def _bounded(span: Span, bound: Bound, today: Today) -> Span | None:
    start, end = span.start, span.end
    if start is None or end is None:
        return span
    if bound is Bound.SINCE:
        has_begun = (start if start.tzinfo is None else today.local) <= today.local
        return replace(span, end=today.now if has_begun else None)
    if bound is Bound.AFTER:
        return Span(start=end, end=None, slack=span.slack)
    if bound is Bound.UNTIL:
        return Span(start=None, end=end, slack=span.slack)
    if bound is Bound.BEFORE:
        return Span(start=None, end=start, slack=span.slack)
    if bound is Bound.AROUND:
        return replace(span, slack=max(span.slack, _LEAST_AROUND, (end - start) / 4))
    return _beside(start, end, bound)


def _beside(start: datetime, end: datetime, bound: Bound) -> Span:
    if bound is Bound.DAY_BEFORE:
        return Span(start=start - DAY, end=start)
    if bound is Bound.DAY_AFTER:
        return Span(start=end, end=end + DAY)
    monday = at(start.date() - timedelta(days=start.weekday()))
    steps = -1 if bound is Bound.WEEK_BEFORE else 1
    return Span(start=monday + steps * WEEK, end=monday + (steps + 1) * WEEK)


def _window(span: Span, text: str, zone: ZoneInfo) -> TimeWindow | None:
    try:
        start = None if span.start is None else instant_of(span.start, zone)
        end = None if span.end is None else instant_of(span.end, zone)
        return TimeWindow(
            start=start,
            end=end,
            boost_start=None if start is None else start - span.slack,
            boost_end=None if end is None else end + span.slack,
            text=text.strip(),
        )
    except OverflowError:
        return None
