"""Retrieving context with the services of a desk."""

from dataclasses import replace

from omoide.domain.principal import Principal
from omoide.services.limit_requests import LimitRequests
from omoide.services.retrieve_context import ContextAnswer, ContextQuery, RetrieveContext
from tests.service.searching import search_of
from tests.service.write_desk import LOCAL, WriteDesk


def retrieve_of(desk: WriteDesk, **changes: object) -> RetrieveContext:
    service = RetrieveContext(
        search=search_of(desk),
        embedder=desk.embedder,
        uses=desk.folder.uses,
        keys=desk.folder.keys,
        limit=LimitRequests(limiter=desk.folder.limiter),
        clock=desk.clock,
    )
    return replace(service, **changes)  # pyright: ignore[reportArgumentType]


def retrieve(
    desk: WriteDesk, text: str, *, principal: Principal = LOCAL, **fields: object
) -> ContextAnswer:
    query = ContextQuery(query=text, **fields)  # pyright: ignore[reportArgumentType]
    return retrieve_of(desk)(principal, query)


def shown_in(answer: ContextAnswer) -> list[str]:
    return [item.shown.text for item in answer.items]
