"""The note a server leaves in its data folder, by which a command on this machine finds it.

It holds where the server listens and the id of its process. The folder is its owner's alone, so
nobody else can leave a note there; a note of a process that is gone counts for nothing.
"""

import json
import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

FILE = "serving.json"
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - read, not bound


@contextmanager
def serving_note(data: Path, host: str, port: int) -> Generator[None]:
    """Leave a note while a server runs. A folder that cannot be written goes without."""
    bare = host.strip("[]")
    note = {"host": _ANY.get(bare, bare), "port": port, "pid": os.getpid()}
    path, own = data / FILE, json.dumps(note)
    draft = data / f"{FILE}.{os.getpid()}"
    with suppress(OSError):
        draft.touch(mode=0o600)
        draft.write_text(own, encoding="utf-8")
        draft.replace(path)
    try:
        yield
    finally:
        with suppress(OSError):
            if path.read_text(encoding="utf-8") == own:
                path.unlink()


def find_server(data: Path) -> tuple[str, int] | None:
    """Address and port of the server of a data folder, if a process that left a note lives."""
    try:
        note = json.loads((data / FILE).read_text(encoding="utf-8"))
        host, port, pid = str(note["host"]), int(note["port"]), int(note["pid"])
        if os.name == "posix":
            os.kill(pid, 0)
    except (OSError, ValueError, KeyError, TypeError, OverflowError):
        return None
    return host, port
