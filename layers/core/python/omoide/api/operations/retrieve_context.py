"""POST /v1/memories/retrieve: what matters as a text, in our own shape or DSE's."""

from collections.abc import Callable
from dataclasses import dataclass

from aws_lambda_powertools.event_handler import Response

from omoide.api.call import ApiCall
from omoide.api.dse import context as dse
from omoide.api.native import context_mapping as native
from omoide.api.native.context_models import RetrieveRequest
from omoide.api.responses import json_response
from omoide.api.shapes import Shape, shape_of_retrieval
from omoide.domain.principal import Principal
from omoide.services.retrieve_context import ContextAnswer, ContextQuery


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrieveCall:
    """A retrieval, and how its answer is made.

    Attributes:
        principal: Who retrieves.
        query: The retrieval.
        show: The body of the answer.
    """

    principal: Principal
    query: ContextQuery
    show: Callable[[ContextAnswer, ContextQuery], dict[str, object]]

    def answer(self, found: ContextAnswer) -> Response[str]:
        """The answer in the shape of the request."""
        return json_response(200, self.show(found, self.query))


def read(call: ApiCall) -> RetrieveCall:
    """Read the request.

    Raises:
        OmoideError: It cannot be accepted; see `omoide.api.errors`.
    """
    principal = call.principal
    body = call.read_object()
    if shape_of_retrieval(body, principal.shape) is Shape.DSE:
        asked = call.read_body(dse.DseRetrieveRequest, body, shape=Shape.DSE)
        query = dse.to_context_query(asked)
        return RetrieveCall(principal=principal, query=query, show=dse.show_context)
    request = call.read_body(RetrieveRequest, body, shape=Shape.NATIVE)
    query = native.to_context_query(request)
    return RetrieveCall(principal=principal, query=query, show=native.show_context)
