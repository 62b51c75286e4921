"""GET /v1/memories: one page of the memories of a namespace, newest first."""

from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.memex.mapping import namespace_of
from omoide.api.native import to_answers
from omoide.api.native.query_models import ListQuery
from omoide.api.responses import json_response
from omoide.domain.memory import Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.principal import Principal
from omoide.services.list_memories import Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class ListCall:
    """A page to be read.

    Attributes:
        principal: Who reads it.
        namespace: Where; None means the default one.
        where: The conditions.
        limit: Memories of a page.
        cursor: Where it begins.
    """

    principal: Principal
    namespace: str | None
    where: MemoryFilter
    limit: int
    cursor: str | None

    def answer(self, listing: Listing) -> Response[str]:
        """The page."""
        return json_response(200, to_answers.show_listing(listing))


def read(call: ApiCall) -> ListCall:
    """Read the request. Agent and user without a namespace mean theirs, as everywhere.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    query = call.read_query(ListQuery)
    namespace = query.namespace
    if namespace is None and query.agent_id is not None and query.user_id is not None:
        namespace = namespace_of(query.agent_id, query.user_id)
    return ListCall(
        principal=principal,
        namespace=namespace,
        where=_conditions(query),
        limit=query.limit,
        cursor=query.cursor,
    )


def _conditions(query: ListQuery) -> MemoryFilter:
    return MemoryFilter(
        memory_types=tuple(query.memory_type),
        tags_all=tuple(query.tag),
        statuses=tuple(query.status) or (Status.ACTIVE,),
        session_id=query.session_id,
        agent_id=query.agent_id,
        user_id=query.user_id,
        speaker=query.speaker,
        layer=query.layer,
        pinned=query.pinned,
        importance_min=query.importance_min,
        confidence_min=query.confidence_min,
        event_after=query.event_after,
        event_before=query.event_before,
    )
