"""What this process has wired, and how to wire it anew."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from functions.wiring import DataFolder, Wiring
from omoide.ports.clock import Clock, Entropy
from omoide.ports.embedder import Embedder
from omoide.settings import Settings

_T = TypeVar("_T")


_wiring = Wiring()


def once(make: Callable[[], _T]) -> Callable[[], _T]:
    """Make a part when it is first asked for, once per configuration."""

    @wraps(make)
    def part() -> _T:
        return _wiring.once(make.__name__, make)

    return part


def configure(
    settings: Settings | None = None,
    *,
    folder: DataFolder | None = None,
    embedder: Embedder | None = None,
    clock: Clock | None = None,
    entropy: Entropy | None = None,
) -> None:
    """Wire this process anew; what was open before is closed.

    Args:
        settings: None reads the environment when something is first needed.
        folder: Keeps the memories instead of the folder of the settings.
        embedder: Encodes instead of the model of the settings.
        clock: Tells the time instead of this machine.
        entropy: Gives randomness instead of this machine.
    """
    global _wiring
    former = _wiring
    _wiring = Wiring(settings, folder=folder, embedder=embedder, clock=clock, entropy=entropy)
    former.close()


def close() -> None:
    """Release files and threads; the next use opens them again."""
    _wiring.close()


def settings() -> Settings:
    """The settings of this process."""
    return _wiring.settings


def is_given(name: str) -> bool:
    """Whether `configure` was given this part."""
    return _wiring.is_given(name)
