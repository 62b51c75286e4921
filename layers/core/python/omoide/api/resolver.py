"""Powertools' resolver with our error table, fit for several threads in one process."""

import threading
import traceback
from collections.abc import Mapping
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.exceptions import NotFoundError as RouteNotFoundError
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent
from aws_lambda_powertools.utilities.typing import LambdaContext

from omoide.api.call import ApiCall
from omoide.api.errors import InternalError, answer_error, status_of
from omoide.api.logs import logger
from omoide.api.responses import text_response
from omoide.domain.errors import NotFoundError, OmoideError


class _Request(threading.local):
    """What belongs to the request a thread is at."""

    call: ApiCall
    event: APIGatewayProxyEvent
    lambda_context: LambdaContext

    def __init__(self) -> None:
        self.context: dict[str, Any] = {}


class ApiResolver(APIGatewayRestResolver):
    """Routes the events of one function and turns errors into the one error shape.

    The base class keeps the current event in a class attribute and the path parameters in the
    instance: on Lambda one request runs at a time, here several threads share a resolver, and one
    request must never be answered with another's. So both live in the thread.
    """

    def __init__(self) -> None:
        self._request = _Request()
        self._first = threading.Lock()
        self._built: frozenset[str] = frozenset()
        super().__init__(debug=False)  # pyright: ignore[reportUnknownMemberType]
        self.exception_handler(OmoideError)(self._answer_error)
        self.exception_handler(Exception)(self._answer_unexpected)
        self.exception_handler(RouteNotFoundError)(self._answer_no_route)

    @property
    def call(self) -> ApiCall:
        """The request this thread is at."""
        return self._request.call

    @property
    def current_event(self) -> APIGatewayProxyEvent:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The event of the request this thread is at."""
        return self._request.event

    @property
    def lambda_context(self) -> LambdaContext:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The Lambda context of the request this thread is at."""
        return self._request.lambda_context

    @property
    def context(self) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The base class's notes on the request this thread is at."""
        return self._request.context

    @context.setter
    def context(self, value: dict[str, Any]) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._request.context = value

    def resolve(self, event: Mapping[str, Any], context: LambdaContext) -> dict[str, Any]:
        """Answer one proxy event.

        The base class builds the call stack of a route at its first use, without a lock: the
        first request of each method runs alone.
        """
        request_context: Mapping[str, Any] = event.get("requestContext") or {}
        request_id = request_context.get("requestId") or context.aws_request_id
        self._request.call = ApiCall(event, str(request_id))
        self._request.event = APIGatewayProxyEvent(dict(event))
        self._request.lambda_context = context
        method = str(event.get("httpMethod"))
        if method in self._built:
            return super().resolve(event, context)
        with self._first:
            answer = super().resolve(event, context)
            self._built |= {method}
            return answer

    def _answer_error(self, error: OmoideError) -> Response[str]:
        if status_of(error) is None:
            return self._answer_unexpected(error)
        call = self.call
        answer = answer_error(error, request_id=call.request_id, shape=call.shape)
        if answer.status == 503:
            logger.warning("unavailable", request_id=call.request_id, reason=str(error))
        headers = answer.headers | {"X-Request-Id": call.request_id}
        return text_response(answer.status, answer.body, headers)

    def _answer_unexpected(self, error: Exception) -> Response[str]:
        """The words of an unexpected error may quote a memory: neither told nor logged."""
        logger.error(
            "unexpected error",
            request_id=self.call.request_id,
            error_type=type(error).__name__,
            where=traceback.format_tb(error.__traceback__),
        )
        return self._answer_error(InternalError())

    def _answer_no_route(self, _: RouteNotFoundError) -> Response[str]:
        return self._answer_error(NotFoundError("There is nothing at this path."))
