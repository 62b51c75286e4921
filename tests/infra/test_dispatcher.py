"""Requests reach their function, and every failure is told in the one error shape."""

import asyncio
import json
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any, NoReturn

import pytest

from functions import composition
from infra.local import pages
from infra.local.app import WRITERS, LocalApp
from infra.local.dispatcher import Dispatcher
from infra.local.guard import Guard
from infra.local.pages import answer_page
from infra.local.proxy_event import LocalRequest, LocalResponse
from infra.local.server import warm_up
from omoide.adapters.absent.embedder import AbsentEmbedder
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeFolder
from omoide.ports.embedder import Embedder, QueryEncoding

SECRET = "MY PRIVATE FOLDER"
BEARER = [("authorization", "Bearer omo_x")]


@pytest.fixture
def configure() -> Iterator[Callable[[Embedder], None]]:
    def run(embedder: Embedder) -> None:
        clock = FakeClock()
        composition.configure(folder=FakeFolder(clock=clock), embedder=embedder, clock=clock)

    yield run
    composition.close()


@pytest.fixture
def dispatcher(configure: Callable[[Embedder], None]) -> Dispatcher:
    configure(FakeEmbedder())
    return Dispatcher()


def error_of(response: LocalResponse) -> dict[str, Any]:
    return json.loads(response.body)["error"]


def out_of_files() -> NoReturn:
    raise OSError(24, "Too many open files", SECRET.lower())


