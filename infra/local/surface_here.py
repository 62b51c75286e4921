"""Surfaces memories of a data folder in this process, past the HTTP API.

The API's models and routes take a third of the time of a process that answers once, so a command
without a server goes straight to the service; what the API would refuse is refused all the same.
"""

import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from functions import composition
from omoide.domain.errors import OmoideError
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.services.surface_memories import SurfaceAnswer, SurfaceQuery
from omoide.settings import Settings


def surface_here(body: Mapping[str, Any], data: Path) -> SurfaceAnswer:
    """Surface memories as the principal of this machine.

    Args:
        body: Fields of a request.
        data: The data folder.

    Raises:
        OmoideError: It is refused, or the folder cannot be used.
    """
    composition.configure(Settings.load(data=data))
    threading.Thread(target=_load_model, daemon=True).start()
    try:
        return composition.surface_memories()(LOCAL_PRINCIPAL, SurfaceQuery(**body))
    finally:
        composition.close()


def _load_model() -> None:
    """Load ahead; the request itself reports what is wrong."""
    try:
        composition.embedder().count_tokens("a")
    except OmoideError:
        return
