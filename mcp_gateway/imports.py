"""Importing much at once, fast."""

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def importing_much() -> Generator[None]:
    """Put off garbage collection while modules are imported, then set their objects aside.

    The MCP SDK builds some hundred thousand objects that live as long as the process; looking
    through them again and again takes a sixth of the time until `initialize` is answered.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
