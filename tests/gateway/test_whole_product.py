"""MCP over the whole product: real processes, the real model, one data folder."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters

from tests.e2e.running_server import RunningServer, running_server
from tests.gateway.calls import fail, succeed
from tests.gateway.processes import (
    INITIALIZE,
    INITIALIZED,
    call_message,
    gateway_environment,
    http_gateway,
    run_stdio,
)

pytestmark = [pytest.mark.e2e, pytest.mark.anyio]

OMOIDE = str(Path(sys.executable).with_name("omoide"))
SESSIONS = 5
NOTES = 4


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("mcp") / "data"


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[RunningServer]:
    with running_server(data) as running:
        yield running


def omoide_mcp(data: Path) -> StdioServerParameters:
    return StdioServerParameters(
        command=OMOIDE, args=["mcp", "--data", str(data)], env=gateway_environment()
    )


async def test_a_japanese_question_finds_what_another_process_stored(
    data: Path, server: RunningServer
) -> None:
    async with Client(omoide_mcp(data)) as client:
        receipt, _ = await succeed(
            client, "store_memory", content="田中さんは甲殻類アレルギーです。"
        )
        await succeed(client, "store_memory", content="Bo plays the cello on Sundays.")

    found = server.search("会食のお店選びで気をつけることは?")

    assert found["results"][0]["id"] == receipt["id"]
    with http_gateway(server.base_url) as base_url:
        async with Client(f"{base_url}/mcp") as client:
            answer, text = await succeed(
                client, "search_memories", query="Which instrument does Bo play?"
            )
    assert answer["results"][0]["content"] == "Bo plays the cello on Sundays."
    assert "cello" in text


async def test_several_clients_write_at_once_into_one_folder(tmp_path: Path) -> None:
    async def agent(number: int) -> list[str]:
        async with Client(omoide_mcp(tmp_path)) as client:
            calls = [
                succeed(client, "store_memory", content=f"Agent {number} saw sign {note}.")
                for note in range(NOTES)
            ]
            return [receipt["id"] for receipt, _ in await asyncio.gather(*calls)]

    ids = await asyncio.gather(*(agent(number) for number in range(SESSIONS)))
    async with Client(omoide_mcp(tmp_path)) as client:
        counted, _ = await succeed(client, "count_memories")

    assert len({one for batch in ids for one in batch}) == SESSIONS * NOTES
    assert counted["count"] == SESSIONS * NOTES


def test_a_first_call_is_answered_although_stdin_closed_at_once(tmp_path: Path) -> None:
    done = run_stdio(
        INITIALIZE,
        INITIALIZED,
        call_message(3, "store_memory", content="Anna likes tea."),
        command=[OMOIDE, "mcp", "--data", str(tmp_path)],
    )

    assert done.status == 0, done.stderr
    assert done.answer(3)["result"]["structuredContent"]["outcome"] == "created"
    assert "Anna" not in done.stderr


async def test_a_text_over_the_limit_is_refused_and_nothing_is_stored(tmp_path: Path) -> None:
    async with Client(omoide_mcp(tmp_path)) as client:
        text = await fail(client, "store_memory", content="語" * 32_769)
        counted, _ = await succeed(client, "count_memories")

    assert text.startswith("PAYLOAD_TOO_LARGE: ")
    assert "content: " in text
    assert counted["count"] == 0


async def test_a_client_of_memex_finds_its_memories_over_http_too(server: RunningServer) -> None:
    who = {"agent_id": "a-1", "user_id": "u-1"}
    with http_gateway(server.base_url, "--toolsets", "compat-memex") as base_url:
        async with Client(f"{base_url}/mcp/") as client:
            _, stored = await succeed(
                client, "store_memory", **who, content="The user prefers concise responses."
            )
            _, found = await succeed(
                client, "search_memories", **who, query="communication preferences"
            )

    memory_id = stored.split()[2]
    assert f"id={memory_id}\n   The user prefers concise responses." in found
    answer = server.post("/v1/memories/search", {**who, "query": "communication preferences"})
    assert [one["id"] for one in answer.json()["results"]] == [memory_id]
