"""What a native surfacing says of a moment, and its answer."""

from typing import Annotated, ClassVar

from pydantic import AfterValidator, ConfigDict, Field

from omoide.api.fields import NOT_BLANK, Namespace, Origin, Signed, Zone, check_text
from omoide.api.model import ApiModel
from omoide.api.native.context_models import AnyTarget, ContextItem, TokenBudget
from omoide.api.native.store_models import NativeModel
from omoide.domain.limits import MAX_CONTENT

Context = Annotated[
    str,
    Field(min_length=1, max_length=MAX_CONTENT, json_schema_extra={"pattern": NOT_BLANK}),
    AfterValidator(check_text),
]


class SurfaceRequest(NativeModel):
    """A moment of a conversation."""

    namespace: Namespace | None = None
    context: Annotated[Context, Field(description="What was just said.")]
    session_id: Annotated[
        Origin, Field(description="The conversation; nothing is shown to it twice.")
    ]
    current_valence: Signed | None = Field(
        default=None, description="The mood, -1..1: memories of the same feeling come first."
    )
    token_budget: TokenBudget | None = Field(
        default=None, description="Tokens `text` may have, all included; 800 when absent."
    )
    token_target: AnyTarget | None = Field(
        default=None, description="Whose tokens; o200k when absent."
    )
    timezone: Zone | None = Field(default=None, description="Zone of the dates shown.")


class SurfaceAnswer(ApiModel):
    """What a moment calls for; nothing, most of the time."""

    model_config: ClassVar[ConfigDict] = ConfigDict(extra="forbid")

    items: list[ContextItem] = Field(description="Best first.")
    reminders: list[str] = Field(description="Reminders that are due; none yet.")
    text: str = Field(description="All items, delimited and escaped; empty without any.")
    total_tokens: int = Field(description="What `text` takes of the budget; never more than it.")
    namespace: str
    degraded: bool = Field(description="Whether a part of the search was not available.")
