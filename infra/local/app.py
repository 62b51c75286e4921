"""The ASGI application: guards, runs a function in a thread, counts, logs."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import cast

from functions.manifest import API_FUNCTIONS, Grant
from infra.local.access_log import Access, log_access
from infra.local.body import ClientGoneError, Receive, read_body
from infra.local.dispatcher import Dispatcher
from infra.local.guard import Guard, body_limit, require_single
from infra.local.metrics import metrics
from infra.local.outcomes import count_outcome
from infra.local.pages import PAGES, answer_page
from infra.local.proxy_event import LocalRequest, LocalResponse
from infra.local.refusals import refuse, refuse_failure
from infra.local.routes import Match, NoMatch
from omoide.domain.errors import OmoideError

Scope = MutableMapping[str, object]
Send = Callable[[MutableMapping[str, object]], Awaitable[None]]
StartUp = Callable[[], None]

_ALWAYS = (("x-content-type-options", "nosniff"), ("cache-control", "no-store"))
_OURS = frozenset({"content-length", "x-request-id"})
WRITERS = frozenset(
    function.name
    for function in API_FUNCTIONS
    if function.needs_embedding and Grant.WRITE_RECORDS in function.grants
)
"""They may embed long texts: also the turns that follow a changed or deleted one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalApp:
    """The server's application.

    Attributes:
        dispatcher: Runs the functions.
        guard: Refuses what a web page or a stranger sends.
        pool: Threads the functions run in.
        writers: Threads of those that may embed long texts, so that nothing else waits for them.
        start: Called once before the first request.
        stop: Called once after the last.
    """

    dispatcher: Dispatcher
    guard: Guard
    pool: ThreadPoolExecutor
    writers: ThreadPoolExecutor
    start: StartUp
    stop: StartUp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection scope."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            await self._serve(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1000})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        try:
            self.start()
        except Exception as error:  # noqa: BLE001 - reported to the server, which then exits
            await send({"type": "lifespan.startup.failed", "message": str(error)})
            return
        await send({"type": "lifespan.startup.complete"})
        await receive()
        self.pool.shutdown()
        self.writers.shutdown()
        self.stop()
        await send({"type": "lifespan.shutdown.complete"})

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        began = time.perf_counter()
        method = cast("str", scope["method"])
        path = cast("bytes", scope["raw_path"]).partition(b"?")[0].decode("ascii", "replace")
        asked = "GET" if method == "HEAD" else method
        match = self.dispatcher.find(asked, path)
        request_id = str(uuid.uuid4())
        headers = [
            (name.decode("latin-1"), value.decode("latin-1"))
            for name, value in cast("list[tuple[bytes, bytes]]", scope["headers"])
        ]
        request = LocalRequest(
            method=asked,
            path=path,
            query=cast("bytes", scope["query_string"]).decode("utf-8", "surrogateescape"),
            headers=headers,
            body=b"",
            request_id=request_id,
        )
        try:
            response = await self._respond(request, match, receive)
        except ClientGoneError:
            return
        except Exception as error:  # noqa: BLE001 - the edge: what nobody foresaw is a 500
            response = refuse_failure("a request", error, request_id)
        await _send(send, response, request_id, has_body=method != "HEAD")
        _account(request, match, response, time.perf_counter() - began)

    async def _respond(
        self, request: LocalRequest, match: Match | NoMatch, receive: Receive
    ) -> LocalResponse:
        by_name = dict(request.headers)
        declared = _content_length(by_name)
        has_body = bool(declared) or "transfer-encoding" in by_name
        try:
            require_single(request.headers)
            self.guard.check(by_name, has_body=has_body)
            if has_body:
                operation = match.function.name if isinstance(match, Match) else ""
                limit = body_limit(operation, by_name)
                body = await read_body(receive, limit=limit, declared=declared)
                request = replace(request, body=body)
        except OmoideError as error:
            return refuse(error, request.request_id)
        loop = asyncio.get_running_loop()
        if request.path in PAGES:
            _, page = PAGES[request.path]
            return await loop.run_in_executor(
                self.pool, answer_page, page, self.dispatcher, request
            )
        is_writer = isinstance(match, Match) and match.function.name in WRITERS
        pool = self.writers if is_writer else self.pool
        return await loop.run_in_executor(pool, self.dispatcher.answer, request, match)


def _content_length(headers: dict[str, str]) -> int | None:
    text = headers.get("content-length", "")
    return int(text) if text.isdecimal() else None


async def _send(send: Send, response: LocalResponse, request_id: str, *, has_body: bool) -> None:
    """Send a response; the one to HEAD is that to GET without its body (RFC 9110, 9.3.2)."""
    fields = [*response.headers, *_ALWAYS]
    headers = [
        (lower.encode("latin-1"), value.encode("latin-1"))
        for lower, value in ((name.lower(), value) for name, value in fields)
        if lower not in _OURS
    ]
    headers.append((b"x-request-id", request_id.encode("ascii")))
    if response.status != 204:
        headers.append((b"content-length", str(len(response.body)).encode("ascii")))
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    await send({"type": "http.response.body", "body": response.body if has_body else b""})


def _account(
    request: LocalRequest, match: Match | NoMatch, response: LocalResponse, took_s: float
) -> None:
    if isinstance(match, Match):
        operation, route = match.function.name, match.path
    elif request.path in PAGES:
        operation, route = PAGES[request.path][0], request.path
    else:
        operation, route = "none", "(no such path)"
    counters = metrics()
    counters.requests.labels(operation, str(response.status)).inc()
    counters.request_seconds.labels(operation).observe(took_s)
    count_outcome(counters, operation, response)
    log_access(
        Access(
            method=request.method,
            route=route,
            operation=operation,
            status=response.status,
            took_ms=took_s * 1000,
            sent_bytes=len(response.body),
            request_id=request.request_id,
        )
    )
