"""One OpenSearch node with k-NN on this machine: built with Maven, run by Java, without Docker.

``python -m infra.local.opensearch_node FOLDER`` runs one until it is interrupted and prints its
address. A node that runs elsewhere is used instead where ``OMOIDE_OPENSEARCH_URL`` names it.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from omoide.adapters.embedded.file_lock import FileLock

URL_VARIABLE = "OMOIDE_OPENSEARCH_URL"
HOST = "127.0.0.1"
HOME_VARIABLE = "OMOIDE_OPENSEARCH_HOME"
"""The folder of the node that a command against the emulated stack may kill and start again."""

START_TIMEOUT_S = 180.0
STOP_TIMEOUT_S = 30.0
HEAP_MB = 512

_SOURCES = Path(__file__).parent / "opensearch"
_BUILD = _SOURCES / ".build"
_STAMP = _BUILD / ".stamp"
_LOCK = Path(__file__).parent / ".build" / "opensearch.lock"
_LOG = "node.log"
_PID = "node.pid"
_LOG_TAIL = 2_000
_POLL_S = 0.1


class NodeError(Exception):
    """The node cannot be built or started; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node of ours.

    Attributes:
        url: Where it answers.
        home: The folder that keeps its data and its log.
        process: The Java process.
    """

    url: str
    home: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """End it cleanly; its data stays."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


def build_node() -> None:
    """Collect the jars, unless they are there for this ``pom.xml``.

    Raises:
        NodeError: Maven is missing or cannot collect them.
    """
    with FileLock(_LOCK):
        _build_node((_SOURCES / "pom.xml").read_text(encoding="utf-8"))


def _build_node(pom: str) -> None:
    if _STAMP.is_file() and _STAMP.read_text(encoding="utf-8") == pom:
        return
    shutil.rmtree(_BUILD, ignore_errors=True)
    finished = subprocess.run(
        [_program("mvn"), "-q", "-B", "package"],
        check=False,
        cwd=_SOURCES,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if finished.returncode:
        raise NodeError(f"Maven cannot collect OpenSearch:\n{finished.stdout[-_LOG_TAIL:]}")
    _STAMP.write_text(pom, encoding="utf-8")


def start_node(home: Path, *, port: int | None = None, heap_mb: int = HEAP_MB) -> Node:
    """Start a node and wait until it answers.

    Args:
        home: Keeps its data and its log; made when it is missing.
        port: Of HTTP; a free one by default.
        heap_mb: Heap of Java.

    Raises:
        NodeError: It cannot be built or started, or does not answer in time.
    """
    build_node()
    home.mkdir(parents=True, exist_ok=True)
    free = free_ports(2)
    port = port or free[0]
    command = [
        _program("java"),
        f"-Xms{heap_mb}m",
        f"-Xmx{heap_mb}m",
        "-XX:+UseSerialGC",
        "-cp",
        f"{_BUILD / 'lib'}/*:{_BUILD / 'knn'}/*",
        str(_SOURCES / "SearchNode.java"),
        str(home),
        str(port),
        str(free[1]),
    ]
    with (home / _LOG).open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT
        )
    (home / _PID).write_text(str(process.pid), encoding="ascii")
    node = Node(url=f"http://{HOST}:{port}", home=home, process=process)
    try:
        _wait(node)
    except BaseException:
        node.kill()
        raise
    return node


def end_node(home: Path, number: signal.Signals) -> None:
    """Send a signal to the node of a folder, whoever started it, and wait until it is gone.

    Raises:
        NodeError: It goes on nevertheless.
    """
    pid = _pid_of(home)
    if pid is None:
        return
    os.kill(pid, number)
    deadline = time.monotonic() + STOP_TIMEOUT_S
    while _pid_of(home) is not None:
        if time.monotonic() > deadline:
            raise NodeError(f"OpenSearch, process {pid}, goes on after {number.name}")
        time.sleep(_POLL_S)


@contextmanager
def running_node(home: Path) -> Generator[str, None, None]:
    """The address of the node that the environment names, or of one that runs meanwhile.

    Who knows its folder may kill it and start it again there: the last one is stopped.
    """
    given = os.environ.get(URL_VARIABLE, "")
    with ExitStack() as stack:
        if not given:
            node = start_node(home)
            stack.callback(node.stop)
            stack.callback(end_node, home, signal.SIGTERM)
            given = node.url
        yield given.rstrip("/")


def _pid_of(home: Path) -> int | None:
    """The process of a folder's node; None when it has ended, waited for or not."""
    noted = home / _PID
    if not noted.exists():
        return None
    pid = noted.read_text(encoding="ascii")
    told = subprocess.run(
        ["ps", "-ww", "-o", "stat=,args=", "-p", pid], capture_output=True, text=True, check=False
    ).stdout.strip()
    return int(pid) if str(home) in told and not told.startswith("Z") else None


def _wait(node: Node) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _answers(node.url):
        if node.process.poll() is not None:
            raise NodeError(f"OpenSearch ended while starting:\n{_end_of_log(node)}")
        if time.monotonic() > deadline:
            raise NodeError(f"OpenSearch does not answer:\n{_end_of_log(node)}")
        time.sleep(_POLL_S)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_cluster/health", timeout=5) as answer:  # noqa: S310
            return json.load(answer)["status"] in {"green", "yellow"}
    except (urllib.error.URLError, OSError, ValueError):
        return False


def _end_of_log(node: Node) -> str:
    log = node.home / _LOG
    return log.read_text(encoding="utf-8", errors="replace")[-_LOG_TAIL:]


def _program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise NodeError(
            f"OpenSearch needs {name}: install Java 17 or later and Maven, or name a node that "
            f"runs with {URL_VARIABLE}"
        )
    return found


def free_ports(count: int) -> list[int]:
    """Ports of the loopback interface that nobody listens on."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((HOST, 0))
        ports: list[int] = [each.getsockname()[1] for each in sockets]
    return ports


def main() -> None:
    """Run a node until it is interrupted."""
    node = start_node(Path(sys.argv[1]))

    def stop(number: int, frame: FrameType | None) -> None:
        node.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    sys.stdout.write(f"{node.url}\n")
    sys.stdout.flush()
    node.process.wait()


if __name__ == "__main__":
    main()
