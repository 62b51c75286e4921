"""Weights of the ranking that a namespace has of its own."""

from typing import Protocol

from omoide.domain.model_profile import RankingWeights


class NamespaceWeights(Protocol):
    """Knows the weights that were fitted to the memories of a namespace."""

    def of(self, namespace: str, defaults: RankingWeights) -> RankingWeights:
        """Return the weights of a namespace.

        Args:
            namespace: A canonical namespace.
            defaults: Those of the model: what a namespace does not name keeps them.
        """
        ...
