"""What a native search asks, and its answer."""

from typing import Annotated, ClassVar

from pydantic import ConfigDict, Field

from omoide.api.fields import (
    AnyLayer,
    AnyMemoryType,
    AnyStatus,
    Namespace,
    Origin,
    Query,
    Share,
    Signed,
    Tags,
    Timestamp,
    Zone,
)
from omoide.api.model import ApiModel
from omoide.api.native.memory_model import NativeMemory
from omoide.api.native.store_models import NativeModel
from omoide.domain.ranking.options import RankingProfile, SearchMode
from omoide.services.search_query import MAX_TOP_K

AnyMode = Annotated[SearchMode, Field(strict=False)]
AnyProfile = Annotated[RankingProfile, Field(strict=False)]


class SearchFilters(NativeModel):
    """Conditions that must all hold."""

    memory_types: list[AnyMemoryType] | None = Field(default=None, max_length=4)
    tags_any: Tags | None = None
    tags_all: Tags | None = None
    statuses: list[AnyStatus] | None = Field(
        default=None, max_length=4, description="Active alone when absent."
    )
    session_id: Origin | None = None
    agent_id: Origin | None = None
    user_id: Origin | None = None
    speaker: Origin | None = None
    layer: AnyLayer | None = None
    pinned: bool | None = None
    importance_min: Share | None = None
    confidence_min: Share | None = None
    event_after: Timestamp | None = Field(default=None, description="Happened then or later.")
    event_before: Timestamp | None = Field(default=None, description="Happened before.")


class SearchRequest(NativeModel):
    """A search."""

    namespace: Namespace | None = None
    query: Annotated[Query, Field(description="What is looked for, in any language.")]
    top_k: Annotated[int, Field(ge=1, le=MAX_TOP_K)] | None = Field(
        default=None, description="Results wanted; 10 when absent."
    )
    mode: AnyMode | None = Field(default=None, description="hybrid when absent.")
    profile: AnyProfile | None = Field(
        default=None, description="How scores are made; search when absent."
    )
    alpha: Share | None = Field(
        default=None, description="Share of relevance in the alpha profile; .7 when absent."
    )
    current_valence: Signed | None = Field(default=None, description="For the mood profile.")
    filters: SearchFilters | None = None
    include: list[AnyStatus] | None = Field(
        default=None,
        max_length=4,
        description="Statuses to add to active; not together with `filters.statuses`.",
    )
    as_of: Timestamp | None = Field(
        default=None,
        description="Search what was valid then; what has expired by now stays hidden.",
    )
    min_score: Annotated[float, Field(allow_inf_nan=False)] | None = Field(
        default=None, description="Leave out results below; none by default."
    )
    timezone: Zone | None = Field(default=None, description="Zone of words such as yesterday.")
    explain: bool | None = Field(default=None, description="Tell how each score came about.")


class ExplainedPart(ApiModel):
    """One part of the relevance of a result."""

    name: str
    weight: float
    value: float = Field(description="0 where it does not apply.")
    applies: bool = Field(description="Whether query and memory can have it.")


class Explained(ApiModel):
    """Every part of a score."""

    profile: RankingProfile
    score: float
    relevance: float
    parts: list[ExplainedPart]
    factors: dict[str, float] = Field(description="What the profile adds to relevance.")


class SearchResult(NativeMemory):
    """A memory that was found."""

    score: float = Field(description="Orders the results; may exceed 1.")
    relevance: float = Field(ge=0, le=1, description="To the query alone, comparable.")
    probability: float | None = Field(
        ge=0, le=1, description="That it answers the query; null where words alone are looked at."
    )
    similarity: float | None = Field(description="Of the meaning; null without vectors.")
    matched: list[Annotated[str, Field(pattern="^(dense|lexical)$")]] = Field(
        description="Which arms found it."
    )
    explain: Explained | None = Field(
        default=None, description="How the score came about, when asked for."
    )


class SearchAnswer(ApiModel):
    """What a search found, best first."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    results: list[SearchResult]
    query: str
    namespace: str
    total: int = Field(description="Number of results.")
    low_confidence: bool = Field(description="Whether probably nothing here answers the query.")
    filtered_count: int = Field(description="Results that `min_score` left out.")
    degraded: bool = Field(description="Whether a part of the search was not available.")
    took_ms: float
