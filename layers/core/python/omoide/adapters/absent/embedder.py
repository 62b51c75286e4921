"""Stands in for an embedding model that cannot be loaded."""

from collections.abc import Sequence
from typing import NoReturn

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.model_profile import ModelProfile
from omoide.ports.embedder import Passage, PassageEncoding, QueryEncoding


class AbsentEmbedder:
    """Says why there is no model, whatever is asked of it; implements ``Embedder``.

    So reads go on and searches fall back to words, where without it nothing would start.

    Args:
        reason: What is wrong with the model.
    """

    def __init__(self, reason: str) -> None:
        self._reason = reason

    @property
    def profile(self) -> ModelProfile:
        """Raises `ModelUnavailableError`."""
        self._refuse()

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """Raises `ModelUnavailableError`."""
        del passages
        self._refuse()

    def embed_query(self, text: str) -> QueryEncoding:
        """Raises `ModelUnavailableError`."""
        del text
        self._refuse()

    def count_tokens(self, text: str) -> int:
        """Raises `ModelUnavailableError`."""
        del text
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ModelUnavailableError(self._reason)
