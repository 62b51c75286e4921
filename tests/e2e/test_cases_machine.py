"""Reported faults of other memories on one machine: many sessions, cold starts, odd places."""

import asyncio
import json
import os
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from tests.e2e.running_server import (
    CHECKOUT,
    omoide,
    omoide_command,
    omoide_environment,
    omoide_json,
    running_server,
)
from tests.e2e.watched import Watch

SESSIONS = 10
MODEL = CHECKOUT / "layers" / "embedding" / ".build" / "multilingual-e5-small"


def stdio(data: Path, environment: Mapping[str, str] | None = None) -> StdioServerParameters:
    """A session's own `omoide mcp`."""
    return StdioServerParameters(
        command=omoide_command(), args=["mcp"], env=omoide_environment(data, environment)
    )


def structured(result: Any) -> dict[str, Any]:
    assert not result.is_error, result.content
    return result.structured_content


def test_case_22_ten_sessions_write_at_once_and_nothing_is_lost_or_left(tmp_path: Path) -> None:
    data = tmp_path / "data"

    async def work(session: int) -> list[str]:
        async with Client(stdio(data)) as client:
            stored = [
                await client.call_tool("store_memory", {"content": f"Session {session}, note {n}."})
                for n in range(10)
            ]
        return [structured(result)["id"] for result in stored]

    async def all_sessions() -> list[list[str]]:
        return await asyncio.gather(*(work(session) for session in range(SESSIONS)))

    ids = [one for session in asyncio.run(all_sessions()) for one in session]

    listed = omoide("list", "--all", "--json", data=data)
    assert listed.returncode == 0, listed.stderr
    assert sorted(json.loads(line)["id"] for line in listed.stdout.splitlines()) == sorted(ids)
    assert len(set(ids)) == SESSIONS * 10


def broken_model(folder: Path) -> Path:
    """The default model as it describes itself, with weights that cannot be loaded."""
    folder.mkdir()
    for file in MODEL.iterdir():
        if file.name == "model.onnx":
            (folder / file.name).write_bytes(bytes(file.stat().st_size))
        else:
            shutil.copyfile(file, folder / file.name)
    os.utime(folder / "embed.json")
    return folder


def test_case_24_tools_are_listed_and_words_are_found_while_there_is_no_model(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    stored = omoide_json("store", "The lighthouse keeper is called Odd.", data=data)
    without_model = {"OMOIDE_MODEL": str(broken_model(tmp_path / "model"))}

    async def ask() -> tuple[list[str], dict[str, Any]]:
        async with Client(stdio(data, without_model)) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            found = await client.call_tool("search_memories", {"query": "lighthouse keeper"})
            return tools, structured(found)

    tools, found = asyncio.run(ask())

    assert {"store_memory", "search_memories"} <= set(tools)
    assert [result["id"] for result in found["results"]] == [stored["id"]]
    assert found["degraded"] is True


def test_case_24_the_server_without_a_model_answers_lexically_and_names_what_is_down(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    stored = omoide_json("store", "The lighthouse keeper is called Odd.", data=data)
    without_model = {"OMOIDE_MODEL": str(broken_model(tmp_path / "model"))}

    with running_server(data, environment=without_model, ready_at="/health") as server:
        ready = server.get("/health/ready")
        found = server.search("lighthouse keeper")
        got = server.get(f"/v1/memories/{stored['id']}")

    assert (ready.status_code, got.status_code) == (503, 200)
    assert "model" in ready.text
    assert found["degraded"] is True
    assert [(r["id"], r["matched"]) for r in found["results"]] == [(stored["id"], ["lexical"])]


def test_case_24_nothing_is_called_at_run_time(tmp_path: Path) -> None:
    watch = Watch(tmp_path / "watch")

    for command in (["store", "A quiet memory."], ["search", "quiet"], ["list"]):
        done = omoide(*command, data=tmp_path / "data", environment=watch.environment)
        assert done.returncode == 0, done.stderr

    assert watch.calls() == set()


def test_case_25_home_and_working_folder_may_be_unwritable_and_stay_untouched(
    tmp_path: Path,
) -> None:
    watch = Watch(tmp_path / "watch")
    data = tmp_path / "data"
    home, here, temporary = (tmp_path / name for name in ("home", "here", "tmp"))
    for folder in (home, here, temporary):
        folder.mkdir()
    for folder in (home, here):
        folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    places = {**watch.environment, "HOME": str(home), "TMPDIR": str(temporary)}

    for command in (["store", "A memory."], ["search", "memory"], ["list"], ["doctor"]):
        done = omoide(*command, data=data, environment=places, cwd=here)
        assert done.returncode == 0, done.stderr
    with running_server(data, environment=places) as server:
        server.store("Another memory.")
        server.search("another")

    inside = [path for path in watch.writes() if path.is_relative_to(data)]
    outside = [
        path
        for path in watch.writes() - set(inside)
        if not path.is_relative_to(temporary) and path != Path("/dev/null")
    ]
    assert inside
    assert outside == []
    assert [list(folder.iterdir()) for folder in (home, here, temporary)] == [[], [], []]


def test_case_25_the_data_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    omoide_json("store", "A memory.", data=tmp_path / "data")

    assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_case_25_without_any_place_to_write_the_setting_is_named(tmp_path: Path) -> None:
    nowhere = {"HOME": "/dev/null", "XDG_DATA_HOME": "/dev/null/share"}

    done = omoide("store", "A memory.", environment=nowhere, cwd=tmp_path)

    assert done.returncode != 0
    assert "OMOIDE_DATA" in done.stderr
    assert "Traceback" not in done.stderr


def test_case_25_every_folder_can_be_set_by_the_environment(tmp_path: Path) -> None:
    stored = omoide("store", "A memory.", environment={"OMOIDE_DATA": str(tmp_path / "elsewhere")})

    assert stored.returncode == 0, stored.stderr
    assert (tmp_path / "elsewhere" / "omoide.sqlite3").is_file()


@pytest.fixture(scope="module")
def other_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model whose vectors mean something else: another prefix, so another revision."""
    folder = tmp_path_factory.mktemp("models") / "other"
    shutil.copytree(MODEL, folder)
    description = folder / "embed.json"
    fields = json.loads(description.read_text(encoding="utf-8"))
    fields |= {"model_id": "other-model", "passage_prefix": "document: "}
    del fields["revision"]
    description.write_text(json.dumps(fields), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "command", [["store", "A new one."], ["search", "memory"], ["serve", "--port", "0"]]
)
def test_case_26_another_model_is_refused_with_what_to_do_and_the_data_stays(
    tmp_path: Path, other_model: Path, command: list[str]
) -> None:
    data = tmp_path / "data"
    stored = omoide_json("store", "Made with the first model.", data=data)

    refused = omoide(*command, data=data, environment={"OMOIDE_MODEL": str(other_model)})
    listed = omoide("list", "--json", data=data)

    assert refused.returncode != 0
    for word in ("multilingual-e5-small", "other-model", "OMOIDE_MODEL"):
        assert word in refused.stderr
    assert "Traceback" not in refused.stderr
    assert json.loads(listed.stdout)["id"] == stored["id"]
    assert omoide_json("search", "first model", data=data)["results"][0]["id"] == stored["id"]
