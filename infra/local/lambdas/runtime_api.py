"""The Lambda Runtime API (2018-06-01) for one function, and the process that polls it.

The process is a real one: Amazon's runtime client for Python, with nothing on its path but what is
deployed and what Lambda brings.
"""

import json
import os
import queue
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

PREFIX = "/2018-06-01/runtime"
INIT = "init"
EXIT_S = 20


class FunctionError(Exception):
    """The function is not in a state for what is asked of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How an invocation, or the start before it, ended.

    Attributes:
        payload: What the function returned, or the error object.
        failed: Whether it is an error.
    """

    payload: Any
    failed: bool = False


@dataclass(slots=True)
class _Desk:
    """What passes between the caller and the polling process; events are for one process."""

    events: queue.Queue[tuple[str, bytes, int] | None] = field(
        default_factory=queue.Queue[tuple[str, bytes, int] | None]
    )
    outcomes: queue.Queue[tuple[str, Outcome]] = field(
        default_factory=queue.Queue[tuple[str, Outcome]]
    )


class _Server(ThreadingHTTPServer):
    """Polls end with their processes; that is no error."""

    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing."""


class LambdaFunction:
    """One function as Lambda runs it: a process at a time, started when it is first invoked.

    Args:
        command: Starts the runtime client; the handler is appended.
        handler: Dotted path of the handler.
        environment: All variables of the process besides those Lambda sets.
        cwd: Where the code of the function is.
        timeout_s: Seconds for each invocation; then the process is killed.
        log: File that takes what the process writes.
        before_start: Runs in the child before the runtime client.
    """

    def __init__(
        self,
        command: Sequence[str],
        handler: str,
        environment: Mapping[str, str],
        *,
        cwd: Path,
        timeout_s: float,
        log: Path,
        before_start: Callable[[], None] | None = None,
    ) -> None:
        self._desk = _Desk()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self._desk))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self._command = [*command, handler]
        host, port = self._server.server_address[:2]
        self._environment = dict(environment) | {
            "AWS_LAMBDA_RUNTIME_API": f"{host!s}:{port}",
            "_HANDLER": handler,
        }
        self._cwd = cwd
        self._timeout_s = timeout_s
        self._log = log
        self._before_start = before_start
        self._process: subprocess.Popen[bytes] | None = None

    def invoke(self, event: Mapping[str, Any]) -> Outcome:
        """Hand over one event and wait for the answer, at most as long as Lambda would."""
        self._start()
        request_id = str(uuid.uuid4())
        deadline_ms = int((time.time() + self._timeout_s) * 1_000)
        self._desk.events.put((request_id, json.dumps(event).encode(), deadline_ms))
        try:
            about, outcome = self._desk.outcomes.get(timeout=self._timeout_s)
        except queue.Empty:
            self.kill()
            message = f"Task timed out after {self._timeout_s:.2f} seconds"
            return Outcome(payload={"errorMessage": message}, failed=True)
        if about not in {request_id, INIT}:
            raise FunctionError(f"the answer is to {about}, not to {request_id}")
        return outcome

    def signal(self, number: signal.Signals) -> int:
        """Send a signal to the process and wait for its end; return its exit status."""
        self._running.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait for the process to end by itself."""
        status = self._running.wait(EXIT_S)
        self._forget()
        return status

    def kill(self) -> None:
        """End the process as Lambda does after a timeout."""
        if self._process is not None:
            self._process.kill()
            self.wait()

    def close(self) -> None:
        """End everything."""
        self.kill()
        self._server.shutdown()
        self._server.server_close()

    def logged(self) -> str:
        """What the process has written."""
        return self._log.read_text(encoding="utf-8") if self._log.exists() else ""

    @property
    def resident_mb(self) -> float:
        """Resident memory of the process, in MiB."""
        status = Path(f"/proc/{self._running.pid}/status").read_text(encoding="ascii")
        (kib,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
        return int(kib) / 1024

    @property
    def _running(self) -> "subprocess.Popen[bytes]":
        if self._process is None:
            raise FunctionError("the function has not been invoked yet")
        return self._process

    def _forget(self) -> None:
        """Release the poll of a process that has ended, so that it takes no further event."""
        self._process = None
        former, self._desk.events = self._desk.events, queue.Queue()
        former.put(None)

    def _start(self) -> None:
        if self._process is not None and self._process.poll() is None:
            return
        if self._process is not None:
            self._forget()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._cwd,
                env=self._environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=self._before_start,  # noqa: PLW1509 - two system calls, no lock
            )


class _Handler(BaseHTTPRequestHandler):
    """Answers as the Runtime API does; the desk is that of one function."""

    desk: ClassVar[_Desk]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""

    def do_GET(self) -> None:
        if self.path != f"{PREFIX}/invocation/next":
            self.send_error(404)
            return
        given = self.desk.events.get()
        if given is None:
            self.close_connection = True
            return
        request_id, event, deadline_ms = given
        arn = f"arn:aws:lambda:us-east-1:123456789012:function:{os.getpid()}"
        headers = {
            "Lambda-Runtime-Aws-Request-Id": request_id,
            "Lambda-Runtime-Deadline-Ms": str(deadline_ms),
            "Lambda-Runtime-Invoked-Function-Arn": arn,
        }
        self._send(200, event, headers)

    def do_POST(self) -> None:
        body = json.loads(_body_of(self) or b"null")
        parts = self.path.removeprefix(PREFIX).strip("/").split("/")
        failed = parts[-1] == "error"
        about = INIT if parts[0] == "init" else parts[1]
        self._send(202, b'{"status":"OK"}', {})
        self.desk.outcomes.put((about, Outcome(payload=body, failed=failed)))

    def _send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


def _handler_of(desk: _Desk) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"desk": desk})


def _body_of(handler: BaseHTTPRequestHandler) -> bytes:
    if handler.headers.get("Transfer-Encoding") != "chunked":
        return handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
    body = b""
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        body += handler.rfile.read(size)
        handler.rfile.readline()
    handler.rfile.readline()
    return body
