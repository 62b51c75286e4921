"""Running many chunks through a model: on every core, short ones of like length together.

A run of a single thread is bound by arithmetic once a chunk has some thirty tokens, so longer
chunks gain nothing from company; shorter ones cost a sixth less when eight of them share a run.
Most of the gain comes from the other cores.
"""

import os
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

TOGETHER_TOKENS: Final = 32
"""Chunks of at most so many tokens share runs."""

LARGEST_BATCH: Final = 8
"""Chunks in one run."""

MOST_PADDING: Final = 1
"""Tokens by which chunks of one run may differ."""

_MOST_WORKERS: Final = 8
_TOLERANCE: Final = 1e-3
"""By so much, as a share, may a chunk's states differ in company before they are called mixed:
rounding alone gives 1e-7, a model that scales the activations of a whole batch 1e-2."""


class Run(NamedTuple):
    """What the model gives for one chunk.

    Attributes:
        vector: ``(dims,)`` float32, L2-normalised.
        states: ``(n, dims)`` float32 raw token vectors; None for a model without them.
    """

    vector: NDArray[np.float32]
    states: NDArray[np.float32] | None


class BatchModel(Protocol):
    """A model that runs one or several chunks."""

    def run_all(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
        """Run chunks together, ``(n,)`` piece numbers each."""
        ...


class BatchRunner:
    """Runs chunks in good company and on several threads; safe to share.

    A model whose chunks change in company, or that takes no more than one, is found out at the
    first batch, and once more at the first with padding; it gets one at a time from then on.

    Args:
        model: The model.
        workers: Runs at a time.
    """

    def __init__(self, model: BatchModel, *, workers: int) -> None:
        self._model = model
        self._workers = workers
        self._keeps_apart: dict[bool, bool] = {}

    def run(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
        """Run every chunk; results in the order given."""
        groups = self._groups(inputs)
        done: Iterable[list[Run]]
        if self._workers == 1 or len(groups) <= 1:
            done = [self._run_group([inputs[i] for i in group]) for group in groups]
        else:
            workers = min(self._workers, len(groups))
            with ThreadPoolExecutor(workers, thread_name_prefix="embedding") as pool:
                done = list(
                    pool.map(self._run_group, [[inputs[i] for i in group] for group in groups])
                )
        found = dict(zip(chain(*groups), chain(*done), strict=True))
        return [found[i] for i in range(len(inputs))]

    def _groups(self, inputs: Sequence[NDArray[np.int64]]) -> list[list[int]]:
        """Places of the chunks of each run, the longest runs first so that no core waits long."""
        largest = min(LARGEST_BATCH, -(-len(inputs) // self._workers))
        groups: list[list[int]] = []
        for place in sorted(range(len(inputs)), key=lambda i: len(inputs[i]), reverse=True):
            length = len(inputs[place])
            group = groups[-1] if groups else []
            if (
                group
                and len(inputs[group[0]]) <= TOGETHER_TOKENS
                and len(inputs[group[0]]) - length <= MOST_PADDING
                and len(group) < largest
            ):
                group.append(place)
            else:
                groups.append([place])
        return sorted(groups, key=lambda g: len(g) * len(inputs[g[0]]), reverse=True)

    def _run_group(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
        if len(inputs) == 1:
            return self._model.run_all(inputs)
        is_padded = len({len(one) for one in inputs}) > 1
        keeps_apart = self._keeps_apart.get(is_padded)
        if keeps_apart:
            return self._model.run_all(inputs)
        alone = self._one_by_one(inputs)
        if keeps_apart is None:
            self._keeps_apart[is_padded] = self._is_equal_together(inputs, alone)
        return alone

    def _is_equal_together(self, inputs: Sequence[NDArray[np.int64]], alone: Sequence[Run]) -> bool:
        try:
            together = self._model.run_all(inputs)
        except Exception:  # noqa: BLE001 - whatever the runtime calls it: it takes only one
            return False
        return all(map(_is_same, alone, together))

    def _one_by_one(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
        return [run for one in inputs for run in self._model.run_all([one])]


def default_workers(threads: int) -> int:
    """Runs at a time that fill this machine's cores when each run takes ``threads`` of them."""
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return max(1, min(_MOST_WORKERS, cores // threads))


def _is_same(alone: Run, together: Run) -> bool:
    if alone.states is None or together.states is None:
        return _is_close(alone.vector, together.vector)
    return _is_close(alone.vector, together.vector) and _is_close(alone.states, together.states)


def _is_close(alone: NDArray[np.float32], together: NDArray[np.float32]) -> bool:
    largest = float(np.abs(alone).max(initial=0.0))
    return bool(np.abs(alone - together).max(initial=0.0) <= _TOLERANCE * largest)
