"""The searches of one nomination, and reading their answers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from omoide.adapters.opensearch.documents import routing_of, term_token
from omoide.adapters.opensearch.filters import Clause, conditions, members_of
from omoide.domain.candidates import FieldStatistics, NominationRequest
from omoide.engine.arms import NamespaceStatistics

FEWEST = 100
"""An arm asks for so many at least: a wider search of the graph misses less."""

LEXICAL_MARGIN = 1.5
"""The node scores with the statistics of a whole shard; of so many times the pool the best are
chosen with those of the namespace."""

MAX_CLAUSES = 1_000
"""A query longer than that is nominated by its first terms."""

HIT: dict[str, Any] = {
    "stored_fields": "_none_",
    "docvalue_fields": ["memory_id", "place"],
    "seq_no_primary_term": True,
    "version": True,
}
"""What is read of a memory: id, version, order of writing, place in its session."""

HIT_WITH_PAYLOAD: dict[str, Any] = HIT | {"docvalue_fields": ["memory_id", "place", "payload"]}
"""The same with its scoring data."""

MOST_OF_A_TURN = 4
"""So many memories are read of one turn."""

ANSWERED = ",".join(
    f"responses.{path}"
    for path in (
        "error.type",
        "status",
        "hits.total",
        "hits.hits._seq_no",
        "hits.hits._version",
        "hits.hits.fields",
        "aggregations",
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One memory as the index has it.

    Attributes:
        memory_id: The memory.
        version: `omoide.ports.scoring_source.IndexEntry.index_version`.
        order: Greater the later it was written.
        place: The token of its turn; None without one.
        payload: Its scoring data in base 64, where it was asked for.
    """

    memory_id: str
    version: int
    order: int
    place: str | None
    payload: str | None


def header(alias: str, namespace: str) -> dict[str, Any]:
    """The line before each search of an ``_msearch``."""
    return {
        "index": alias,
        "routing": routing_of(namespace),
        "allow_partial_search_results": False,
    }


def nominating(request: NominationRequest, excluded: Iterable[str]) -> list[dict[str, Any]]:
    """The statistics, both arms and the newest, those that the request needs.

    Args:
        request: What to look for.
        excluded: Memories whose indexed form is out of date.
    """
    allowed = conditions(request.namespace, request.where, excluded)
    bodies = [_statistics(request)]
    if request.vector is not None:
        bodies.append(_dense(request, allowed))
    if len(request.terms):
        bodies.append(_lexical(request, allowed))
    if request.newest:
        sort = [{"event_time": "desc"}, {"_seq_no": "desc"}]
        bodies.append(HIT | _sized(request.newest) | {"query": allowed, "sort": sort})
    return bodies


def payloads_of(memory_ids: Sequence[str]) -> list[dict[str, Any]]:
    """The search for the scoring data of some memories; none where there are none."""
    if not memory_ids:
        return []
    query = {"constant_score": {"filter": {"ids": {"values": list(memory_ids)}}}}
    return [HIT_WITH_PAYLOAD | _sized(len(memory_ids)) | {"query": query}]


def payloads_at(places: Sequence[str], allowed: Clause) -> list[dict[str, Any]]:
    """The search for the scoring data of what is at some turns; none where there are none."""
    if not places:
        return []
    query = {"bool": {"filter": [allowed, {"terms": {"place": list(places)}}]}}
    return [HIT_WITH_PAYLOAD | _sized(len(places) * MOST_OF_A_TURN) | {"query": query}]


def hits_of(response: Mapping[str, Any]) -> list[Hit]:
    """The hits of an answer."""
    found: Sequence[Mapping[str, Any]] = response.get("hits", {}).get("hits", ())
    return [hit_of(hit) for hit in found]


def hit_of(hit: Mapping[str, Any]) -> Hit:
    """One hit."""
    fields: Mapping[str, list[str]] = hit["fields"]
    return Hit(
        memory_id=fields["memory_id"][0],
        version=hit["_version"],
        order=hit["_seq_no"],
        place=next(iter(fields.get("place", ())), None),
        payload=next(iter(fields.get("payload", ())), None),
    )


def latest(hits: Iterable[Hit]) -> list[Hit]:
    """One hit per memory, the last written, in the order of writing."""
    by_id: dict[str, Hit] = {}
    for hit in hits:
        known = by_id.get(hit.memory_id)
        if known is None or known.order < hit.order:
            by_id[hit.memory_id] = hit
    return sorted(by_id.values(), key=lambda hit: hit.order)


def statistics_of(response: Mapping[str, Any], term_count: int) -> NamespaceStatistics:
    """The statistics of the namespace from the answer to the first search."""
    count: int = response["hits"]["total"]["value"]
    aggregations = response["aggregations"]

    def field(length: str, terms: str) -> FieldStatistics:
        buckets: list[Mapping[str, Any]] = aggregations[terms]["buckets"] if term_count else []
        frequency = np.zeros(term_count, dtype=np.float64)
        frequency[: len(buckets)] = [bucket["doc_count"] for bucket in buckets]
        return FieldStatistics(
            document_count=count,
            average_length=aggregations[length]["value"] / count if count else 0.0,
            document_frequency=frequency,
        )

    return NamespaceStatistics(
        own=field("own_length", "own"), context=field("context_length", "words")
    )


def _sized(size: int) -> dict[str, Any]:
    return {"size": size, "track_total_hits": False}


def _statistics(request: NominationRequest) -> dict[str, Any]:
    aggregations: dict[str, Any] = {
        name: {"sum": {"field": name}} for name in ("own_length", "context_length")
    }
    if len(request.terms):
        tokens = [term_token(term) for term in request.terms.tolist()]
        for field in ("own", "words"):
            terms: list[Clause] = [{"term": {field: token}} for token in tokens]
            aggregations[field] = {"filters": {"filters": terms}}
    return {
        "size": 0,
        "track_total_hits": True,
        "query": members_of(request.namespace),
        "aggs": aggregations,
    }


def _dense(request: NominationRequest, allowed: Clause) -> dict[str, Any]:
    size = max(FEWEST, request.pool)
    vector: list[float] = [] if request.vector is None else request.vector.tolist()
    nearest = {"chunks.vector": {"vector": vector, "k": size, "filter": allowed}}
    query = {"nested": {"path": "chunks", "score_mode": "max", "query": {"knn": nearest}}}
    return HIT | _sized(size) | {"query": query}


def _lexical(request: NominationRequest, allowed: Clause) -> dict[str, Any]:
    tokens = [term_token(term) for term in request.terms[:MAX_CLAUSES].tolist()]
    size = max(FEWEST, int(request.pool * LEXICAL_MARGIN))
    query = {"bool": {"must": {"match": {"words": " ".join(tokens)}}, "filter": allowed}}
    return HIT | _sized(size) | {"query": query}
