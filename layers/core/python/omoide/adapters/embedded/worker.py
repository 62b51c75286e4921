"""One thread that does maintenance when asked to."""

import logging
import threading

from omoide.adapters.embedded.maintenance import Maintenance
from omoide.domain.errors import OmoideError
from omoide.engine.segment import UnreadableSegmentError

_CLOSE_TIMEOUT_S = 10.0
_CHECK_EVERY = 512

logger = logging.getLogger(__name__)


class MaintenanceWorker:
    """Runs maintenance in the background, one namespace after the other.

    Args:
        maintenance: What it runs.
    """

    def __init__(self, maintenance: Maintenance) -> None:
        self._maintenance = maintenance
        self.start_anew()

    def start_anew(self) -> None:
        """Begin without a thread, as a forked process must."""
        self._lock = threading.Lock()
        self._wanted: set[int] = set()
        self._thread: threading.Thread | None = None
        self._is_closing = False

    def written(self, nid: int, vid: int) -> None:
        """Have a look at a namespace now and then as it is written to."""
        if vid % _CHECK_EVERY == 0:
            self.request(nid)

    def request(self, nid: int) -> None:
        """Look at a namespace soon."""
        with self._lock:
            if self._is_closing:
                return
            self._wanted.add(nid)
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._work, name="omoide-maintenance", daemon=True
                )
                self._thread.start()

    def close(self) -> None:
        """Finish the step at hand and stop."""
        with self._lock:
            self._is_closing = True
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_TIMEOUT_S)

    def _next(self) -> int | None:
        with self._lock:
            if self._is_closing or not self._wanted:
                self._thread = None
                return None
            return self._wanted.pop()

    def _work(self) -> None:
        while (nid := self._next()) is not None:
            try:
                while self._maintenance.run(nid) and not self._is_closing:
                    continue
            except (OmoideError, OSError, UnreadableSegmentError):
                logger.warning("maintenance of namespace %d failed", nid, exc_info=True)
