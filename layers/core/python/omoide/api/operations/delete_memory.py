"""DELETE /v1/memories/{memory_id}: delete one memory; memex names the agent it belongs to."""

from dataclasses import dataclass, replace

from omoide.api.call import ApiCall, memory_id_of
from omoide.api.memex.models import MemexDeleteQuery
from omoide.api.native.query_models import DeleteQuery
from omoide.api.shapes import Shape
from omoide.domain.principal import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class DeleteCall:
    """A memory to be deleted.

    Attributes:
        principal: Who deletes it.
        memory_id: Which one.
        agent_id: The agent it must belong to; None does not ask.
        cascade: Whether what was derived from it goes with it.
    """

    principal: Principal
    memory_id: str
    agent_id: str | None = None
    cascade: bool = False


def read(call: ApiCall, memory_id: str) -> DeleteCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    if "agent_id" in call.query:
        call.shape = Shape.MEMEX
        asked = call.read_query(MemexDeleteQuery)
        return DeleteCall(
            principal=replace(principal, limited_agent=asked.agent_id),
            memory_id=memory_id_of(memory_id),
            agent_id=asked.agent_id,
        )
    query = call.read_query(DeleteQuery)
    return DeleteCall(principal=principal, memory_id=memory_id_of(memory_id), cascade=query.cascade)
