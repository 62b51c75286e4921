"""POST /v1/memories/surface: what a moment calls for."""

from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.native.context_mapping import show_item
from omoide.api.native.surface_models import SurfaceRequest
from omoide.api.responses import json_response
from omoide.api.shapes import Shape
from omoide.domain.context_assembly.token_target import TokenTarget
from omoide.domain.principal import Principal
from omoide.services.surface_memories import (
    DEFAULT_SURFACE_BUDGET,
    SurfaceAnswer,
    SurfaceQuery,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceCall:
    """A moment of a conversation.

    Attributes:
        principal: Whose agent asks.
        query: The moment.
    """

    principal: Principal
    query: SurfaceQuery

    def answer(self, found: SurfaceAnswer) -> Response[str]:
        """What the moment calls for."""
        body: dict[str, object] = {
            "items": [show_item(item) for item in found.items],
            "reminders": [],
            "text": found.text,
            "total_tokens": found.total_tokens,
            "namespace": found.namespace,
            "degraded": found.degraded,
        }
        return json_response(200, body)


def read(call: ApiCall) -> SurfaceCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    request = call.read_body(SurfaceRequest, call.read_object(), shape=Shape.NATIVE)
    budget = request.token_budget
    query = SurfaceQuery(
        context=request.context,
        session_id=request.session_id,
        namespace=request.namespace,
        current_valence=request.current_valence,
        token_budget=DEFAULT_SURFACE_BUDGET if budget is None else budget,
        token_target=request.token_target or TokenTarget.O200K,
        timezone=request.timezone,
    )
    return SurfaceCall(principal=principal, query=query)
