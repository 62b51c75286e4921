"""How values are written into items, beyond what PynamoDB brings along."""

from datetime import UTC, datetime
from typing import Any

from pynamodb.attributes import Attribute, ListAttribute, UnicodeAttribute
from pynamodb.constants import NUMBER, STRING

_SMALLEST = 1e-120
"""DynamoDB refuses numbers nearer to zero than 1e-130."""


class TimeAttribute(Attribute[datetime]):
    """A time as text that sorts by time: UTC, ISO 8601, always with microseconds."""

    attr_type = STRING

    def serialize(self, value: datetime) -> str:
        """Such as ``2026-01-31T12:00:00.000000Z``."""
        return f"{value.astimezone(UTC).replace(tzinfo=None).isoformat(timespec='microseconds')}Z"

    def deserialize(self, value: str) -> datetime:
        """Aware UTC."""
        return datetime.fromisoformat(value)


class IntAttribute(Attribute[int]):
    """A whole number."""

    attr_type = NUMBER

    def serialize(self, value: int) -> str:
        """Decimal digits."""
        return str(int(value))

    def deserialize(self, value: str) -> int:
        """The number."""
        return int(value)


class FloatAttribute(Attribute[float]):
    """A floating point number, read back as the same one; next to nothing is kept as nothing."""

    attr_type = NUMBER

    def serialize(self, value: float) -> str:
        """The shortest decimals that mean this number."""
        return "0" if abs(value) < _SMALLEST else repr(float(value))

    def deserialize(self, value: str) -> float:
        """The number."""
        return float(value)


class TextsAttribute(ListAttribute[Any]):
    """Texts in order; none are not kept."""

    def __init__(self) -> None:
        super().__init__(of=UnicodeAttribute, null=True)
