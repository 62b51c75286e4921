"""POST /v1/memories: store one memory, in any of the three shapes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.dse import mapping as dse
from omoide.api.dse.models import DseStoreRequest
from omoide.api.memex import mapping as memex
from omoide.api.memex.models import MemexStoreRequest
from omoide.api.native import to_answers, to_commands
from omoide.api.native.store_models import StoreRequest
from omoide.api.responses import json_response
from omoide.api.shapes import Shape, shape_of_store
from omoide.domain.memory import JsonValue
from omoide.domain.principal import Principal
from omoide.services.new_memory import NewMemory, Stored

Body = dict[str, JsonValue]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreCall:
    """A memory to be stored, and how its answer is made.

    Attributes:
        principal: Who stores it.
        new: The memory.
        operation_id: Makes the call idempotent.
        show: Status and body of the answer.
    """

    principal: Principal
    new: NewMemory
    operation_id: str | None
    show: Callable[[Stored], tuple[int, dict[str, object]]]

    def answer(self, stored: Stored) -> Response[str]:
        """The answer in the shape of the request."""
        return json_response(*self.show(stored))


def read(call: ApiCall) -> StoreCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    body = call.read_object()
    return _READERS[shape_of_store(body, principal.shape)](call, principal, body)


def _read_native(call: ApiCall, principal: Principal, body: Body) -> StoreCall:
    request = call.read_body(StoreRequest, body, shape=Shape.NATIVE)
    return StoreCall(
        principal=principal,
        new=to_commands.to_new_memory(request),
        operation_id=call.operation_id(request.operation_id),
        show=lambda stored: (to_answers.status_of_stored(stored), to_answers.show_stored(stored)),
    )


def _read_memex(call: ApiCall, principal: Principal, body: Body) -> StoreCall:
    request = call.read_body(MemexStoreRequest, body, shape=Shape.MEMEX)
    return StoreCall(
        principal=replace(principal, limited_agent=request.agent_id),
        new=memex.to_new_memory(request),
        operation_id=call.operation_id(),
        show=lambda stored: (201, memex.show_stored(stored, request)),
    )


def _read_dse(call: ApiCall, principal: Principal, body: Body) -> StoreCall:
    request = call.read_body(DseStoreRequest, body, shape=Shape.DSE)
    return StoreCall(
        principal=principal,
        new=dse.to_new_memory(request),
        operation_id=call.operation_id(),
        show=lambda stored: (201, dse.show_memory(stored.view)),
    )


_READERS: dict[Shape, Callable[[ApiCall, Principal, Body], StoreCall]] = {
    Shape.NATIVE: _read_native,
    Shape.MEMEX: _read_memex,
    Shape.DSE: _read_dse,
}
