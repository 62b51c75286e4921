"""From records to what a caller sees."""

from collections.abc import Sequence
from datetime import datetime

from omoide.domain.memory import Memory
from omoide.domain.memory_view import MemoryView, view_at
from omoide.ports.use_log import UseLog


def view_of(memory: Memory, uses: UseLog, now: datetime) -> MemoryView:
    """The view of one memory at an instant."""
    return views_of((memory,), uses, now)[0]


def views_of(memories: Sequence[Memory], uses: UseLog, now: datetime) -> tuple[MemoryView, ...]:
    """The views of memories of one namespace at an instant, in their order."""
    if not memories:
        return ()
    used = uses.get_many(memories[0].namespace, [memory.id for memory in memories])
    return tuple(view_at(memory, used.get(memory.id), now) for memory in memories)
