"""Reading a query and a memory together."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Reranker(Protocol):
    """A model that judges how well a text answers a query, such as a cross-encoder.

    Equal pairs give equal scores, whatever they are judged together with. Nothing is downloaded.
    Safe to call from several threads.
    """

    @property
    def depth(self) -> int:
        """How many of the best memories are worth its time, at least 1."""
        ...

    @property
    def weight(self) -> float:
        """Share of its word in the relevance of what it read, 0..1."""
        ...

    def judge(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return ``(n,)`` scores, 0 for what has nothing to do with the query, 1 for its answer.

        Raises:
            ModelUnavailableError: The model's files are missing or broken.
        """
        ...
