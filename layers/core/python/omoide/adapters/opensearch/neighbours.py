"""Searches for the turns beside nominated ones.

Turns mostly follow each other, so first those one before and one after are read, together with the
ends of each session. Only where a turn is missing inside a session is it searched for by its order.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from omoide.adapters.opensearch.documents import place_of
from omoide.adapters.opensearch.filters import Clause
from omoide.adapters.opensearch.requests import HIT, MOST_OF_A_TURN, Hit, hit_of, hits_of

Search = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Runs one search in the namespace."""

_ENDS: dict[str, Any] = {
    "first": {"min": {"field": "turn"}},
    "last": {"max": {"field": "turn"}},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Side:
    """One of the two sides of a turn."""

    name: str
    step: int
    comparison: str
    order: str
    end: str


_SIDES = (
    _Side(name="earlier", step=-1, comparison="lt", order="desc", end="first"),
    _Side(name="later", step=1, comparison="gt", order="asc", end="last"),
)


def neighbours_of(places: Collection[str], allowed: Clause, search: Search) -> list[Hit]:
    """Return the memories just before and after some turns, and some others beside them.

    Args:
        places: Tokens of the turns, at most a few hundred.
        allowed: What a neighbour has to satisfy.
        search: Runs one search.
    """
    turns = sorted(map(place_of, places))
    if not turns:
        return []
    sessions = sorted({session for session, _ in turns})
    response = search(_adjacent(places_beside(places), sessions, allowed))
    hits = hits_of(response)
    missing = _missing(turns, {hit.place for hit in hits}, _ends(response))
    if any(missing.values()):
        hits += _hits_of_sides(search(_by_order(missing, sessions, allowed)))
    return hits


def places_beside(places: Collection[str]) -> list[str]:
    """Tokens of the turns one before and one after some turns, in order."""
    turns = map(place_of, places)
    return sorted({f"{session}:{turn + side.step}" for session, turn in turns for side in _SIDES})


def _adjacent(places: Sequence[str], sessions: Sequence[str], allowed: Clause) -> dict[str, Any]:
    by_session = {
        "field": "session",
        "size": len(sessions),
        "execution_hint": "map",
    }
    return HIT | {
        "size": len(places) * MOST_OF_A_TURN,
        "track_total_hits": False,
        "query": _in_sessions(sessions, allowed),
        "post_filter": {"terms": {"place": places}},
        "aggs": {"sessions": {"terms": by_session, "aggs": _ENDS}},
    }


def _in_sessions(sessions: Sequence[str], allowed: Clause) -> Clause:
    return {"bool": {"filter": [allowed, {"terms": {"session": list(sessions)}}]}}


def _ends(response: Mapping[str, Any]) -> dict[str, dict[str, float | None]]:
    """First and last turn of each session, by its token."""
    buckets: Sequence[Mapping[str, Any]] = response["aggregations"]["sessions"]["buckets"]
    return {
        bucket["key"]: {side.end: bucket[side.end]["value"] for side in _SIDES}
        for bucket in buckets
    }


def _missing(
    turns: Sequence[tuple[str, int]],
    found: Collection[str | None],
    ends: Mapping[str, Mapping[str, float | None]],
) -> dict[str, list[tuple[str, int]]]:
    """The turns of each side whose neighbour is there but not next to it."""
    missing: dict[str, list[tuple[str, int]]] = {side.name: [] for side in _SIDES}
    for session, turn in turns:
        for side in _SIDES:
            end = ends.get(session, {}).get(side.end)
            has_more = end is not None and (end - turn) * side.step > 0
            if has_more and f"{session}:{turn + side.step}" not in found:
                missing[side.name].append((session, turn))
    return missing


def _by_order(
    missing: Mapping[str, Sequence[tuple[str, int]]], sessions: Sequence[str], allowed: Clause
) -> dict[str, Any]:
    aggregations: dict[str, Any] = {}
    for side in _SIDES:
        beyond = [
            {
                "bool": {
                    "filter": [
                        {"term": {"session": session}},
                        {"range": {"turn": {side.comparison: turn}}},
                    ]
                }
            }
            for session, turn in missing[side.name]
        ]
        if beyond:
            nearest = HIT | {"size": 1, "sort": [{"turn": side.order}, {"_seq_no": side.order}]}
            aggregations[side.name] = {
                "filters": {"filters": beyond},
                "aggs": {"nearest": {"top_hits": nearest}},
            }
    return {"size": 0, "query": _in_sessions(sessions, allowed), "aggs": aggregations}


def _hits_of_sides(response: Mapping[str, Any]) -> list[Hit]:
    aggregations: Mapping[str, Any] = response["aggregations"]
    return [
        hit_of(hit)
        for side in aggregations.values()
        for bucket in side["buckets"]
        for hit in bucket["nearest"]["hits"]["hits"]
    ]
