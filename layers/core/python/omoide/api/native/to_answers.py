"""From what the services return to native answers, as plain JSON objects."""

from collections.abc import Mapping

from omoide.api.errors import error_object, status_of
from omoide.api.fields import show_time
from omoide.domain.decay import is_warm
from omoide.domain.errors import OmoideError
from omoide.domain.memory import Memory, Status
from omoide.domain.memory_view import MemoryView
from omoide.domain.ranking.explain import Explanation
from omoide.services.count_memories import Counted
from omoide.services.list_memories import Listing
from omoide.services.new_memory import Outcome, Stored
from omoide.services.search_memories import SearchAnswer, SearchResult

Json = dict[str, object]


def show_memory(view: MemoryView) -> Json:
    """A memory, flat."""
    memory = view.memory
    return {
        "id": memory.id,
        "namespace": memory.namespace,
        "version": memory.version,
        **_content(memory),
        **_weight(memory),
        "status": view.status,
        "is_archived": view.status is Status.ARCHIVED,
        "pinned": memory.pinned,
        "resolved": memory.resolved,
        "archived_at": show_time(memory.archived_at),
        "archive_reason": memory.archive_reason,
        "strength": view.strength,
        "warm": is_warm(view.strength),
        **_origin(memory),
        **_times(memory),
        **_use(view),
        "superseded_by": memory.superseded_by,
        "supersedes": memory.supersedes,
        "parent_id": memory.parent_id,
        "related_ids": memory.related_ids,
        **_reminder(memory),
    }


def show_stored(stored: Stored) -> Json:
    """The answer to a store."""
    return {
        **show_memory(stored.view),
        "outcome": stored.outcome,
        "superseded_ids": stored.superseded_ids,
        "is_lexical_only": stored.is_lexical_only,
        "is_partly_lexical": stored.is_partly_lexical,
    }


def status_of_stored(stored: Stored) -> int:
    """201 for a new memory, 200 for one that was there."""
    return 201 if stored.outcome is Outcome.CREATED else 200


def show_batch(results: list[Stored | OmoideError], request_id: str) -> Json:
    """The answer to a batch: each item's own status, memory or error."""
    shown = [_show_item(index, result, request_id) for index, result in enumerate(results)]
    failed = sum("error" in item for item in shown)
    return {"results": shown, "stored": len(shown) - failed, "failed": failed}


def show_search(answer: SearchAnswer, query: str) -> Json:
    """What a search found."""
    return {
        "results": [_show_result(result) for result in answer.results],
        "query": query,
        "namespace": answer.namespace,
        "total": len(answer.results),
        "low_confidence": answer.low_confidence,
        "filtered_count": answer.filtered_count,
        "degraded": answer.degraded,
        "took_ms": round(answer.took_ms, 3),
    }


def show_listing(listing: Listing) -> Json:
    """One page of memories."""
    return {
        "memories": [show_memory(view) for view in listing.views],
        "next_cursor": listing.next_cursor,
        "total": listing.total,
    }


def show_count(counted: Counted) -> Json:
    """How many memories a namespace holds."""
    return {"namespace": counted.namespace, "count": counted.count}


def _show_item(index: int, result: Stored | OmoideError, request_id: str) -> Json:
    if isinstance(result, OmoideError):
        error = error_object(result, request_id)
        return {"index": index, "status": status_of(result) or 500, "error": error}
    memory = show_stored(result)
    return {"index": index, "status": status_of_stored(result), "memory": memory}


def _show_result(result: SearchResult) -> Json:
    shown = show_memory(result.view)
    shown["score"] = result.score
    shown["relevance"] = result.relevance
    shown["probability"] = result.probability
    shown["similarity"] = result.similarity
    shown["matched"] = result.matched
    if result.explain is not None:
        shown["explain"] = _show_explanation(result.explain)
    return shown


def _show_explanation(explanation: Explanation) -> Json:
    return {
        "profile": explanation.profile,
        "score": explanation.score,
        "relevance": explanation.relevance,
        "parts": [
            {"name": p.name, "weight": p.weight, "value": p.value, "applies": p.applies}
            for p in explanation.parts
        ],
        "factors": explanation.factors,
    }


def _content(memory: Memory) -> Mapping[str, object]:
    return {
        "content": memory.content,
        "summary": memory.summary,
        "content_type": memory.content_type,
        "language": memory.language,
        "tags": memory.tags,
        "entities": memory.entities,
        "metadata": memory.metadata,
        "memory_type": memory.memory_type,
        "memory_subtype": memory.memory_subtype,
        "layer": memory.layer,
    }


def _weight(memory: Memory) -> Mapping[str, object]:
    return {
        "importance": memory.importance,
        "confidence": memory.confidence,
        "confidence_basis": memory.confidence_basis,
        "corroborating_sources": memory.corroborating_sources,
        "contradicting_sources": memory.contradicting_sources,
        "confidence_updated_at": show_time(memory.confidence_updated_at),
        "verification_status": memory.verification_status,
        "last_verified_at": show_time(memory.last_verified_at),
        "valence": memory.valence,
        "arousal": memory.arousal,
        "mood": memory.mood,
    }


def _origin(memory: Memory) -> Mapping[str, object]:
    return {
        "source_type": memory.source_type,
        "source_id": memory.source_id,
        "agent_id": memory.agent_id,
        "user_id": memory.user_id,
        "session_id": memory.session_id,
        "speaker": memory.speaker,
        "turn": memory.turn,
    }


def _times(memory: Memory) -> Mapping[str, object]:
    return {
        "created_at": show_time(memory.created_at),
        "updated_at": show_time(memory.updated_at),
        "stored_at": show_time(memory.stored_at),
        "event_time": show_time(memory.event_time),
        "event_end": show_time(memory.event_end),
        "invalidated_at": show_time(memory.invalidated_at),
        "expires_at": show_time(memory.expires_at),
        "last_activated_at": show_time(memory.last_activated_at),
    }


def _use(view: MemoryView) -> Mapping[str, object]:
    use = view.use
    return {
        "accessed_at": show_time(use.accessed_at) if use else None,
        "access_count": use.access_count if use else 0,
        "access_count_7d": use.access_count_7d if use else 0.0,
        "access_count_30d": use.access_count_30d if use else 0.0,
        "feedback": use.feedback if use else 0.0,
        "last_access_utility": use.last_access_utility if use else None,
    }


def _reminder(memory: Memory) -> Mapping[str, object]:
    return {
        "trigger_type": memory.trigger_type,
        "trigger_at": show_time(memory.trigger_at),
        "trigger_condition": memory.trigger_condition,
        "recurrence": memory.recurrence,
        "timezone": memory.timezone,
        "next_due_at": show_time(memory.next_due_at),
        "triggered_at": show_time(memory.triggered_at),
        "trigger_count": memory.trigger_count,
        "acknowledged_at": show_time(memory.acknowledged_at),
    }
