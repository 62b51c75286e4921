"""The examples do what they say."""

import subprocess
import sys

from tests.e2e.running_server import CHECKOUT, RunningServer


def run(server: RunningServer, example: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, str(CHECKOUT / "examples" / example), server.base_url],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_conversation_is_remembered_in_both_languages(server: RunningServer) -> None:
    lines = run(server, "remember_conversation.py")

    answers = dict(zip(lines[::2], lines[1::2], strict=True))
    assert "airsick" in answers["Why does Ben prefer the train?"]
    assert "pork" in answers["ベンさんが食べないものは？"]
    assert "ねぶた" in answers["ユキさんは青森で何を見たい？"]


def test_a_retry_stores_once_and_an_old_version_changes_nothing(server: RunningServer) -> None:
    stored, again, changed, refused = run(server, "retry_safely.py")

    assert stored == "stored 201 created"
    assert again == "again 201 the same memory: True"
    assert changed == "changed 200"
    assert "409" in refused


def test_every_example_is_in_the_list_and_tested() -> None:
    examples = {path.name for path in (CHECKOUT / "examples").glob("*.py")}
    told = (CHECKOUT / "examples" / "README.md").read_text(encoding="utf-8")

    assert examples == {"remember_conversation.py", "retry_safely.py"}
    assert all(f"]({name})" in told for name in examples)
