"""How long it takes to tell what a query is after."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from infra.local.bench.report import Latency, measure
from omoide.domain.intent import intent_of

_TARGET_P50_MS = 1.0
_NOW = datetime(2026, 3, 10, 12, tzinfo=UTC)
_ZONE = ZoneInfo("Asia/Tokyo")
_TIMES = (
    "three weeks ago on Friday",
    "between March and May",
    "先週の金曜に",
    "去年の夏から",
    "",
)
_QUERIES = 500
_CHARACTERS = 80


def intent_latency(texts: Sequence[str]) -> Latency:
    """Time the intents of queries of about 80 characters, most of them with words of time.

    Args:
        texts: What the queries are made of.
    """
    queries = [
        f"When did {text[:_CHARACTERS]} {_TIMES[number % len(_TIMES)]}?"
        for number, text in enumerate(texts[:_QUERIES])
    ]
    timed = measure("intent of a query, 80 characters", _intent, queries)
    return replace(timed, target_p50_ms=_TARGET_P50_MS)


def _intent(query: str) -> object:
    return intent_of(query, now=_NOW, zone=_ZONE)
