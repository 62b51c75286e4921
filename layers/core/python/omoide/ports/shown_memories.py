"""Remembering what a session was already shown."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Protocol

SHOWN_LIFE = timedelta(days=7)
"""How long it is remembered, at least, that a session was shown a memory."""


class ShownMemories(Protocol):
    """Which memories each session of a namespace was shown without asking.

    Of several callers that claim a memory for the same session, whatever process they are in, one
    gets it. A session that claims nothing for `SHOWN_LIFE` is forgotten.
    """

    def among(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Those of some memories that the session was shown.

        Raises:
            UnavailableError: It cannot be told.
        """
        ...

    def claim(
        self, namespace: str, session: str, memory_ids: Sequence[str], at: datetime
    ) -> frozenset[str]:
        """Mark memories as shown; returns those that nobody had claimed before.

        Raises:
            UnavailableError: It cannot be marked; perhaps some are all the same.
        """
        ...
