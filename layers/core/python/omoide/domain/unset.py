"""The difference between "set to nothing" and "leave as it is"."""

from enum import Enum
from typing import Final, Literal


class Unset(Enum):
    """Type of `UNSET`."""

    UNSET = "unset"

    def __repr__(self) -> str:
        """``UNSET``."""
        return "UNSET"


UNSET: Final[Literal[Unset.UNSET]] = Unset.UNSET
"""A field that a patch does not mention."""