def test_a_failure_before_the_handler_is_an_internal_error_like_any_other(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setattr(composition, "authenticate_key", out_of_files)

    response = dispatcher.dispatch("GET", "/v1/memories", "", BEARER, b"")

    assert response.status == 500
    assert error_of(response)["code"] == "INTERNAL"
    assert "list_memories failed: OSError" in caplog.text
    assert SECRET.lower() not in caplog.text + response.body.decode()


def test_a_failure_of_a_page_is_an_internal_error_like_any_other(
    dispatcher: Dispatcher, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(composition, "authenticate_key", out_of_files)
    request = LocalRequest(
        method="GET", path="/metrics", query="", headers=BEARER, body=b"", request_id="r-1"
    )

    response = answer_page(pages.PAGES["/metrics"][1], dispatcher, request)

    assert response.status == 500
    assert error_of(response)["request_id"] == "r-1"


@pytest.mark.parametrize(
    ("path", "query", "field"),
    [
        ("/v1/memories/count", "namespace=%FF", "namespace"),
        ("/v1/memories/count", "namespace=a%C3", "namespace"),
        ("/v1/memories/count", "namespace=%ED%A0%80", "namespace"),
        ("/v1/memories/count", "namespace=a&%FF=1", "query"),
        ("/v1/memories", "cursor=%80", "cursor"),
        ("/v1/memories/%FF", "", "memory_id"),
    ],
)
def test_a_parameter_that_is_not_utf8_is_refused_by_name(
    dispatcher: Dispatcher, path: str, query: str, field: str
):
    response = dispatcher.dispatch("GET", path, query, [], b"")

    assert response.status == 422
    assert [detail["field"] for detail in error_of(response)["details"]] == [field]


def test_parameters_in_utf8_are_taken_encoded_or_not(dispatcher: Dispatcher):
    for query in ("namespace=%E5%AE%B6", "namespace=家"):
        response = dispatcher.dispatch("GET", "/v1/memories/count", query, [], b"")

        assert json.loads(response.body) == {"namespace": "家", "count": 0}


def test_a_failure_of_the_server_itself_is_an_internal_error_like_any_other(
    dispatcher: Dispatcher,
):
    pool = ThreadPoolExecutor(max_workers=1)
    pool.shutdown()

    status, body = ask(app_of(dispatcher, pool=pool, writers=pool), b"/v1/memories")

    assert status == 500
    assert json.loads(body)["error"]["code"] == "INTERNAL"


def test_other_requests_do_not_wait_for_long_texts_being_stored(dispatcher: Dispatcher):
    with ThreadPoolExecutor(max_workers=1) as pool, ThreadPoolExecutor(max_workers=1) as writers:
        is_stored = Event()
        writers.submit(is_stored.wait)

        status, _ = ask(app_of(dispatcher, pool=pool, writers=writers), b"/health")

        is_stored.set()
    assert status == 200


def test_head_is_answered_as_get_without_the_body(dispatcher: Dispatcher):
    with ThreadPoolExecutor(max_workers=1) as pool:
        app = app_of(dispatcher, pool=pool, writers=pool)
        answers = [ask(app, path, "HEAD") for path in (b"/health", b"/v1/memories", b"/docs")]
        missing = ask(app, b"/v1/memories/search", "HEAD")

    assert answers == [(200, b"")] * 3
    assert missing == (405, b"")


def test_a_request_with_two_hosts_is_refused(dispatcher: Dispatcher):
    hosts = [(b"host", b"127.0.0.1:8000"), (b"host", b"evil.example")]
    with ThreadPoolExecutor(max_workers=1) as pool:
        app = app_of(dispatcher, pool=pool, writers=pool)
        status, body = ask(app, b"/health", headers=hosts)

    assert status == 400
    assert json.loads(body)["error"]["details"][0]["field"] == "Host"


def test_a_request_with_two_idempotency_keys_is_refused(dispatcher: Dispatcher):
    headers = [("content-type", "application/json")]
    headers += [("idempotency-key", "a"), ("Idempotency-Key", "b")]
    response = dispatcher.dispatch("POST", "/v1/memories", "", headers, b'{"content": "x"}')

    assert response.status == 400
    error = json.loads(response.body)["error"]
    assert (error["code"], error["details"][0]["field"]) == ("MALFORMED_HEADER", "Idempotency-Key")


def test_what_may_embed_long_texts_has_threads_of_its_own():
    assert {"store_memory", "store_memories", "update_memory", "delete_memory"} <= WRITERS
    assert not {"search_memories", "get_memory", "get_readiness"} & WRITERS


def app_of(
    dispatcher: Dispatcher, *, pool: ThreadPoolExecutor, writers: ThreadPoolExecutor
) -> LocalApp:
    return LocalApp(
        dispatcher=dispatcher,
        guard=Guard(port=8000, is_loopback=True),
        pool=pool,
        writers=writers,
        start=composition.close,
        stop=composition.close,
    )


def ask(
    app: LocalApp,
    path: bytes,
    method: str = "GET",
    headers: Sequence[tuple[bytes, bytes]] = ((b"host", b"127.0.0.1:8000"),),
) -> tuple[object, bytes]:
    sent: list[MutableMapping[str, object]] = []

    async def send(message: MutableMapping[str, object]) -> None:
        sent.append(message)

    async def receive() -> MutableMapping[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope: MutableMapping[str, object] = {
        "type": "http",
        "method": method,
        "raw_path": path,
        "query_string": b"",
        "headers": list(headers),
    }
    asyncio.run(app(scope, receive, send))

    body = sent[1]["body"]
    assert isinstance(body, bytes)
    return sent[0]["status"], body


class BrokenEmbedder(FakeEmbedder):
    """A model whose runtime fails."""

    def embed_query(self, text: str) -> QueryEncoding:
        raise RuntimeError(text)


class CountingDispatcher(Dispatcher):
    """Tells how often its handlers were loaded ahead."""

    preloads = 0

    def preload(self) -> None:
        self.preloads += 1


@pytest.mark.parametrize("embedder", [AbsentEmbedder("no folder"), BrokenEmbedder()])
def test_handlers_are_loaded_ahead_also_when_the_model_cannot_be(
    configure: Callable[[Embedder], None],
    embedder: Embedder,
    caplog: pytest.LogCaptureFixture,
):
    configure(embedder)
    dispatcher = CountingDispatcher()

    warm_up(dispatcher)

    assert dispatcher.preloads == 1
    assert "embedding model" in caplog.text
