"""Long work in the background that lets the threads of requests through."""

import contextlib
import sys
import threading
from collections.abc import Generator

INTERVAL_S = 0.0005
"""How long a thread keeps the interpreter while others want it.

A write asks for the interpreter after every statement of its transaction, some ten times: at the
usual five milliseconds each it would wait fifty for nothing but its turn.
"""

_lock = threading.Lock()
_at_work = 0
_usual_s = 0.0


@contextlib.contextmanager
def giving_way() -> Generator[None]:
    """Switch threads often until the end; several may be at it, the last one restores."""
    global _at_work, _usual_s
    with _lock:
        if _at_work == 0:
            _usual_s = sys.getswitchinterval()
            sys.setswitchinterval(min(_usual_s, INTERVAL_S))
        _at_work += 1
    try:
        yield
    finally:
        with _lock:
            _at_work -= 1
            if _at_work == 0:
                sys.setswitchinterval(_usual_s)
