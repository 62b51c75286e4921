"""Calls of the HTTP API, made with the rights of whoever called the tool."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import anyio
import anyio.to_thread
from pydantic_core import from_json, to_json

from mcp_gateway.errors import ApiError, FieldError
from mcp_gateway.schemas import JsonObject

if TYPE_CHECKING:
    import httpx


ClientFactory = Callable[[], "httpx.Client | httpx.AsyncClient"]
"""Opens an httpx client whose ``base_url`` is the API; called once, in a worker thread."""

_log = logging.getLogger(__name__)

_NOT_SENT: Mapping[str, str] = {}


class ApiClient:
    """A lazily opened connection to the API, shared by every caller.

    Args:
        client_factory: Opens the httpx client when the first call needs it, so that a server
            answers `initialize` before anything heavy is imported. A synchronous client is used
            from worker threads, an asynchronous one from the event loop.
        default_key: Key for callers that bring no Authorization of their own.
    """

    def __init__(self, client_factory: ClientFactory, *, default_key: str | None = None) -> None:
        self._client_factory = client_factory
        self._default_key = default_key
        self._opening = anyio.Lock()
        self._client: httpx.Client | httpx.AsyncClient | None = None

    def for_caller(self, authorization: str | None) -> "Api":
        """Return the API as the owner of an Authorization header sees it.

        Args:
            authorization: The caller's own header, or None for the default key.
        """
        if authorization is None and self._default_key:
            authorization = f"Bearer {self._default_key}"
        return Api(client=self, authorization=authorization)

    async def request(
        self,
        method: str,
        path: str,
        *,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        body: bytes | None,
    ) -> "httpx.Response":
        """Send one request.

        Raises:
            ApiError: ``UNAVAILABLE`` when the API cannot be opened or reached.
        """
        import httpx

        client = await self._opened()
        try:
            request = client.build_request(
                method, path, headers=dict(headers), params=dict(query), content=body
            )
            if isinstance(client, httpx.AsyncClient):
                return await client.send(request)
            return await anyio.to_thread.run_sync(client.send, request)
        except httpx.TimeoutException as error:
            raise _unreachable(client.base_url, "did not answer in time") from error
        except httpx.TransportError as error:
            raise _unreachable(client.base_url, "cannot be reached") from error

    async def aclose(self) -> None:
        """Close the connection, if one was opened."""
        client, self._client = self._client, None
        if client is None:
            return
        import httpx

        if isinstance(client, httpx.AsyncClient):
            await client.aclose()
        else:
            await anyio.to_thread.run_sync(client.close)

    async def _opened(self) -> "httpx.Client | httpx.AsyncClient":
        async with self._opening:
            if self._client is None:
                self._client = await anyio.to_thread.run_sync(self._open)
            return self._client

    def _open(self) -> "httpx.Client | httpx.AsyncClient":
        try:
            return self._client_factory()
        except Exception as error:
            _log.exception("opening the memory failed")
            raise ApiError(
                code="UNAVAILABLE", message=f"the memory could not be opened: {error}"
            ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Api:
    """The API as one caller sees it.

    Attributes:
        client: The shared connection.
        authorization: Value of the Authorization header, None to send none.
    """

    client: ApiClient
    authorization: str | None = field(default=None, repr=False)

    async def call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, str] = _NOT_SENT,
        body: Mapping[str, object] | None = None,
        headers: Mapping[str, str] = _NOT_SENT,
    ) -> JsonObject:
        """Call an operation and return its JSON answer, empty when it has none.

        Args:
            method: Such as ``POST``.
            path: Absolute path, its variable parts percent-encoded.
            query: Query parameters.
            body: JSON body.
            headers: Further header fields.

        Raises:
            ApiError: The API refused, is not reachable, or is not an Omoide API.
        """
        sent = {"Accept": "application/json", **headers}
        if self.authorization is not None:
            sent["Authorization"] = self.authorization
        if body is not None:
            sent["Content-Type"] = "application/json"
        response = await self.client.request(
            method, path, headers=sent, query=query, body=None if body is None else to_json(body)
        )
        return _read_answer(response.status_code, response.content, response.headers)


def _read_answer(status: int, content: bytes, headers: Mapping[str, str]) -> JsonObject:
    try:
        answer: object = from_json(content) if content else {}
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise ApiError(
            code="UNAVAILABLE", message=f"the address of the API answered {status} without JSON"
        )
    answer = cast("JsonObject", answer)
    if status < 400:
        return answer
    raise _error_from(status, answer, headers)


def _error_from(status: int, answer: JsonObject, headers: Mapping[str, str]) -> ApiError:
    error = answer.get("error")
    if not isinstance(error, dict):
        return ApiError(code="UNAVAILABLE", message=f"the API answered {status} without a reason")
    error = cast("JsonObject", error)
    return ApiError(
        code=str(error.get("code", "INTERNAL")),
        message=str(error.get("message", "")),
        details=_field_errors(error.get("details")),
        retry_after_s=_whole_seconds(headers.get("retry-after")),
    )


def _field_errors(details: object) -> tuple[FieldError, ...]:
    if not isinstance(details, list):
        return ()
    found: list[FieldError] = []
    for detail in cast("list[object]", details):
        if isinstance(detail, dict):
            known = cast("JsonObject", detail)
            found.append(
                FieldError(field=str(known.get("field", "")), problem=str(known.get("problem", "")))
            )
    return tuple(found)


def _whole_seconds(value: str | None) -> int | None:
    return int(value) if value is not None and value.isdecimal() else None


def _unreachable(base_url: object, what: str) -> ApiError:
    return ApiError(
        code="UNAVAILABLE",
        message=f"the memory API at {base_url} {what}; is it running (`omoide serve`)?",
    )
