"""Asks the server of a data folder to surface memories, and imports next to nothing for it.

A hook runs a process for every prompt: with a server running it must cost little more than Python's
own start. So this neither parses options of every kind nor knows the product, speaks HTTP by itself
(importing ``http.client`` or ``dataclasses`` takes longer than the call), and leaves whatever it
does not understand, or the server refuses, to the command itself.
"""

import json
import os
import socket
import sys
from pathlib import Path

from infra.local.plain_text import plain
from infra.local.serving import find_server

PATH = "/v1/memories/surface"
_FIELDS = {
    "-s": "session_id",
    "--session": "session_id",
    "-n": "namespace",
    "--namespace": "namespace",
    "-b": "token_budget",
    "--budget": "token_budget",
    "--valence": "current_valence",
    "--timezone": "timezone",
}
_NUMBERS = {"token_budget": int, "current_valence": float}
_OTHER_SERVER = "OMOIDE_URL"
_CHUNK = 65_536
_DONE = b"HTTP/1.1 200 "


class QuickCall:
    """A call as it was typed.

    Attributes:
        body: Of the request.
        data: Data folder; None means the setting.
        as_json: Whether to print the answer as it is.
    """

    __slots__ = ("as_json", "body", "data")

    def __init__(self) -> None:
        self.body: dict[str, object] = {}
        self.data: str | None = None
        self.as_json = False


def run(arguments: list[str]) -> bool:
    """Print what comes to mind; False when the command itself has to do it.

    Args:
        arguments: Those after ``surface``.
    """
    call = read_call(arguments)
    if call is None or os.environ.get(_OTHER_SERVER):
        return False
    data = data_folder(call.data)
    answer = ask(call.body, data, timeout_s=30.0)
    if answer is None:
        return not call.as_json and _run_here(call.body, data)
    if call.as_json:
        sys.stdout.write(json.dumps(answer, ensure_ascii=False, indent=2) + "\n")
    else:
        _print(str(answer["text"]), is_degraded=bool(answer["degraded"]))
    return True


def _run_here(body: dict[str, object], data: Path) -> bool:
    """Print what comes to mind without a server; False where the command has to tell why not."""
    if os.environ.get("OMOIDE_KEY"):
        return False
    from infra.local.surface_here import OmoideError, surface_here

    try:
        answer = surface_here(body, data)
    except OmoideError:
        return False
    _print(answer.text, is_degraded=answer.degraded)
    return True


def _print(text: str, *, is_degraded: bool) -> None:
    if text:
        sys.stdout.write(plain(text) + "\n")
    if is_degraded:
        sys.stderr.write("degraded: not everything could be searched\n")


def read_call(arguments: list[str]) -> QuickCall | None:
    """What was typed; None when there is anything else in it."""
    call = QuickCall()
    left = iter(arguments)
    for argument in left:
        name, has_value, value = argument.partition("=")
        if argument == "--json":
            call.as_json = True
        elif name == "--data" or name in _FIELDS:
            given = value if has_value else next(left, None)
            if given is None or not _take(call, name, given):
                return None
        elif (argument.startswith("-") and argument != "-") or "context" in call.body:
            return None
        else:
            call.body["context"] = argument
    if call.body.get("context") == "-":
        return None
    return call if {"context", "session_id"} <= call.body.keys() else None


def _take(call: QuickCall, name: str, given: str) -> bool:
    if name == "--data":
        call.data = given
        return True
    target = _FIELDS[name]
    try:
        call.body[target] = _NUMBERS.get(target, str)(given)
    except ValueError:
        return False
    return True


def data_folder(given: str | None) -> Path:
    """The data folder of a call, as the settings have it."""
    named = given or os.environ.get("OMOIDE_DATA")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("omoide")


def ask(body: dict[str, object], data: Path, *, timeout_s: float) -> dict[str, object] | None:
    """The answer of the server of a data folder; None without one that answers as it should."""
    server = find_server(data)
    if server is None:
        return None
    try:
        with socket.create_connection(server, timeout=timeout_s) as connection:
            connection.sendall(_request(server, body))
            received = b"".join(iter(lambda: connection.recv(_CHUNK), b""))
        head, _, content = received.partition(b"\r\n\r\n")
        answer: dict[str, object] = json.loads(content) if head.startswith(_DONE) else {}
        return answer if {"text", "degraded"} <= answer.keys() else None
    except (OSError, ValueError, AttributeError):
        return None


def _request(server: tuple[str, int], body: dict[str, object]) -> bytes:
    host = f"[{server[0]}]" if ":" in server[0] else server[0]
    content = json.dumps(body).encode("ascii")
    lines = [
        f"POST {PATH} HTTP/1.1",
        f"Host: {host}:{server[1]}",
        "Content-Type: application/json",
        f"Content-Length: {len(content)}",
        "Connection: close",
    ]
    key = os.environ.get("OMOIDE_KEY", "").strip()
    if key.isascii() and key.isprintable() and key:
        lines.append(f"Authorization: Bearer {key}")
    return "\r\n".join([*lines, "", ""]).encode("ascii") + content
