"""Watches what a process opens for writing and whom it calls, with Python's audit hooks."""

import json
from pathlib import Path

_HOOK = """
import json, os, sys, threading

_report = os.open(os.environ["WATCH_REPORT"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_TRUNC
_PATHS = {"os.mkdir": 0, "os.rename": 1, "os.remove": 0, "os.rmdir": 0, "os.link": 1,
          "os.symlink": 1, "os.truncate": 0, "os.chmod": 0}
_CALLS = {"socket.connect": 1, "socket.getaddrinfo": 0, "socket.sendto": 1}

def _watch(event, arguments):
    if event == "open":
        path, _, flags = arguments
        if isinstance(path, (str, bytes)) and flags & _WRITING:
            _tell("write", os.path.abspath(os.fsdecode(path)))
    elif event in _PATHS:
        path = arguments[_PATHS[event]]
        if isinstance(path, (str, bytes)):
            _tell("write", os.path.abspath(os.fsdecode(path)))
    elif event in _CALLS:
        _tell("call", str(arguments[_CALLS[event]]))

def _tell(kind, what):
    os.write(_report, (json.dumps([kind, what]) + "\\n").encode())

sys.addaudithook(_watch)
"""


class Watch:
    """A folder whose hook reports; give its ``environment`` to the process to be watched."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(_HOOK, encoding="utf-8")
        self._report = folder / "report.jsonl"
        self._report.touch()
        self.environment = {
            "PYTHONPATH": str(folder),
            "WATCH_REPORT": str(self._report),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def writes(self) -> set[Path]:
        """What was opened for writing, made, moved or removed."""
        return {Path(what) for kind, what in self._lines() if kind == "write"}

    def calls(self) -> set[str]:
        """Addresses that were looked up, connected or sent to."""
        return {what for kind, what in self._lines() if kind == "call"}

    def _lines(self) -> list[tuple[str, str]]:
        text = self._report.read_text(encoding="utf-8")
        return [(str(kind), str(what)) for kind, what in map(json.loads, text.splitlines())]
