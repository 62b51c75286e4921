"""The stdio gateway as a process: protocol on stdout and nothing else, whatever comes in."""

import json
import subprocess
import sys
import threading

import httpx
import pytest
from mcp import Client, StdioServerParameters

from tests.gateway.calls import succeed
from tests.gateway.fake_api import FakeApi
from tests.gateway.processes import (
    GATEWAY,
    INITIALIZE,
    INITIALIZED,
    LIST_TOOLS,
    TIMEOUT_S,
    call_message,
    encoded,
    gateway_environment,
    run_stdio,
    stdio_process,
)
from tests.gateway.served_api import served

pytestmark = pytest.mark.integration


@pytest.mark.anyio
async def test_the_sdks_client_stores_and_recalls(anyio_backend: str) -> None:
    with served(FakeApi(key="omo_k")) as url:
        command, *arguments = [*GATEWAY, "--transport", "stdio", "--url", url]
        environment = {**gateway_environment(), "OMOIDE_KEY": "omo_k"}
        parameters = StdioServerParameters(command=command, args=arguments, env=environment)
        async with Client(parameters) as client:
            receipt, _ = await succeed(client, "store_memory", content="Anna likes 抹茶")
            answer, text = await succeed(client, "search_memories", query="anna")

    assert [found["id"] for found in answer["results"]] == [receipt["id"]]
    assert "Anna likes 抹茶" in text


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_both_generations_of_the_protocol_are_spoken(mode: str, anyio_backend: str) -> None:
    command, *arguments = [*GATEWAY, "--transport", "stdio"]
    parameters = StdioServerParameters(command=command, args=arguments, env=gateway_environment())

    async with Client(parameters, mode=mode) as client:
        listed = await client.list_tools()

    assert listed.tools[0].name == "store_memory"


def test_calls_in_flight_are_answered_when_stdin_closes_at_once() -> None:
    api = FakeApi()
    with served(api) as url:
        calls = [call_message(10 + n, "store_memory", content=f"note {n}") for n in range(20)]
        done = run_stdio(INITIALIZE, INITIALIZED, *calls, url=url)

    assert done.status == 0
    assert done.stderr == ""
    for n in range(20):
        result = done.answer(10 + n)["result"]
        stored = api.memories[result["structuredContent"]["id"]]
        assert stored["content"] == f"note {n}"


def test_stdin_closed_before_a_word_ends_the_process_quietly() -> None:
    done = run_stdio()

    assert (done.status, done.answers, done.stderr) == (0, [], "")


def test_lines_that_are_no_messages_are_answered_and_the_next_is_served() -> None:
    done = run_stdio(
        INITIALIZE,
        INITIALIZED,
        b"this is not json",
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "\xff\xfe"}}',
        b'{"jsonrpc": "2.0", "id": "s", "method": "ping", "params": {"x": "\\ud800"}}',
        b'{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": {"x": NaN}}',
        b'{"id": 9, "method": "ping"}',
        b"[]",
        b"",
        LIST_TOOLS,
    )

    codes = {one["id"]: one["error"]["code"] for one in done.answers if one.get("error")}
    assert done.status == 0
    assert codes == {7: -32700, "s": -32700, 8: -32700, 9: -32600, None: -32600}
    assert [one["error"]["code"] for one in done.answers if one.get("id", 0) is None] == [
        -32700,
        -32600,
    ]
    assert done.answer(2)["result"]["tools"]


def test_a_message_over_the_limit_is_refused_and_the_next_is_served() -> None:
    huge = encoded(call_message(3, "store_memory", content="x" * 5_000_000)).rstrip()

    done = run_stdio(INITIALIZE, INITIALIZED, huge, LIST_TOOLS)

    assert "4194304 bytes" in done.answer(None)["error"]["message"]
    assert done.answer(2)["result"]["tools"]


def test_a_large_argument_below_the_limit_is_the_apis_to_judge() -> None:
    api = FakeApi()
    with served(api) as url:
        huge = call_message(3, "store_memory", content="あ" * 500_000)
        done = run_stdio(INITIALIZE, INITIALIZED, huge, url=url)

    result = done.answer(3)["result"]
    assert result["isError"]
    assert result["content"][0]["text"].startswith("PAYLOAD_TOO_LARGE: ")
    assert api.memories == {}


def test_unknown_methods_and_early_calls_are_refused_without_harm() -> None:
    done = run_stdio(
        {"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "x"}},
        {"jsonrpc": "2.0", "id": 6, "method": "no/such/method"},
        INITIALIZE,
        INITIALIZED,
        LIST_TOOLS,
    )

    assert done.answer(5)["error"]
    assert done.answer(6)["error"]["code"] == -32601
    assert done.answer(2)["result"]["tools"]


def test_nothing_that_was_said_is_logged() -> None:
    done = run_stdio(
        INITIALIZE,
        INITIALIZED,
        call_message(3, "store_memory", content="my private words"),
        call_message(4, "store_memory", content=["my private words"]),
        b'{"jsonrpc": "2.0", "id": 5, "method": "private words"',
        {"jsonrpc": "2.0", "method": "notifications/private words", "params": {"a": "private"}},
        flags=["--key", "omo_secret"],
    )

    assert done.status == 0
    assert "private" not in done.stderr
    assert "omo_secret" not in done.stderr


def test_a_client_that_stops_reading_ends_the_process() -> None:
    with stdio_process("--url", "http://127.0.0.1:9") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(encoded(INITIALIZE))
        process.stdin.flush()
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(encoded(INITIALIZED, LIST_TOOLS))
        process.stdin.flush()

        assert process.wait(TIMEOUT_S) == 0
        assert process.stderr is not None
        assert b"Traceback" not in process.stderr.read()


def test_a_slow_call_does_not_hold_up_others() -> None:
    asked, go_on = threading.Event(), threading.Event()

    class SlowApi(FakeApi):
        def answer(self, request: httpx.Request) -> httpx.Response:
            if request.url.path.endswith("/search"):
                asked.set()
                go_on.wait(TIMEOUT_S)
            return super().answer(request)

    with (
        served(SlowApi()) as url,
        stdio_process("--url", url) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(encoded(INITIALIZE, INITIALIZED))
        process.stdin.write(encoded(call_message(3, "search_memories", query="x")))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 1
        assert asked.wait(TIMEOUT_S)
        process.stdin.write(encoded(call_message(4, "count_memories")))
        process.stdin.flush()

        first = json.loads(process.stdout.readline())
        go_on.set()
        second = json.loads(process.stdout.readline())
        process.stdin.close()

        assert (first["id"], second["id"]) == (4, 3)
        assert process.wait(TIMEOUT_S) == 0


def test_stdout_of_other_code_does_not_reach_the_protocol() -> None:
    program = (
        "import httpx\n"
        "from mcp_gateway.stdio import run_stdio\n"
        "def connect():\n"
        "    print('stray words', flush=True)\n"
        "    print('late words')\n"
        "    return httpx.AsyncClient(base_url='http://127.0.0.1:9')\n"
        "run_stdio(connect)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        input=encoded(INITIALIZE, INITIALIZED, call_message(3, "count_memories")),
        env=gateway_environment(),
        capture_output=True,
        timeout=TIMEOUT_S,
        check=True,
    )

    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [1, 3]
    assert b"stray words" in done.stderr
    assert b"late words" in done.stderr
