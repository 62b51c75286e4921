"""Conditions as OpenSearch takes them: the meaning is that of `omoide.domain.matching`."""

from collections.abc import Iterable
from typing import Any

from omoide.adapters.opensearch.documents import text_token
from omoide.domain.matching import hides_expired, shows_expired
from omoide.domain.memory_filter import MemoryFilter
from omoide.engine.times import microseconds

Clause = dict[str, Any]


def members_of(namespace: str) -> Clause:
    """Everything indexed in a namespace."""
    return {"term": {"namespace": namespace}}


def conditions(namespace: str, where: MemoryFilter, excluded: Iterable[str] = ()) -> Clause:
    """Members of a namespace that satisfy a filter.

    Args:
        namespace: The namespace.
        where: The filter.
        excluded: Memory ids that must not be found.
    """
    clauses = [members_of(namespace), *_classes(where), *_origins(where), *_times(where)]
    for name in ("importance", "confidence"):
        least = getattr(where, f"{name}_min")
        if least is not None:
            clauses.append({"range": {name: {"gte": least}}})
    query: Clause = {"filter": clauses}
    ids = list(excluded)
    if ids:
        query["must_not"] = [{"ids": {"values": ids}}]
    return {"bool": query}


def _classes(where: MemoryFilter) -> list[Clause]:
    clauses: list[Clause] = []
    if where.statuses:
        clauses.append(_statuses(where))
    if where.memory_types:
        clauses.append({"terms": {"memory_type": [kind.value for kind in where.memory_types]}})
    if where.layer is not None:
        clauses.append({"term": {"layer": where.layer.value}})
    if where.pinned is not None:
        clauses.append({"term": {"pinned": where.pinned}})
    return clauses


def _statuses(where: MemoryFilter) -> Clause:
    wanted: Clause = {"terms": {"status": [status.value for status in where.statuses]}}
    shown_until = shows_expired(where)
    if shown_until is None:
        return wanted
    expired: Clause = {"range": {"expires_at": {"lte": microseconds(shown_until)}}}
    return {"bool": {"should": [wanted, expired], "minimum_should_match": 1}}


def _origins(where: MemoryFilter) -> list[Clause]:
    texts = {
        "session": where.session_id,
        "agent": where.agent_id,
        "user": where.user_id,
        "speaker": where.speaker,
    }
    clauses: list[Clause] = [
        {"term": {name: text_token(text)}} for name, text in texts.items() if text is not None
    ]
    clauses += [{"term": {"tags": text_token(tag)}} for tag in where.tags_all]
    if where.tags_any:
        clauses.append({"terms": {"tags": [text_token(tag) for tag in where.tags_any]}})
    return clauses


def _times(where: MemoryFilter) -> list[Clause]:
    clauses: list[Clause] = []
    hidden_until = hides_expired(where)
    if hidden_until is not None:
        clauses.append({"range": {"expires_at": {"gt": microseconds(hidden_until)}}})
    if where.event_after is not None:
        clauses.append({"range": {"event_time": {"gte": microseconds(where.event_after)}}})
    if where.event_before is not None:
        clauses.append({"range": {"event_time": {"lt": microseconds(where.event_before)}}})
    if where.valid_at is not None:
        instant = microseconds(where.valid_at)
        clauses.append({"range": {"event_time": {"lte": instant}}})
        clauses.append({"range": {"invalidated_at": {"gt": instant}}})
    return clauses
