"""The functions of the manifest behind an httpx client, without a socket."""

from collections.abc import Iterable

import httpx

from functions.manifest import API_FUNCTIONS, ApiFunction
from infra.local.dispatcher import Dispatcher
from infra.local.proxy_event import HeaderList, LocalResponse


class InProcessTransport(httpx.BaseTransport):
    """An httpx transport whose server is this process; see `infra.local.dispatcher.Dispatcher`.

    ``httpx.Client(transport=InProcessTransport(), base_url="http://omoide.local")`` speaks to the
    same handlers a deployed API has. Safe to share between threads.

    Args:
        require_key: Whether a request without a key is refused.
        functions: Rows of the manifest to route by.
    """

    def __init__(
        self, *, require_key: bool = False, functions: Iterable[ApiFunction] = API_FUNCTIONS
    ) -> None:
        self._dispatcher = Dispatcher(require_key=require_key, functions=functions)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer a request of an httpx client."""
        status, headers, body = self.dispatch(
            request.method,
            request.url.raw_path.decode("ascii").partition("?")[0],
            request.url.query.decode("ascii"),
            list(request.headers.multi_items()),
            request.read(),
        )
        return httpx.Response(status, headers=headers, content=body, request=request)

    def dispatch(
        self, method: str, path: str, query: str, headers: HeaderList, body: bytes
    ) -> LocalResponse:
        """Answer a request; see `infra.local.dispatcher.Dispatcher.dispatch`."""
        return self._dispatcher.dispatch(method, path, query, headers, body)
