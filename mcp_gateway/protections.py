"""What an HTTP request must look like before the MCP server reads it.

A web page in the user's browser can reach a server on loopback; the checks of ``Host`` (against
DNS rebinding) and ``Origin`` keep it out, and only ``application/json`` is read, which a page
cannot send without asking first. Refusals have the one error shape of the HTTP API.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

MAX_BODY_BYTES = 4 * 1024 * 1024
"""Longest request body, in bytes."""

_HTTP_PORT = 80
_SINGLE = ("host", "origin", "authorization", "content-type", "content-length")

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
"""Names a request to this machine may be addressed to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a request is not served.

    Attributes:
        status: HTTP status.
        code: Code of the error shape.
        field: The header at fault.
        problem: What is wrong with it.
        header: A header field of the answer, as name and value.
    """

    status: int
    code: str
    field: str
    problem: str
    header: tuple[str, str] | None = None


TOO_LARGE = Refusal(
    status=413,
    code="PAYLOAD_TOO_LARGE",
    field="body",
    problem=f"must have at most {MAX_BODY_BYTES} bytes",
)
"""For a body over the limit, announced or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Protections:
    """The rules of one server.

    Attributes:
        hosts: Values of ``Host`` that are served, with port; None for any, where the server's
            names are not known and every caller brings a key.
        origins: Values of ``Origin`` that are served beside the server's own; a request without
            one does not come from a web page.
        needs_authorization: Whether callers must bring a key of their own.
    """

    hosts: Collection[str] | None
    origins: Collection[str]
    needs_authorization: bool = False

    @classmethod
    def for_address(
        cls,
        port: int,
        *,
        is_loopback: bool = True,
        more_hosts: Sequence[str] = (),
        more_origins: Sequence[str] = (),
    ) -> "Protections":
        """Return the rules of a server.

        Args:
            port: The port listened on.
            is_loopback: Whether only this machine can connect. If not, callers must bring a key.
            more_hosts: Further values of ``Host``, with their port where it is not the default.
            more_origins: Further values of ``Origin``.
        """
        hosts = {*(f"{name}:{port}" for name in LOOPBACK_NAMES), *more_hosts}
        if port == _HTTP_PORT:
            hosts.update(LOOPBACK_NAMES)
        is_any = not is_loopback and not more_hosts
        return cls(
            hosts=None if is_any else frozenset(host.lower() for host in hosts),
            origins=frozenset(origin.lower() for origin in more_origins),
            needs_authorization=not is_loopback,
        )

    def refusal_of(self, method: str, headers: Headers) -> Refusal | None:
        """Return why a request is refused, None when it may pass."""
        repeated = next((name for name in _SINGLE if len(headers.getlist(name)) > 1), None)
        if repeated is not None:
            return Refusal(
                status=400,
                code="MALFORMED_HEADER",
                field=repeated.title(),
                problem="is given more than once",
            )
        host = headers.get("host", "").lower()
        if self.hosts is not None and host not in self.hosts:
            return Refusal(
                status=403, code="FORBIDDEN", field="Host", problem="is not a name of this server"
            )
        origin = headers.get("origin")
        if origin is not None and not self._is_welcome(origin.lower(), host):
            return Refusal(
                status=403, code="FORBIDDEN", field="Origin", problem="is another site's"
            )
        if method == "POST":
            return self._body_refusal(headers)
        return None

    def _is_welcome(self, origin: str, host: str) -> bool:
        return origin in self.origins or origin in (f"http://{host}", f"https://{host}")

    def _body_refusal(self, headers: Headers) -> Refusal | None:
        if self.needs_authorization and not headers.get("authorization"):
            return Refusal(
                status=401,
                code="UNAUTHENTICATED",
                field="Authorization",
                problem="is missing; send Bearer and your key",
                header=("www-authenticate", "Bearer"),
            )
        if headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
            return Refusal(
                status=415,
                code="UNSUPPORTED_MEDIA_TYPE",
                field="Content-Type",
                problem="must be application/json",
            )
        length = headers.get("content-length", "")
        if length.isdecimal() and int(length) > MAX_BODY_BYTES:
            return TOO_LARGE
        return None


class GuardedApp:
    """An ASGI application behind `Protections`.

    Args:
        app: What serves the requests that pass.
        protections: The rules.
    """

    def __init__(self, app: ASGIApp, protections: Protections) -> None:
        self._app = app
        self._protections = protections

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve or refuse one request."""
        if scope["type"] == "http":
            refusal = self._protections.refusal_of(scope["method"], Headers(scope=scope))
            if refusal is not None:
                await refusal_response(refusal)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def refusal_response(refusal: Refusal) -> JSONResponse:
    """Return a refusal in the error shape of the API."""
    return JSONResponse(
        {
            "error": {
                "code": refusal.code,
                "message": f"{refusal.field} {refusal.problem}",
                "details": [{"field": refusal.field, "problem": refusal.problem}],
                "request_id": str(uuid.uuid4()),
            }
        },
        status_code=refusal.status,
        headers=dict([refusal.header]) if refusal.header else None,
    )
