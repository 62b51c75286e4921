"""Sets as ascending arrays.

`numpy.unique` would do, but its first call loads a package of masked arrays: half of what the first
search of a process costs.
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

_Scalar = TypeVar("_Scalar", bound=np.generic)


def distinct(values: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """The values ``(n,)`` that occur, ascending, each once."""
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), dtype=np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    return ordered[is_new]


def union(first: NDArray[_Scalar], second: NDArray[_Scalar]) -> NDArray[_Scalar]:
    """What occurs in either, ascending, each once."""
    return distinct(np.concatenate([first, second]))
