"""List the memories of a namespace, page by page."""

from dataclasses import dataclass, replace

from omoide.domain.cursor import decode_cursor, encode_cursor
from omoide.domain.errors import InvalidRequestError
from omoide.domain.limits import MAX_PAGE
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.memory_view import MemoryView
from omoide.domain.principal import Principal, Right
from omoide.ports.clock import Clock
from omoide.ports.keys import KeyStore
from omoide.ports.memory_records import MemoryRecords, PagePosition
from omoide.ports.use_log import UseLog
from omoide.services.addressing import address_namespace
from omoide.services.viewing import views_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """One page of memories, newest first.

    Attributes:
        namespace: Where they are.
        views: The memories.
        next_cursor: Continues after them; None at the end.
        total: How many satisfy the filter on all pages.
    """

    namespace: str
    views: tuple[MemoryView, ...]
    next_cursor: str | None
    total: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListMemories:
    """Lists memories. Listing is not recalling: it counts no access."""

    records: MemoryRecords
    uses: UseLog
    keys: KeyStore
    clock: Clock

    def __call__(
        self,
        principal: Principal,
        namespace: str | None,
        where: MemoryFilter,
        *,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Listing:
        """Return one page.

        Args:
            principal: The caller.
            namespace: Where to list; None means the principal's default namespace.
            where: Conditions; what has expired by now is left out.
            limit: Memories of a page, 1..200.
            cursor: ``next_cursor`` of the page before, under the same namespace and filter.

        Raises:
            InvalidRequestError: Namespace, limit or cursor is wrong.
            ForbiddenError: The principal may not read the namespace.
        """
        place = address_namespace(principal, namespace, Right.READ)
        if not 1 <= limit <= MAX_PAGE:
            raise InvalidRequestError.of("limit", f"must lie between 1 and {MAX_PAGE}")
        after = None if cursor is None else self._position(cursor, place, where)
        now = self.clock.now()
        seen = replace(where, now=now) if where.now is None else where
        page = self.records.page(place, seen, after, limit)
        return Listing(
            namespace=place,
            views=views_of(page.memories, self.uses, now),
            next_cursor=self._cursor(page.next_position, place, where),
            total=self.records.count(place, seen),
        )

    def _position(self, cursor: str, namespace: str, where: MemoryFilter) -> PagePosition:
        created_at, memory_id = decode_cursor(
            cursor, namespace=namespace, where=where, secret=self.keys.signing_secret()
        )
        return PagePosition(created_at=created_at, memory_id=memory_id)

    def _cursor(
        self, position: PagePosition | None, namespace: str, where: MemoryFilter
    ) -> str | None:
        if position is None:
            return None
        return encode_cursor(
            position.created_at,
            position.memory_id,
            namespace=namespace,
            where=where,
            secret=self.keys.signing_secret(),
        )
