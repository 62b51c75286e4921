"""One thread that does maintenance when asked to."""

import logging
import threading
import time
import traceback
from typing import Protocol

_CLOSE_TIMEOUT_S = 10.0
_CHECK_EVERY = 512
_MOST_UNSEEN = 4_096

logger = logging.getLogger(__name__)


class NamespaceMaintenance(Protocol):
    """What the worker runs."""

    def run(self, nid: int, *, is_crowded_out: bool = False) -> bool:
        """Do one step for a namespace; whether another may be due."""
        ...


class MaintenanceWorker:
    """Runs maintenance in the background, one namespace after the other.

    Args:
        maintenance: What it runs.
    """

    def __init__(self, maintenance: NamespaceMaintenance) -> None:
        self._maintenance = maintenance
        self.start_anew()

    def start_anew(self) -> None:
        """Begin without a thread, as a forked process must."""
        self._lock = threading.Lock()
        self._wanted: set[int] = set()
        self._crowded_out: set[int] = set()
        self._writes_unseen: dict[int, int] = {}
        self._thread: threading.Thread | None = None
        self._is_closing = False

    def written(self, nid: int, *, is_deletion: bool = False) -> None:
        """Have a look at a namespace now and then as it is written to, and at every deletion."""
        with self._lock:
            writes = self._writes_unseen.get(nid, 0) + 1
            self._writes_unseen[nid] = writes
            if len(self._writes_unseen) >= _MOST_UNSEEN:
                self._want(set(self._writes_unseen))
            elif is_deletion or writes >= _CHECK_EVERY:
                self._want({nid})

    def request(self, nid: int) -> None:
        """Look at a namespace soon."""
        with self._lock:
            self._want({nid})

    def request_file(self, nid: int) -> None:
        """Make a file of a namespace soon that there is no room to keep in memory."""
        with self._lock:
            self._crowded_out.add(nid)
            self._want({nid})

    def close(self) -> None:
        """Finish the step at hand, look once more at what was written to, and stop."""
        with self._lock:
            self._is_closing = True
            thread = self._thread
        if thread is not None:
            thread.join(_CLOSE_TIMEOUT_S)
        with self._lock:
            left = sorted(self._wanted.union(self._writes_unseen))
            self._wanted.clear()
            self._writes_unseen.clear()
        deadline = time.monotonic() + _CLOSE_TIMEOUT_S
        for nid in left:
            if time.monotonic() < deadline:
                self._look(nid)

    def _want(self, nids: set[int]) -> None:
        """The lock is held."""
        if self._is_closing:
            return
        self._wanted |= nids
        for nid in nids:
            self._writes_unseen.pop(nid, None)
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(
                target=self._work, name="omoide-maintenance", daemon=True
            )
            self._thread.start()

    def _next(self) -> int | None:
        with self._lock:
            if self._is_closing or not self._wanted:
                self._thread = None
                return None
            return self._wanted.pop()

    def _work(self) -> None:
        while (nid := self._next()) is not None:
            self._look(nid)

    def _look(self, nid: int) -> None:
        try:
            with self._lock:
                is_crowded_out = nid in self._crowded_out
                self._crowded_out.discard(nid)
            is_due = self._maintenance.run(nid, is_crowded_out=is_crowded_out)
            while is_due and not self._is_closing:
                is_due = self._maintenance.run(nid)
        except Exception as error:  # noqa: BLE001 - the next namespace must not go without
            # Not the error's own words: they may quote a memory.
            where = "".join(traceback.format_tb(error.__traceback__))
            kind = type(error).__name__
            logger.warning("maintenance of namespace %d failed: %s\n%s", nid, kind, where)
