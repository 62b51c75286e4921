"""From native requests to what the services take."""

from collections.abc import Mapping
from dataclasses import fields

from omoide.api.native.search_models import SearchFilters, SearchRequest
from omoide.api.native.store_models import BatchItem
from omoide.api.native.update_models import UpdateRequest
from omoide.domain.errors import InvalidRequestError
from omoide.domain.memory import ContentType
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.ranking.options import SearchMode
from omoide.services.memory_patch import MemoryPatch
from omoide.services.new_memory import Dedupe, NewMemory
from omoide.services.search_query import SearchQuery

_PATCHED = tuple(field.name for field in fields(MemoryPatch))
_LISTS = frozenset({"tags", "entities"})


def to_new_memory(item: BatchItem) -> NewMemory:
    """The memory a request wants stored.

    Raises:
        InvalidRequestError: It names an agent or a user, but not where their memories are.
    """
    if item.namespace is None and (item.agent_id is not None or item.user_id is not None):
        raise InvalidRequestError.of("namespace", "is needed with agent_id or user_id")
    return NewMemory(
        content=item.content,
        namespace=item.namespace,
        memory_type=item.memory_type,
        memory_subtype=item.memory_subtype,
        layer=item.layer,
        summary=item.summary,
        content_type=item.content_type or ContentType.TEXT,
        language=item.language,
        tags=tuple(item.tags or ()),
        entities=tuple(item.entities or ()),
        metadata=item.metadata or {},
        importance=item.importance,
        confidence=item.confidence,
        source_type=item.source_type,
        source_id=item.source_id,
        agent_id=item.agent_id,
        user_id=item.user_id,
        session_id=item.session_id,
        turn=item.turn,
        speaker=item.speaker,
        event_time=item.event_time,
        event_end=item.event_end,
        timezone=item.timezone,
        valence=item.valence,
        arousal=item.arousal,
        mood=item.mood,
        pinned=bool(item.pinned),
        resolved=item.resolved is not False,
        expires_at=item.expires_at,
        dedupe=item.dedupe or Dedupe.MERGE,
    )


def to_patch(request: UpdateRequest) -> MemoryPatch:
    """The change a request wants made: what it names, and nothing else."""
    named: Mapping[str, object] = {
        name: tuple(getattr(request, name)) if name in _LISTS else getattr(request, name)
        for name in _PATCHED
        if name in request.model_fields_set
    }
    return MemoryPatch(**named)  # pyright: ignore[reportArgumentType]


def to_query(request: SearchRequest) -> SearchQuery:
    """The search a request asks for."""
    return SearchQuery(
        query=request.query,
        namespace=request.namespace,
        top_k=10 if request.top_k is None else request.top_k,
        mode=request.mode or SearchMode.HYBRID,
        profile=request.profile,
        alpha=request.alpha,
        current_valence=request.current_valence,
        where=to_filter(request.filters or SearchFilters()),
        include=tuple(request.include or ()),
        as_of=request.as_of,
        min_score=request.min_score,
        timezone=request.timezone,
        explain=bool(request.explain),
    )


def to_filter(filters: SearchFilters) -> MemoryFilter:
    """The conditions of a search; no statuses means that none are named."""
    return MemoryFilter(
        memory_types=tuple(filters.memory_types or ()),
        tags_any=tuple(filters.tags_any or ()),
        tags_all=tuple(filters.tags_all or ()),
        statuses=tuple(filters.statuses or ()),
        session_id=filters.session_id,
        agent_id=filters.agent_id,
        user_id=filters.user_id,
        speaker=filters.speaker,
        layer=filters.layer,
        pinned=filters.pinned,
        importance_min=filters.importance_min,
        confidence_min=filters.confidence_min,
        event_after=filters.event_after,
        event_before=filters.event_before,
    )
