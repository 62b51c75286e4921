"""Several chunks through a model: the same results, in fewer runs, on several threads."""

import threading
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide_embedding.batches import BatchRunner, Run, default_workers


class EchoModel:
    """Gives each chunk its own numbers back; notes the sizes of its runs.

    Args:
        mixes: States depend on the whole batch, as with activations scaled together.
        most: Chunks it takes at once.
    """

    def __init__(self, *, mixes: bool = False, most: int = 100) -> None:
        self.sizes: list[int] = []
        self._mixes = mixes
        self._most = most
        self._lock = threading.Lock()

    def run_all(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
        with self._lock:
            self.sizes.append(len(inputs))
        if len(inputs) > self._most:
            raise ValueError("a fixed shape")
        shift = 0.02 * len(inputs) if self._mixes else 0.0
        return [
            Run(one[:1].astype(np.float32), one[:, np.newaxis].astype(np.float32) * (1 + shift))
            for one in inputs
        ]


def chunks_of(*lengths: int) -> list[NDArray[np.int64]]:
    return [np.arange(100 * place + 1, 100 * place + 1 + n) for place, n in enumerate(lengths)]


def states_of(runs: Sequence[Run]) -> list[list[float]]:
    return [[] if run.states is None else run.states[:, 0].tolist() for run in runs]


@pytest.mark.parametrize("workers", [1, 3])
def test_results_come_in_the_order_of_the_chunks(workers: int):
    chunks = chunks_of(12, 40, 13, 5, 40, 12, 60, 13, 12)
    runner = BatchRunner(EchoModel(), workers=workers)

    for _ in range(2):
        assert states_of(runner.run(chunks)) == [one.tolist() for one in chunks]


def test_short_chunks_of_like_length_share_runs_once_these_proved_equal():
    model = EchoModel()
    runner = BatchRunner(model, workers=1)
    chunks = chunks_of(*[12] * 20, *[50] * 3, 20)
    runner.run(chunks)
    model.sizes.clear()

    runner.run(chunks)

    assert sorted(model.sizes) == [1, 1, 1, 1, 4, 8, 8]


def test_few_chunks_are_spread_over_the_workers():
    model = EchoModel()
    runner = BatchRunner(model, workers=4)
    runner.run(chunks_of(*[12] * 40))
    model.sizes.clear()

    runner.run(chunks_of(12, 12, 12, 12))

    assert model.sizes == [1, 1, 1, 1]


@pytest.mark.parametrize("model", [EchoModel(mixes=True), EchoModel(most=1)])
def test_a_model_whose_chunks_depend_on_each_other_gets_one_at_a_time(model: EchoModel):
    runner = BatchRunner(model, workers=1)
    alone = [runner.run([one])[0] for one in chunks_of(*[12] * 9)]

    first = runner.run(chunks_of(*[12] * 9))
    model.sizes.clear()
    second = runner.run(chunks_of(*[12] * 9))

    assert states_of(first) == states_of(second) == states_of(alone)
    assert set(model.sizes) == {1}


def test_padding_is_tried_by_itself():
    class BadMask(EchoModel):
        def run_all(self, inputs: Sequence[NDArray[np.int64]]) -> list[Run]:
            is_padded = len({len(one) for one in inputs}) > 1
            return [
                Run(run.vector * (2 if is_padded else 1), run.states)
                for run in super().run_all(inputs)
            ]

    runner = BatchRunner(BadMask(), workers=1)
    runner.run(chunks_of(12, 12))

    for _ in range(2):
        assert [run.vector[0] for run in runner.run(chunks_of(12, 11))] == [1.0, 101.0]


def test_nothing_gives_nothing():
    assert BatchRunner(EchoModel(), workers=2).run([]) == []


def test_workers_and_their_threads_fill_the_cores_and_one_is_always_there():
    assert default_workers(1) >= default_workers(2) >= 1
    assert default_workers(10_000) == 1
