"""What a native retrieval asks, and its answer."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from omoide.api.fields import AnyMemoryType, Namespace, Query, Timestamp, Zone
from omoide.api.model import ApiModel
from omoide.api.native.search_models import SearchFilters
from omoide.api.native.store_models import NativeModel
from omoide.domain.context_assembly.cascade import CascadeStage
from omoide.domain.context_assembly.tiers import LARGEST_BUDGET, LEAST_BUDGET, Tier
from omoide.domain.context_assembly.token_target import TokenTarget
from omoide.domain.memory import MemoryType
from omoide.domain.task_context import MAX_TASK_CONTEXT
from omoide.services.search_query import MAX_TOP_K

AnyStage = Annotated[CascadeStage, Field(strict=False)]
AnyTarget = Annotated[TokenTarget, Field(strict=False)]
TokenBudget = Annotated[int, Field(ge=LEAST_BUDGET, le=LARGEST_BUDGET)]


class RetrieveRequest(NativeModel):
    """A retrieval."""

    namespace: Namespace | None = None
    query: Annotated[Query, Field(description="What matters now, in any language.")]
    memory_types: list[AnyMemoryType] | None = Field(
        default=None,
        max_length=4,
        description="Only these; not together with `filters.memory_types`.",
    )
    token_budget: TokenBudget | None = Field(
        default=None, description="Tokens `text` may have, all included; 4,000 when absent."
    )
    token_target: AnyTarget | None = Field(
        default=None, description="Whose tokens; o200k when absent."
    )
    cascade_stage: AnyStage | None = Field(
        default=None, description="How much to look at; the words of the query decide when absent."
    )
    task_context: Annotated[str, Field(max_length=MAX_TASK_CONTEXT)] | None = Field(
        default=None, description="The task at hand: creating favours what was seldom recalled."
    )
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] | None = Field(
        default=None, description="Memories shown at most; 10 when absent."
    )
    filters: SearchFilters | None = None
    as_of: Timestamp | None = Field(default=None, description="Retrieve what was valid then.")
    timezone: Zone | None = Field(
        default=None, description="Zone of words such as yesterday and of the dates shown."
    )


class ContextItem(ApiModel):
    """A memory of the text."""

    id: str
    memory_type: MemoryType
    tier: Tier = Field(description="How much of it is shown.")
    text: str = Field(description="What is shown of it, as it was said.")
    tokens: int = Field(description="What it takes of the budget.")
    score: float
    relevance: float = Field(ge=0, le=1)
    confidence: float = Field(ge=0, le=1)
    created_at: str


class RetrieveAnswer(ApiModel):
    """What matters for a query, ready for an agent."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    items: list[ContextItem] = Field(description="Best first.")
    text: str = Field(description="All items, delimited and escaped; empty without any.")
    total_tokens: int = Field(description="What `text` takes of the budget; never more than it.")
    token_budget: int
    token_target: TokenTarget
    token_factor: float = Field(
        description="Tokens of the target for each token of the embedding model."
    )
    cascade_stage: CascadeStage
    query: str
    namespace: str
    low_confidence: bool = Field(description="Whether probably nothing here answers the query.")
    degraded: bool = Field(description="Whether a part of the search was not available.")
