"""The evaluation through an API stores and asks as any client would."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from functions import composition
from infra.local.dispatcher import Dispatcher
from infra.local.evaluation.deployed import DeployedApi, DeployedError, evaluate_deployed
from infra.local.evaluation.locomo import read_locomo
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeFolder
from tests.quality.test_evaluation import CONVERSATION

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def http() -> Iterator[httpx.Client]:
    """A client of the functions in this process."""
    clock = FakeClock(NOW)
    composition.configure(folder=FakeFolder(clock=clock), embedder=FakeEmbedder(), clock=clock)
    dispatcher = Dispatcher()

    def answer(request: httpx.Request) -> httpx.Response:
        headers = [("content-type", "application/json")]
        told = dispatcher.dispatch("POST", request.url.path, "", headers, request.content)
        return httpx.Response(told.status, content=told.body)

    with httpx.Client(transport=httpx.MockTransport(answer), base_url="http://api") as client:
        yield client
    composition.close()
    composition.configure()


def test_a_conversation_is_stored_and_asked_through_the_api(
    http: httpx.Client, tmp_path: Path
) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    evaluation = read_locomo(path)
    done: list[int] = []

    told = evaluate_deployed(DeployedApi(http, "evaluation/a"), evaluation, done.append)

    assert sum(done) == evaluation.memory_count + evaluation.query_count
    assert told.groups[0].count == 2
    assert told.overall.any_10 == 1.0
    assert told.group("5 adversarial").recall_10 == 1.0


def test_what_the_api_refuses_ends_the_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "locomo.json"
    path.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    transport = httpx.MockTransport(lambda request: httpx.Response(403, text="no"))

    with (
        httpx.Client(transport=transport, base_url="http://api") as client,
        pytest.raises(DeployedError, match="403"),
    ):
        evaluate_deployed(DeployedApi(client, "a"), read_locomo(path), lambda done: None)
