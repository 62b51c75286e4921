"""Reported faults of other memories that inject context: repeats, floods, hooks in the way."""

import json
import os
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.running_server import (
    RunningServer,
    omoide,
    omoide_command,
    omoide_environment,
    omoide_json,
)

PLAN = "I am planning to buy a birthday present for my sister Mika next week, any ideas?"
FACTS = (
    "My sister Mika collects Japanese teapots and loves oolong tea.",
    "Mika's birthday is on the 12th of June; she turns forty.",
    "Last year I gave my sister Mika a scarf for her birthday, which she never wears.",
    "My sister Mika is allergic to lilies, so no flowers.",
    "Mika wants to learn pottery this summer.",
    "My sister Mika lives in Leeds and has no room for big things.",
    "For her birthday Mika would like a ticket to the ballet.",
    "The harbour crane was painted grey.",
)
NAMESPACE = "team/family"


@pytest.fixture(scope="module")
def told(server: RunningServer) -> RunningServer:
    """A server that knows some facts."""
    for fact in FACTS:
        server.store(fact, namespace=NAMESPACE)
    return server


def run_hook(given: str, data: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [omoide_command(), "hook", "--namespace", NAMESPACE, *arguments],
        input=given,
        env=omoide_environment(data),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def prompt(text: str, session: str) -> str:
    event = {"hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": text}
    return json.dumps(event)


def test_case_45_a_session_is_told_nothing_twice_and_never_too_much(told: RunningServer) -> None:
    seen: list[str] = []
    for _ in range(6):
        answer = told.post(
            "/v1/memories/surface",
            {"context": PLAN, "session_id": "s1", "namespace": NAMESPACE, "token_budget": 120},
        ).json()
        assert answer["total_tokens"] <= 120
        seen += [item["id"] for item in answer["items"]]

    assert seen
    assert len(seen) == len(set(seen))


def test_case_45_the_hook_adds_what_comes_to_mind_once(told: RunningServer) -> None:
    first = run_hook(prompt(PLAN, "s2"), told.data)
    again = run_hook(prompt(PLAN, "s2"), told.data)
    talk = run_hook(prompt("ok, thanks!", "s3"), told.data)

    assert (first.returncode, again.returncode, talk.returncode) == (0, 0, 0)
    output = json.loads(first.stdout)["hookSpecificOutput"]
    assert output["hookEventName"] == "UserPromptSubmit"
    assert "Mika" in output["additionalContext"]
    shown = {fact for fact in FACTS if fact in output["additionalContext"]}
    assert shown
    assert not [fact for fact in shown if fact in again.stdout]
    assert (talk.stdout, first.stderr, talk.stderr) == ("", "", "")


@pytest.mark.parametrize("given", ["", "no json", "[]", "{}", '{"prompt": 1}', "\ud800"])
def test_case_45_a_hook_that_is_given_nonsense_says_nothing(
    told: RunningServer, given: str
) -> None:
    answered = run_hook(given.encode("utf-8", "replace").decode(), told.data)

    assert (answered.returncode, answered.stdout, answered.stderr) == (0, "", "")


def test_case_45_a_hook_without_a_usable_folder_says_nothing(tmp_path: Path) -> None:
    data = tmp_path / "file"
    data.write_text("no folder", encoding="utf-8")

    answered = run_hook(prompt(PLAN, "s"), data)

    assert (answered.returncode, answered.stdout, answered.stderr) == (0, "", "")


def test_case_45_a_hook_whose_server_hangs_ends_by_itself(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        note = {"host": "127.0.0.1", "port": silent.getsockname()[1], "pid": os.getpid()}
        (data / "serving.json").write_text(json.dumps(note), encoding="utf-8")

        answered = run_hook(prompt(PLAN, "s"), data)

    assert (answered.returncode, answered.stdout, answered.stderr) == (0, "", "")


def test_a_command_finds_the_server_of_its_folder_and_does_without_one(tmp_path: Path) -> None:
    data = tmp_path / "data"
    for fact in FACTS[:3]:
        omoide("store", fact, data=data)

    cold = omoide("surface", "--session", "a", PLAN, data=data)
    as_json: Any = omoide_json("surface", "--session", "b", PLAN, data=data)
    nothing = omoide("surface", "--session", "a", "ok, thanks!", data=data)

    assert cold.returncode == 0, cold.stderr
    assert "Mika" in cold.stdout
    assert as_json["items"] and as_json["reminders"] == []
    assert (nothing.returncode, nothing.stdout) == (0, "")


def test_the_note_of_a_server_is_there_while_it_serves(told: RunningServer) -> None:
    note = json.loads((told.data / "serving.json").read_text(encoding="utf-8"))

    assert told.base_url.endswith(f":{note['port']}")
    surfaced = omoide("surface", "-s", "quick", "-n", NAMESPACE, PLAN, data=told.data)
    assert surfaced.returncode == 0, surfaced.stderr
    assert "Mika" in surfaced.stdout


def test_case_34_no_threshold_keeps_a_context_empty(told: RunningServer) -> None:
    body = {"query": "quantum chromodynamics", "namespace": NAMESPACE}

    context = told.post("/v1/memories/retrieve", body).json()

    assert context["items"]
    assert context["low_confidence"] in {True, False}


def test_a_retrieved_text_stays_within_its_budget_and_is_the_same_again(
    told: RunningServer,
) -> None:
    for budget in (100, 150, 400, 4_000):
        for stage in ("fast", "precision", "deep"):
            body = {
                "query": "what does Mika like",
                "namespace": NAMESPACE,
                "token_budget": budget,
                "cascade_stage": stage,
            }
            told.post("/v1/memories/retrieve", body)
            first, again = (told.post("/v1/memories/retrieve", body).json() for _ in range(2))
            assert 0 < first["total_tokens"] <= budget
            assert first["items"]
            assert [i["id"] for i in first["items"]] == [i["id"] for i in again["items"]]


def test_a_command_prints_what_matters(told: RunningServer) -> None:
    printed = omoide(
        "retrieve", "-n", NAMESPACE, "-b", "300", "what does Mika like", data=told.data
    )
    answered: Any = omoide_json("retrieve", "-n", NAMESPACE, "Mika's birthday", data=told.data)

    assert printed.returncode == 0, printed.stderr
    assert printed.stdout.startswith("<memories-")
    assert answered["token_budget"] == 4_000
