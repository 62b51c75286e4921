"""Sets as ascending arrays, and what the first search of a process loads."""

import subprocess
import sys

import numpy as np
import pytest

from omoide.engine.sets import distinct, union


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint64])
@pytest.mark.parametrize("count", [0, 1, 2, 1_000])
def test_each_value_occurs_once_in_order(kind: type[np.integer], count: int) -> None:
    values = np.random.default_rng(count).integers(0, 50, count).astype(kind)

    found = distinct(values)

    assert found.dtype == kind
    assert found.tolist() == sorted(set(values.tolist()))


def test_a_union_holds_what_is_in_either() -> None:
    first, second = np.array([1, 4, 9]), np.array([0, 4, 4, 10])

    assert union(first, second).tolist() == [0, 1, 4, 9, 10]
    assert union(first, first[:0]).tolist() == [1, 4, 9]


FIRST_SEARCH = """
import sys
from omoide.adapters.fake import FakeFolder
from omoide.engine.nomination import nominate
from omoide.engine.part import LivePart
from omoide.engine.tail import StoredRow, Tail
from omoide.engine.codec import encode
from tests.contract.samples import DIMS, REVISION, memory_of, request_of, scoring_of
tail = Tail(revision=REVISION, dims=DIMS)
memories = [memory_of(f"m{i}", session_id="s", turn=i) for i in range(9)]
blobs = [encode(scoring_of(m)) for m in memories]
tail.extend([StoredRow(vid=i + 1, memory_id=f"m{i}", blob=blobs[i]) for i in range(9)])
request = request_of("tea", neighbours=True, newest=3)
assert len(nominate([LivePart.of(tail.snapshot())], request).ids) == 9
print("numpy.ma" in sys.modules)
"""


def test_the_first_search_loads_no_masked_arrays() -> None:
    finished = subprocess.run(
        [sys.executable, "-c", FIRST_SEARCH], capture_output=True, text=True, check=True
    )

    assert finished.stdout.strip() == "False"
