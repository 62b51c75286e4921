"""What a request addresses, and whether its principal may: the one gate of rights."""

from omoide.domain.errors import NotFoundError
from omoide.domain.identity import find_id
from omoide.domain.memory import Memory
from omoide.domain.namespace import canonical_namespace
from omoide.domain.principal import Principal, Right
from omoide.ports.memory_records import MemoryRecords


def address_namespace(principal: Principal, namespace: str | None, right: Right) -> str:
    """The canonical namespace of a request; None means the principal's default one.

    Raises:
        InvalidRequestError: The namespace is malformed.
        ForbiddenError: The principal lacks the right over it.
    """
    named = principal.default_namespace if namespace is None else namespace
    place = canonical_namespace(named)
    principal.require(right, place)
    return place


def address_memory(
    records: MemoryRecords, principal: Principal, memory_id: str, right: Right
) -> Memory:
    """The memory with an id, for a principal that has the right over its namespace.

    Raises:
        NotFoundError: Unknown, deleted, or in a namespace the principal may not read: never told
            apart.
        ForbiddenError: The principal may read the memory, but lacks the right.
    """
    memory = records.get(find_id(memory_id))
    if not principal.allows(Right.READ, memory.namespace):
        raise NotFoundError
    principal.require(right, memory.namespace)
    return memory
