"""Building and starting a node, with stand-ins for Maven and Java that do as they are told."""

import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from infra.local import opensearch_node
from infra.local.opensearch_node import (
    NodeError,
    build_node,
    end_node,
    running_node,
    start_node,
)

SERVER = """
import http.server, sys

class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"status": "green"}')

    def log_request(self, *_): ...

http.server.HTTPServer(("127.0.0.1", int(sys.argv[-2])), Health).serve_forever()
"""


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder programs are looked for in; nothing is built yet."""
    sources = tmp_path / "sources"
    sources.mkdir()
    (sources / "pom.xml").write_text("<project/>", encoding="utf-8")
    monkeypatch.setattr(opensearch_node, "_SOURCES", sources)
    monkeypatch.setattr(opensearch_node, "_BUILD", sources / ".build")
    monkeypatch.setattr(opensearch_node, "_STAMP", sources / ".build" / ".stamp")
    monkeypatch.delenv(opensearch_node.URL_VARIABLE, raising=False)
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{only(tmp_path, 'ps')}")
    return folder


def only(folder: Path, name: str) -> Path:
    """A folder with this program of the machine alone."""
    found = shutil.which(name)
    assert found is not None
    alone = folder / name
    alone.mkdir()
    (alone / name).symlink_to(found)
    return alone


def add_program(folder: Path, name: str, code: str) -> None:
    program = folder / name
    program.write_text(f"#!{sys.executable}\n{code}", encoding="utf-8")
    program.chmod(0o755)


def add_maven(folder: Path) -> None:
    add_program(
        folder,
        "mvn",
        "import pathlib\n"
        "pathlib.Path('.build').mkdir()\n"
        "with open('../runs', 'a') as runs: runs.write('x')\n",
    )


def test_what_is_missing_is_named(programs: Path, tmp_path: Path) -> None:
    with pytest.raises(NodeError, match=r"mvn.*Java 17.*OMOIDE_OPENSEARCH_URL"):
        start_node(tmp_path / "home")
    add_maven(programs)
    with pytest.raises(NodeError, match="needs java"):
        start_node(tmp_path / "home")


def test_a_failed_build_shows_what_maven_said(programs: Path) -> None:
    add_program(programs, "mvn", "print('no such artifact'); raise SystemExit(1)")

    with pytest.raises(NodeError, match="no such artifact"):
        build_node()


def test_it_is_built_once_and_again_for_another_pom(programs: Path, tmp_path: Path) -> None:
    add_maven(programs)
    for _ in range(2):
        build_node()
    (tmp_path / "sources" / "pom.xml").write_text("<project>2</project>", encoding="utf-8")
    build_node()

    assert (tmp_path / "runs").read_text(encoding="utf-8") == "xx"


def test_a_node_that_ends_while_starting_shows_its_log(programs: Path, tmp_path: Path) -> None:
    add_maven(programs)
    add_program(programs, "java", "print('wrong heap'); raise SystemExit(1)")

    with pytest.raises(NodeError, match="wrong heap"):
        start_node(tmp_path / "home")


def test_a_node_answers_until_it_is_stopped(programs: Path, tmp_path: Path) -> None:
    add_maven(programs)
    add_program(programs, "java", SERVER)

    node = start_node(tmp_path / "home")
    running = node.process.poll()
    node.stop()
    node.stop()

    assert node.url.startswith("http://127.0.0.1:")
    assert running is None
    assert node.process.poll() is not None


def test_a_node_can_be_killed(programs: Path, tmp_path: Path) -> None:
    add_maven(programs)
    add_program(programs, "java", SERVER)

    node = start_node(tmp_path / "home")
    node.kill()

    assert node.process.poll() == -9


def test_a_node_may_be_killed_and_started_again_while_it_is_lent(
    programs: Path, tmp_path: Path
) -> None:
    add_maven(programs)
    add_program(programs, "java", SERVER)
    home = tmp_path / "home"

    with running_node(home) as url:
        end_node(home, signal.SIGKILL)
        again = start_node(home, port=int(url.rpartition(":")[2]))

    assert again.url == url
    assert again.process.wait(10) == -signal.SIGTERM
    end_node(home, signal.SIGKILL)


def test_a_node_that_runs_elsewhere_is_used(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(opensearch_node.URL_VARIABLE, "http://127.0.0.1:9200/")

    with running_node(tmp_path / "home") as url:
        assert url == "http://127.0.0.1:9200"
    assert not (tmp_path / "home").exists()
