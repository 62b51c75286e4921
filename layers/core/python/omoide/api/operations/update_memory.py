"""PATCH and PUT /v1/memories/{memory_id}: change fields, in our own shape or DSE's."""

from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall, memory_id_of
from omoide.api.dse import mapping as dse
from omoide.api.dse.models import DseUpdateRequest
from omoide.api.native import to_commands
from omoide.api.native.query_models import NoQuery
from omoide.api.native.update_models import UpdateRequest
from omoide.api.operations.one_memory import memory_response
from omoide.api.shapes import Shape, shape_of_update
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal
from omoide.services.memory_patch import MemoryPatch


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateCall:
    """A change of a memory.

    Attributes:
        principal: Who changes it.
        memory_id: Which one.
        patch: The new values.
        expected_version: What the caller has seen; None for whichever there is.
        operation_id: Makes the call idempotent.
        shape: Shape of the answer.
    """

    principal: Principal
    memory_id: str
    patch: MemoryPatch
    expected_version: int | None
    operation_id: str | None
    shape: Shape

    def answer(self, view: MemoryView) -> Response[str]:
        """The memory after the change, in the shape of the request."""
        return memory_response(view, self.shape)


def read(call: ApiCall, memory_id: str) -> UpdateCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    call.read_query(NoQuery)
    canonical_id = memory_id_of(memory_id)
    body = call.read_object()
    shape = shape_of_update(body, principal.shape)
    operation_id: str | None = None
    if shape is Shape.DSE:
        patch = dse.to_patch(call.read_body(DseUpdateRequest, body, shape=shape))
    else:
        request = call.read_body(UpdateRequest, body, shape=shape)
        patch, operation_id = to_commands.to_patch(request), request.operation_id
    return UpdateCall(
        principal=principal,
        memory_id=canonical_id,
        patch=patch,
        expected_version=call.expected_version(),
        operation_id=call.operation_id(operation_id),
        shape=shape,
    )
