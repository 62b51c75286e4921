"""GET /v1/memories/count: how many memories a namespace, or memex's pair, holds."""

from collections.abc import Callable
from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.memex import mapping as memex
from omoide.api.memex.models import MemexCountQuery
from omoide.api.native import to_answers
from omoide.api.native.query_models import CountQuery
from omoide.api.responses import json_response
from omoide.api.shapes import Shape
from omoide.domain.principal import Principal
from omoide.services.count_memories import Counted

_PAIR = frozenset({"agent_id", "user_id"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CountCall:
    """Memories to be counted, and how the answer is made.

    Attributes:
        principal: Who counts.
        namespace: Where; None means the default one.
        show: The body of the answer.
    """

    principal: Principal
    namespace: str | None
    show: Callable[[Counted], dict[str, object]]

    def answer(self, counted: Counted) -> Response[str]:
        """The answer in the shape of the request."""
        return json_response(200, self.show(counted))


def read(call: ApiCall) -> CountCall:
    """Read the request: either half of memex's pair makes it memex's, and needs the other.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    given = call.query.keys()
    if _PAIR & given and "namespace" not in given:
        call.shape = Shape.MEMEX
        pair = call.read_query(MemexCountQuery)
        return CountCall(
            principal=principal,
            namespace=memex.namespace_of(pair.agent_id, pair.user_id),
            show=lambda counted: memex.show_count(counted, pair.agent_id, pair.user_id),
        )
    query = call.read_query(CountQuery)
    return CountCall(principal=principal, namespace=query.namespace, show=to_answers.show_count)
