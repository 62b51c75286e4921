"""A retrieval in DSE's words."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from omoide.api.dse.models import DseModel
from omoide.api.fields import Query, show_time
from omoide.api.model import ApiModel
from omoide.domain.context_assembly.cascade import CascadeStage
from omoide.domain.context_assembly.tiers import (
    DEFAULT_BUDGET,
    LARGEST_BUDGET,
    LEAST_BUDGET,
    Tier,
)
from omoide.domain.memory import MemoryType
from omoide.domain.task_context import MAX_TASK_CONTEXT
from omoide.services.retrieve_context import ContextAnswer, ContextQuery
from omoide.services.search_query import MAX_TOP_K

Json = dict[str, object]


class DseRetrieveRequest(DseModel):
    """A retrieval."""

    query: Query
    namespace: Annotated[str, Field(min_length=1, max_length=1_100)] | None = Field(
        default=None, description="The default namespace of the key when absent."
    )
    memory_types: list[MemoryType] | None = None
    token_budget: Annotated[int, Field(ge=LEAST_BUDGET, le=LARGEST_BUDGET)] = DEFAULT_BUDGET
    cascade_stage: CascadeStage | None = None
    task_context: Annotated[str, Field(max_length=MAX_TASK_CONTEXT)] = ""
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] = 10


class DseContextItem(ApiModel):
    """A memory that was retrieved."""

    memory_id: str
    memory_type: MemoryType
    content: str
    tier: Tier
    score: float
    confidence: float
    created_at: str
    tokens: int


class DseRetrieveAnswer(ApiModel):
    """What a retrieval found."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    items: list[DseContextItem]
    total_tokens: int
    query: str
    namespace: str
    text: str = Field(description="All items, delimited and escaped; DSE has none.")


def to_context_query(request: DseRetrieveRequest) -> ContextQuery:
    """The retrieval a request asks for."""
    return ContextQuery(
        query=request.query,
        namespace=request.namespace,
        memory_types=tuple(dict.fromkeys(request.memory_types or ())),
        token_budget=request.token_budget,
        stage=request.cascade_stage,
        task_context=request.task_context,
        top_k=request.top_k,
    )


def show_context(answer: ContextAnswer, asked: ContextQuery) -> Json:
    """What matters for a query."""
    shown = [(item.result.view.memory, item) for item in answer.items]
    return {
        "items": [
            {
                "memory_id": memory.id,
                "memory_type": memory.memory_type,
                "content": item.shown.text,
                "tier": item.shown.tier,
                "score": item.result.score,
                "confidence": memory.confidence,
                "created_at": show_time(memory.created_at),
                "tokens": item.shown.tokens,
            }
            for memory, item in shown
        ],
        "total_tokens": answer.total_tokens,
        "query": asked.query,
        "namespace": answer.namespace,
        "text": answer.text,
    }
