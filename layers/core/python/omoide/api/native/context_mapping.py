"""Between native retrievals and the service."""

from omoide.api.fields import show_time
from omoide.api.native.context_models import RetrieveRequest
from omoide.api.native.search_models import SearchFilters
from omoide.api.native.to_commands import to_filter
from omoide.domain.context_assembly.tiers import DEFAULT_BUDGET
from omoide.domain.context_assembly.token_target import TokenTarget
from omoide.services.retrieve_context import ContextAnswer, ContextItem, ContextQuery

Json = dict[str, object]


def to_context_query(request: RetrieveRequest) -> ContextQuery:
    """The retrieval a request asks for."""
    return ContextQuery(
        query=request.query,
        namespace=request.namespace,
        memory_types=tuple(request.memory_types or ()),
        token_budget=DEFAULT_BUDGET if request.token_budget is None else request.token_budget,
        token_target=request.token_target or TokenTarget.O200K,
        stage=request.cascade_stage,
        task_context=request.task_context or "",
        top_k=10 if request.top_k is None else request.top_k,
        where=to_filter(request.filters or SearchFilters()),
        as_of=request.as_of,
        timezone=request.timezone,
    )


def show_context(answer: ContextAnswer, asked: ContextQuery) -> Json:
    """What matters for a query."""
    return {
        "items": [show_item(item) for item in answer.items],
        "text": answer.text,
        "total_tokens": answer.total_tokens,
        "token_budget": asked.token_budget,
        "token_target": asked.token_target,
        "token_factor": answer.token_factor,
        "cascade_stage": answer.stage,
        "query": asked.query,
        "namespace": answer.namespace,
        "low_confidence": answer.low_confidence,
        "degraded": answer.degraded,
    }


def show_item(item: ContextItem) -> Json:
    """One memory of a text."""
    memory = item.result.view.memory
    return {
        "id": memory.id,
        "memory_type": memory.memory_type,
        "tier": item.shown.tier,
        "text": item.shown.text,
        "tokens": item.shown.tokens,
        "score": item.result.score,
        "relevance": item.result.relevance,
        "confidence": memory.confidence,
        "created_at": show_time(memory.created_at),
    }
