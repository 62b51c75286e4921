"""The in-process search engine over a data folder."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

from omoide.adapters.embedded.database import (
    Connection,
    Database,
    abandon,
    translated_errors,
)
from omoide.adapters.embedded.maintenance import SMALLEST_SEGMENT, forget_segments
from omoide.adapters.embedded.namespaces import NamespaceRegistry
from omoide.adapters.embedded.view_room import ViewRoom, most_files
from omoide.adapters.embedded.views import NamespaceView
from omoide.domain.candidates import NominationRequest, Pool
from omoide.domain.errors import UnavailableError
from omoide.engine.nomination import nominate
from omoide.engine.part import LivePart
from omoide.engine.segment import UnreadableSegmentError

MEMORY_BUDGET_BYTES = 256 << 20
SEGMENT_ROWS = 2_048
_TRIES = 8
_PAUSE_S = 0.002
_ASK_EVERY_S = 3_600.0
_MOST_REMEMBERED = 10_000


class EmbeddedMemoryIndex:
    """Implements `MemoryIndex`: reads what is new, then searches exactly.

    Args:
        database: The data file.
        namespaces: The registry.
        segments: Folder of the segment files.
        revision: Revision of the embedding model.
        dims: Length of a vector.
        look_soon: Called with a namespace's number when its files may need maintenance.
        make_file: Called with the number of a namespace that does not stay in memory and had to be
            read from the records again.
        memory_budget_bytes: Private memory of all views; the least recently used go first.
        segment_rows: A tail of so many rows should become a segment.
    """

    def __init__(
        self,
        database: Database,
        namespaces: NamespaceRegistry,
        segments: Path,
        *,
        revision: str,
        dims: int,
        look_soon: Callable[[int], None],
        make_file: Callable[[int], None],
        memory_budget_bytes: int = MEMORY_BUDGET_BYTES,
        segment_rows: int = SEGMENT_ROWS,
    ) -> None:
        self._database = database
        self._namespaces = namespaces
        self._segments = segments
        self._revision = revision
        self._dims = dims
        self._look_soon = look_soon
        self._make_file = make_file
        self._room = ViewRoom(memory_bytes=memory_budget_bytes, files=most_files())
        self._segment_rows = segment_rows
        self._lock = threading.Lock()
        self._connection: Connection | None = None
        self._views: OrderedDict[str, tuple[int, NamespaceView]] = OrderedDict()
        self._crowded_out: set[str] = set()
        self._sizes: dict[str, ViewRoom] = {}
        self._held = ViewRoom()

    def start_anew(self) -> None:
        """Forget everything read so far, as a forked process must."""
        if self._connection is not None:
            abandon(self._connection)
        self._lock = threading.Lock()
        self._connection = None
        self._forget_views()

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the union of the arms, the newest and the neighbours.

        Raises:
            UnavailableError: The data folder cannot be read.
        """
        return nominate(self.parts(request.namespace), request)

    def parts(self, namespace: str) -> tuple[LivePart, ...]:
        """Everything committed in a namespace up to now; the parts do not change later."""
        with self._lock, translated_errors(self._database.path):
            if self._connection is None:
                self._connection = self._database.connect()
            # The version is read before the rows: what is committed in between is read again.
            version: int = self._connection.pragma("data_version")
            seen, view = self._views.get(namespace, (None, None))
            is_new = view is None
            if view is None:
                nid = self._namespaces.find(self._connection, namespace)
                if nid is None:
                    return ()
                view = self._new_view(nid)
            if seen != version:
                # Out of the way until it is whole: what fails half way would miss rows for ever.
                self._drop(namespace)
                view = self._refreshed(self._connection, view)
                self._views[namespace] = (version, view)
                self._keep_within_budget(namespace)
            self._views.move_to_end(namespace)
            parts = view.parts
            is_worth_a_look = self._is_worth_a_look(view)
            is_crowded_out = is_new and self._is_crowded_out(namespace, view)
        if is_crowded_out:
            self._make_file(view.nid)
        elif is_worth_a_look:
            self._look_soon(view.nid)
        return parts

    def _is_crowded_out(self, namespace: str, view: NamespaceView) -> bool:
        """Whether there was no room to keep it, and reading it again took long."""
        if namespace not in self._crowded_out or view.tail.live_count < SMALLEST_SEGMENT:
            return False
        self._crowded_out.discard(namespace)
        return True

    def _is_worth_a_look(self, view: NamespaceView) -> bool:
        """Whether the tail is long, or files hold dead rows that may have to leave them by now."""
        if view.tail.live_count >= self._segment_rows:
            return True
        now_s = time.monotonic()
        if not view.has_dead_in_files or now_s - view.asked_at_s < _ASK_EVERY_S:
            return False
        view.asked_at_s = now_s
        return True

    def close(self) -> None:
        """Close the connection and forget the views."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._forget_views()

    def _forget_views(self) -> None:
        self._views = OrderedDict()
        self._crowded_out = set()
        self._sizes = {}
        self._held = ViewRoom()

    def _drop(self, namespace: str) -> None:
        self._views.pop(namespace, None)
        self._held = self._held.less(self._sizes.pop(namespace, ViewRoom()))

    def _new_view(self, nid: int) -> NamespaceView:
        return NamespaceView(nid, self._segments, revision=self._revision, dims=self._dims)

    def _refreshed(self, connection: Connection, view: NamespaceView) -> NamespaceView:
        for tries in range(_TRIES):
            try:
                view.refresh(connection)
            except UnreadableSegmentError:
                if tries >= _TRIES // 2:
                    forget_segments(self._database, view.nid)
                    view = self._new_view(view.nid)
                time.sleep(_PAUSE_S * (tries + 1))
                continue
            if not view.is_mostly_dead:
                return view
            view = self._new_view(view.nid)
        raise UnavailableError("the segment files of this namespace cannot be read")

    def _keep_within_budget(self, namespace: str) -> None:
        """Forget the views that were longest unused; sizes are taken when views change."""
        size = self._views[namespace][1].room
        self._sizes[namespace] = size
        self._held = self._held.plus(size)
        while not self._held.is_within(self._room) and len(self._views) > 1:
            longest_unused = next(iter(self._views))
            self._drop(longest_unused)
            if len(self._crowded_out) >= _MOST_REMEMBERED:
                self._crowded_out.clear()
            self._crowded_out.add(longest_unused)
