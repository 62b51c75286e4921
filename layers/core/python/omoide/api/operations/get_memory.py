"""GET /v1/memories/{memory_id}: read one memory."""

from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall, memory_id_of
from omoide.api.native.query_models import NoQuery
from omoide.api.operations.one_memory import memory_response
from omoide.api.shapes import Shape, shape_of_key
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class GetCall:
    """A memory to be read.

    Attributes:
        principal: Who reads it.
        memory_id: Which one.
        shape: Shape of the answer.
    """

    principal: Principal
    memory_id: str
    shape: Shape

    def answer(self, view: MemoryView) -> Response[str]:
        """The memory in the shape of the key."""
        return memory_response(view, self.shape)


def read(call: ApiCall, memory_id: str) -> GetCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    call.read_query(NoQuery)
    return GetCall(
        principal=principal,
        memory_id=memory_id_of(memory_id),
        shape=shape_of_key(principal.shape),
    )
