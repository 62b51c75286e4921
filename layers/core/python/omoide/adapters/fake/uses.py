"""Access counters in memory."""

from collections.abc import Sequence

from omoide.adapters.fake.state import FolderState, is_shown
from omoide.domain.access import count_access, session_hour
from omoide.domain.memory import Use
from omoide.ports.use_log import Accessed


class FakeUseLog:
    """Implements `UseLog`; counts at once.

    Args:
        state: What the folder's adapters share.
    """

    def __init__(self, state: FolderState) -> None:
        self._state = state

    def record(self, accessed: Accessed) -> None:
        """Count one access per live memory and session-hour."""
        state = self._state
        with state.lock:
            for memory_id in accessed.memory_ids:
                memory = state.memories.get(memory_id)
                if memory is None or memory.namespace != accessed.namespace:
                    continue
                counted = (memory_id, accessed.session, session_hour(accessed.at))
                if is_shown(memory) and counted not in state.session_hours:
                    state.session_hours.add(counted)
                    use = state.uses.get(memory_id)
                    state.uses[memory_id] = count_access(use, memory_id, accessed.at)

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        """The counters of those that were ever used."""
        with self._state.lock:
            uses = {i: self._state.uses.get(i) for i in memory_ids}
            return {
                i: use
                for i, use in uses.items()
                if use is not None and self._state.memories[i].namespace == namespace
            }

    def flush(self) -> None:
        """Nothing waits to be counted."""
