"""POST /v1/memories/search: find memories, in our own shape or memex's."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.memex import mapping as memex
from omoide.api.memex.models import MemexSearchRequest
from omoide.api.native import to_answers, to_commands
from omoide.api.native.search_models import SearchRequest
from omoide.api.responses import json_response
from omoide.api.shapes import Shape, shape_of_search
from omoide.domain.principal import Principal
from omoide.services.search_memories import SearchAnswer
from omoide.services.search_query import SearchQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchCall:
    """A search, and how its answer is made.

    Attributes:
        principal: Who searches.
        query: The search.
        show: The body of the answer.
    """

    principal: Principal
    query: SearchQuery
    show: Callable[[SearchAnswer], dict[str, object]]

    def answer(self, found: SearchAnswer) -> Response[str]:
        """The answer in the shape of the request."""
        return json_response(200, self.show(found))


def read(call: ApiCall) -> SearchCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    body = call.read_object()
    if shape_of_search(body) is Shape.MEMEX:
        asked = call.read_body(MemexSearchRequest, body, shape=Shape.MEMEX)
        return SearchCall(
            principal=replace(principal, limited_agent=asked.agent_id),
            query=memex.to_query(asked),
            show=lambda found: memex.show_search(found, asked),
        )
    request = call.read_body(SearchRequest, body, shape=Shape.NATIVE)
    return SearchCall(
        principal=principal,
        query=to_commands.to_query(request),
        show=lambda found: to_answers.show_search(found, request.query),
    )
