"""Memories written to a table, and what is noted of them."""

from omoide.adapters.fake import FakeClock
from omoide.domain.memory import Memory
from omoide.ports.pending_writes import MemoryRef
from tests.contract.samples import (
    creation_of,
    memory_of,
)
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire


def ref(memory_id: str, namespace: str = "team/a") -> MemoryRef:
    return MemoryRef(namespace=namespace, memory_id=memory_id)


def store(folder: TableFolder, clock: FakeClock, *memory_ids: str) -> list[Memory]:
    memories = [memory_of(memory_id) for memory_id in memory_ids]
    for memory in memories:
        clock.advance(seconds=1)
        folder.records.commit(creation_of(memory))
    return memories


def index_all(folder: TableFolder) -> None:
    folder.pending.clear(folder.pending.of_namespace("team/a", 1_000).writes)


def note_more(wire: Wire, count: int) -> None:
    """Let the pending item of one memory be those of more."""
    (noted,) = [item for item in wire.items() if item["sk"]["S"].startswith("PEND#")]
    for i in range(count):
        wire.put(noted | {"sk": {"S": f"PEND#x{i:03d}"}})
    wire.requests.clear()
