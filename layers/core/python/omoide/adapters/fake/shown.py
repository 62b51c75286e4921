"""What sessions were shown, in memory."""

import threading
from collections.abc import Sequence
from datetime import datetime

from omoide.ports.shown_memories import SHOWN_LIFE


class FakeShownMemories:
    """Implements `ShownMemories`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._shown: dict[tuple[str, str], dict[str, datetime]] = {}

    def among(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Those of some memories that the session was shown."""
        with self._lock:
            return frozenset(self._kept((namespace, session), at).keys() & set(memory_ids))

    def claim(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Mark memories as shown; returns those that nobody had claimed before."""
        with self._lock:
            kept = self._kept((namespace, session), at)
            claimed = frozenset(memory_ids) - kept.keys()
            self._shown[namespace, session] = {**kept, **dict.fromkeys(claimed, at)}
            return claimed

    def _kept(self, place: tuple[str, str], at: datetime) -> dict[str, datetime]:
        shown = self._shown.get(place, {})
        return {memory_id: then for memory_id, then in shown.items() if at - then < SHOWN_LIFE}
