"""Searching with the services of a desk."""

from dataclasses import replace

from omoide.domain.memory import Memory
from omoide.domain.principal import Principal
from omoide.ports.memory_records import MemoryChange
from omoide.services.limit_requests import LimitRequests
from omoide.services.scoring import InContext, score
from omoide.services.search_memories import SearchAnswer, SearchMemories
from omoide.services.search_query import SearchQuery
from tests.service.write_desk import LOCAL, WriteDesk


def search_of(desk: WriteDesk, **changes: object) -> SearchMemories:
    service = SearchMemories(
        records=desk.folder.records,
        index=desk.folder.index,
        uses=desk.folder.uses,
        embedder=desk.embedder,
        limit=LimitRequests(limiter=desk.folder.limiter),
        clock=desk.clock,
    )
    return replace(service, **changes)  # pyright: ignore[reportArgumentType]


def search(
    desk: WriteDesk, text: str, *, principal: Principal = LOCAL, **fields: object
) -> SearchAnswer:
    query = SearchQuery(query=text, **fields)  # pyright: ignore[reportArgumentType]
    return search_of(desk)(principal, query)


def found(answer: SearchAnswer) -> list[str]:
    return [result.view.memory.content for result in answer.results]


def put(desk: WriteDesk, memory: Memory) -> None:
    """Change a stored record past the services, as later operations will."""
    change = MemoryChange(
        memory=memory,
        expected_version=memory.version - 1,
        scoring=score(desk.embedder, [InContext(memory=memory)])[0],
    )
    desk.folder.records.commit(change)
