"""Between DSE's words and the services'."""

from omoide.api.dse.models import DSE_LANGUAGE, DseStoreRequest, DseUpdateRequest
from omoide.api.fields import show_time
from omoide.domain.errors import FieldProblem, InvalidRequestError
from omoide.domain.memory import Memory, MemorySubtype, SourceType, Status
from omoide.domain.memory_view import MemoryView
from omoide.domain.unset import UNSET
from omoide.services.memory_patch import MemoryPatch
from omoide.services.new_memory import NewMemory

Json = dict[str, object]


def to_new_memory(request: DseStoreRequest) -> NewMemory:
    """The memory a request wants stored.

    Raises:
        InvalidRequestError: It asks for a reminder.
    """
    asked = ("trigger_type", "trigger_at", "trigger_condition")
    problem = "reminders are not served yet; leave it out"
    details = [
        FieldProblem(field=name, problem=problem)
        for name in asked
        if getattr(request, name) is not None
    ]
    if details:
        raise InvalidRequestError(f"{details[0].field}: {problem}", details=details)
    return NewMemory(
        content=request.content_text,
        namespace=request.namespace,
        memory_type=request.memory_type,
        memory_subtype=request.memory_subtype,
        summary=request.summary or None,
        content_type=request.content_type,
        language=request.language or None,
        tags=tuple(request.tags),
        entities=tuple(request.entities),
        confidence=request.confidence,
        source_type=request.source_type,
        source_id=request.source_id or None,
    )


def to_patch(request: DseUpdateRequest) -> MemoryPatch:
    """The change a request wants made.

    Raises:
        InvalidRequestError: It names no new value.
    """
    patch = MemoryPatch(
        content=UNSET if request.content_text is None else request.content_text,
        summary=UNSET if request.summary is None else request.summary or None,
        confidence=UNSET if request.confidence is None else request.confidence,
        importance=UNSET if request.importance_score is None else request.importance_score,
        tags=UNSET if request.tags is None else tuple(request.tags),
        entities=UNSET if request.entities is None else tuple(request.entities),
        status=UNSET if request.is_archived is None else _status(request.is_archived),
    )
    if patch == MemoryPatch():
        raise InvalidRequestError.of("body", "names nothing to change")
    return patch


def show_memory(view: MemoryView) -> Json:
    """A memory with all of DSE's names."""
    memory, use = view.memory, view.use
    return {
        "id": memory.id,
        "namespace": memory.namespace,
        "content_path": "",
        "summary": memory.summary or "",
        "content_text": memory.content,
        "embedding": [],
        "summary_embedding": [],
        "embedding_model": "",
        "embedding_version": "",
        "memory_type": memory.memory_type,
        "memory_subtype": memory.memory_subtype or MemorySubtype.OBSERVATION,
        "content_type": memory.content_type,
        **_confidence(memory),
        "source_type": memory.source_type or SourceType.OBSERVATION,
        "source_id": memory.source_id or "",
        "verification_status": _verification(memory),
        "last_verified_at": show_time(memory.last_verified_at),
        "created_at": show_time(memory.created_at),
        "updated_at": show_time(memory.updated_at),
        "accessed_at": show_time(use.accessed_at) if use else None,
        "expires_at": show_time(memory.expires_at),
        "access_count": use.access_count if use else 0,
        "access_count_7d": round(use.access_count_7d) if use else 0,
        "access_count_30d": round(use.access_count_30d) if use else 0,
        "last_access_utility": (use.last_access_utility or 0.0) if use else 0.0,
        "decay_score": view.strength,
        "importance_score": memory.importance,
        "superseded_by": memory.superseded_by,
        "supersedes": memory.supersedes,
        "parent_id": memory.parent_id,
        "tags": memory.tags,
        "entities": memory.entities,
        "language": memory.language or DSE_LANGUAGE,
        **_state(view),
        "neighbor_ids": memory.related_ids,
    }


def _status(is_archived: bool) -> Status:
    return Status.ARCHIVED if is_archived else Status.ACTIVE


def _verification(memory: Memory) -> str:
    is_superseded = memory.status is Status.SUPERSEDED
    return "superseded" if is_superseded else memory.verification_status.value


def _confidence(memory: Memory) -> Json:
    return {
        "confidence": memory.confidence,
        "confidence_basis": memory.confidence_basis or "observation",
        "corroborating_sources": len(memory.corroborating_sources),
        "contradicting_sources": len(memory.contradicting_sources),
        "confidence_updated_at": show_time(memory.confidence_updated_at) or "",
    }


def _state(view: MemoryView) -> Json:
    memory = view.memory
    return {
        "trigger_type": memory.trigger_type,
        "trigger_at": show_time(memory.trigger_at),
        "trigger_condition": memory.trigger_condition,
        "is_triggered": memory.triggered_at is not None,
        "is_archived": view.status is Status.ARCHIVED,
        "archived_at": show_time(memory.archived_at),
        "archive_reason": memory.archive_reason,
    }
