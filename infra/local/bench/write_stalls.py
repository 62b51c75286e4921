"""How long a write waits: at rest, and while the index of its namespace is merged beside it."""

import threading
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from time import perf_counter

from infra.local.bench.fill import PerturbedTexts
from infra.local.bench.report import Figure, Latency, latency
from omoide.adapters.embedded import EmbeddedFolder

_AT_REST = "rest"
_WRITES = 1_000
_MERGES = 3
_FIRST_NUMBER = 20_000_000
"""Beyond those of any filled folder."""

LONGEST_WAIT_MS = 50.0
"""What no write may wait for maintenance."""


def write_stalls(
    folder: EmbeddedFolder, texts: PerturbedTexts, namespace: str
) -> tuple[list[Latency], list[Figure]]:
    """Commit memories one after the other below the model, first at rest, then while merging.

    Args:
        folder: A folder with memories.
        texts: What is written.
        namespace: The namespace that is merged, all of it into one file, again and again.
    """
    written = folder.records.count(namespace) + folder.records.count(_AT_REST)
    first = _FIRST_NUMBER + written
    rest = [_commit(folder, texts, _AT_REST, number) for number in range(first, first + _WRITES)]
    merging = threading.Thread(target=lambda: _merge(folder, namespace), name="bench-merges")
    merging.start()
    numbers = count(first + _WRITES)
    commit = partial(_commit, folder, texts, namespace)
    beside = list(_while(merging.is_alive, lambda: commit(next(numbers))))
    merging.join()
    timed = [
        latency("commit, below the model, at rest", rest),
        latency("commit, below the model, while merging", beside),
    ]
    figures = [
        Figure(name="longest commit at rest", value=max(rest), unit="ms"),
        Figure(name="longest commit while merging", value=max(beside), unit="ms"),
        Figure(name="commits while merging", value=len(beside), unit="commits"),
    ]
    return timed, figures


def _merge(folder: EmbeddedFolder, namespace: str) -> None:
    for _ in range(_MERGES):
        folder.compact(namespace)


def _while(goes_on: Callable[[], bool], call: Callable[[], float]) -> Iterator[float]:
    while goes_on():
        yield call()


def _commit(folder: EmbeddedFolder, texts: PerturbedTexts, namespace: str, number: int) -> float:
    """Milliseconds of one commit."""
    changes = texts.changes(namespace, range(number, number + 1))
    began = perf_counter()
    folder.records.commit_all(changes)
    return (perf_counter() - began) * 1000
