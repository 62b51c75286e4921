"""Run the functions of the manifest in this process, as API Gateway would."""

import importlib
import threading
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import quote

from functions import composition
from functions.manifest import API_FUNCTIONS, ApiFunction
from infra.local.proxy_event import (
    Event,
    HeaderList,
    LocalRequest,
    LocalResponse,
    build_event,
    read_result,
)
from infra.local.refusals import refuse, refuse_failure, refuse_route
from infra.local.routes import Match, NoMatch, RouteTable
from omoide.api.principals import to_authorizer
from omoide.domain.errors import OmoideError, UnauthenticatedError
from omoide.domain.principal import LOCAL_PRINCIPAL, Principal

Handler = Callable[[Event, object], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalContext:
    """The Lambda context of a local call."""

    function_name: str
    memory_limit_in_mb: int
    aws_request_id: str
    function_version: str = "$LATEST"
    invoked_function_arn: str = "arn:aws:lambda:local:000000000000:function:local"
    log_group_name: str = "local"
    log_stream_name: str = "local"
    client_context: None = None
    identity: None = None
    remaining_ms: int = 30_000

    def get_remaining_time_in_millis(self) -> int:
        """Milliseconds a Lambda would still have."""
        return self.remaining_ms


class Dispatcher:
    """Requests go to the handlers of the manifest, without a socket.

    Handlers are imported when their route is first used, so a process that needs one operation
    loads one. Safe to call from several threads.

    Args:
        require_key: Whether a request without a key is refused; otherwise it is made by the
            local principal, admin on every namespace. A key that is given is always checked.
        functions: Rows of the manifest to route by.
    """

    def __init__(
        self, *, require_key: bool = False, functions: Iterable[ApiFunction] = API_FUNCTIONS
    ) -> None:
        self._require_key = require_key
        self._functions = tuple(functions)
        self._routes = RouteTable(self._functions)
        self._handlers = _Handlers()

    def dispatch(
        self, method: str, path: str, query: str, headers: HeaderList, body: bytes
    ) -> LocalResponse:
        """Answer a request.

        Args:
            method: Such as ``POST``.
            path: With or without percent-encoding.
            query: The query string without ``?``.
            headers: Header fields; names in any case.
            body: The bytes of the body.
        """
        encoded = path if path.isascii() else quote(path)
        request = LocalRequest(
            method=method.upper(),
            path=encoded,
            query=query,
            headers=headers,
            body=body,
            request_id=str(uuid.uuid4()),
        )
        return self.answer(request, self.find(request.method, encoded))

    def find(self, method: str, path: str) -> Match | NoMatch:
        """Return the function that owns a percent-encoded path."""
        return self._routes.find(method, path)

    def answer(self, request: LocalRequest, match: Match | NoMatch) -> LocalResponse:
        """Answer a request whose function was looked up with `find`."""
        if isinstance(match, NoMatch):
            return refuse_route(match.allowed, request.request_id)
        try:
            return self._run(request, match)
        except OmoideError as error:
            return refuse(error, request.request_id)
        except Exception as error:  # noqa: BLE001 - the edge: what nobody foresaw is a 500
            return refuse_failure(match.function.name, error, request.request_id)

    def preload(self) -> None:
        """Import every handler, so that no request waits for an import."""
        for function in self._functions:
            self._handlers.load(function)

    def principal_of(self, headers: HeaderList) -> Principal:
        """Return who makes a request.

        Raises:
            UnauthenticatedError: A bad key, or none where one is required.
        """
        given = [value for name, value in headers if name.lower() == "authorization"]
        if not given:
            if self._require_key:
                raise UnauthenticatedError("a key is needed: Authorization: Bearer omo_...")
            return LOCAL_PRINCIPAL
        scheme, _, token = given[-1].partition(" ")
        if scheme.lower() != "bearer":
            raise UnauthenticatedError("the Authorization header must be: Bearer omo_...")
        return composition.authenticate_key()(token.strip())

    def _run(self, request: LocalRequest, match: Match) -> LocalResponse:
        function = match.function
        principal = None if function.is_public else self.principal_of(request.headers)
        event = build_event(request, match, to_authorizer(principal) if principal else None)
        context = LocalContext(
            function_name=function.name,
            memory_limit_in_mb=function.memory_mb,
            aws_request_id=request.request_id,
        )
        return read_result(self._handlers.load(function)(event, context))


@dataclass(slots=True)
class _Handlers:
    """Handlers by function, imported once."""

    loaded: dict[str, Handler] = field(default_factory=dict[str, Handler])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def load(self, function: ApiFunction) -> Handler:
        handler = self.loaded.get(function.name)
        if handler is None:
            with self.lock:
                module, _, name = function.handler.rpartition(".")
                handler = cast("Handler", getattr(importlib.import_module(module), name))
                self.loaded[function.name] = handler
        return handler
