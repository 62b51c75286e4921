"""Pages the server itself answers: documentation and metrics."""

from collections.abc import Callable, Mapping

from functions.api_docs import HTML_TYPE, JSON_TYPE, docs_page, openapi_json
from infra.local.dispatcher import Dispatcher
from infra.local.metrics import CONTENT_TYPE, metrics
from infra.local.proxy_event import LocalRequest, LocalResponse
from infra.local.refusals import refuse, refuse_failure, refuse_route
from omoide.domain.errors import ForbiddenError, OmoideError
from omoide.domain.principal import Right

Page = Callable[[Dispatcher, LocalRequest], LocalResponse]


def answer_page(page: Page, dispatcher: Dispatcher, request: LocalRequest) -> LocalResponse:
    """Answer a request for one of `PAGES`; other methods than GET are refused."""
    if request.method != "GET":
        return refuse_route(("GET",), request.request_id)
    try:
        return page(dispatcher, request)
    except OmoideError as error:
        return refuse(error, request.request_id)
    except Exception as error:  # noqa: BLE001 - the edge: what nobody foresaw is a 500
        return refuse_failure(request.path, error, request.request_id)


def _docs(dispatcher: Dispatcher, request: LocalRequest) -> LocalResponse:
    headers = [("content-type", HTML_TYPE), ("content-security-policy", "frame-ancestors 'none'")]
    return LocalResponse(200, headers, docs_page())


def _openapi(dispatcher: Dispatcher, request: LocalRequest) -> LocalResponse:
    return LocalResponse(200, [("content-type", JSON_TYPE)], openapi_json())


def _metrics(dispatcher: Dispatcher, request: LocalRequest) -> LocalResponse:
    """All workers' metrics, for those who may see all namespaces."""
    principal = dispatcher.principal_of(request.headers)
    if not any(s.right is Right.ADMIN and s.pattern == "**" for s in principal.scopes):
        raise ForbiddenError("metrics speak of every namespace: they need admin on **")
    return LocalResponse(200, [("content-type", CONTENT_TYPE)], metrics().exposition())


PAGES: Mapping[str, tuple[str, Page]] = {
    "/docs": ("docs", _docs),
    "/openapi.json": ("openapi", _openapi),
    "/metrics": ("metrics", _metrics),
}
"""Name and page by path."""
