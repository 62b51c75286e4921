"""What a run of the benchmark is told, and how it tells how far it is."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

Advanced = Callable[[int], None]
Progress = Callable[[str, int], AbstractContextManager[Advanced]]
"""Shows a step of the run: its label and length; gives what to call as it goes on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchOptions:
    """What to measure.

    Attributes:
        folder: Folder for everything the run stores; a run over many namespaces goes on with what
            an earlier one stored.
        sizes: Numbers of memories, ascending.
        evaluation: Folder with LoCoMo conversations to take texts from; None takes the project's.
        with_load: Whether to run the load profile.
        load_s: Seconds of each run of it.
    """

    folder: Path
    sizes: Sequence[int]
    evaluation: Path | None
    with_load: bool
    load_s: int
