"""Reading the fields of ``embed.json``, each with a clear word on what is wrong."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.model_profile import RankingWeights, Scale


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedRevision:
    """A revision worked out earlier.

    Attributes:
        value: The revision.
        sizes: File name to bytes at that time.
        shaping: Hash of the fields that shape vectors at that time.
    """

    value: str
    sizes: dict[str, int]
    shaping: str


class EmbedFields:
    """The fields of one ``embed.json``; remembers which were asked for.

    Args:
        file: Shown in messages.
        values: The parsed JSON object.
        fallbacks: The model's own ``config.json``, for sizes not given.
    """

    def __init__(self, file: Path, values: dict[str, object], fallbacks: dict[str, object]) -> None:
        self._file = file
        self._values = values
        self._fallbacks = fallbacks
        self._asked: set[str] = set()

    @classmethod
    def read(cls, file: Path, config_file: Path) -> "EmbedFields":
        """Parse ``embed.json`` and, where there is one, ``config.json``.

        Raises:
            ModelUnavailableError: A file is not a JSON object.
        """
        fallbacks = _json_object(config_file) if config_file.is_file() else {}
        return cls(file, _json_object(file), fallbacks)

    def problem(self, field: str, what: str) -> ModelUnavailableError:
        """An error about one field."""
        return ModelUnavailableError(f"{self._file}: {field} {what}")

    def text(self, field: str, default: str) -> str:
        """A string."""
        value = self._get(field, default)
        if not isinstance(value, str):
            raise self.problem(field, f"must be a string, not {value!r}")
        return value

    def flag(self, field: str, *, default: bool) -> bool:
        """A truth value."""
        value = self._get(field, default)
        if not isinstance(value, bool):
            raise self.problem(field, f"must be true or false, not {value!r}")
        return value

    def names(self, field: str) -> tuple[str, ...]:
        """A list of strings; empty when not given."""
        value = self._get(field, [])
        items = cast(list[object], value) if isinstance(value, list) else [None]
        strings = tuple(item for item in items if isinstance(item, str))
        if len(strings) != len(items):
            raise self.problem(field, f"must be a list of strings, not {value!r}")
        return strings

    def choice(self, field: str, choices: Sequence[str]) -> str:
        """One of a closed set; must be given."""
        value = self._get(field, None)
        if value not in choices:
            raise self.problem(field, f"must be one of {', '.join(choices)}, not {value!r}")
        return cast(str, value)

    def count(self, field: str, default: int | None) -> int:
        """A whole number of at least 1; must be given when there is no default."""
        value = self._get(field, default)
        if value is None:
            raise self.problem(field, "is missing")
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise self.problem(field, f"must be a whole number of at least 1, not {value!r}")
        return value

    def size(self, field: str, fallback: str) -> int:
        """A count, taken from a field of ``config.json`` when not given."""
        inherited = self._fallbacks.get(fallback)
        return self.count(field, inherited if isinstance(inherited, int) else None)

    def scale(self, field: str, default: Scale) -> Scale:
        """A pair ``[floor, ceiling]`` within the object ``scales``."""
        value = self._object("scales").get(field)
        if value is None:
            return default
        numbers = cast(list[object], value) if isinstance(value, list) else []
        floats = [float(n) for n in numbers if isinstance(n, int | float)]
        if len(numbers) != 2 or len(floats) != 2 or not floats[0] < floats[1]:
            raise self.problem(f"scales.{field}", f"must be [floor, ceiling], not {value!r}")
        return Scale(floor=floats[0], ceiling=floats[1])

    def weights(self) -> RankingWeights:
        """Ranking weights; those not named keep their defaults."""
        given = self._object("weights")
        known = {field.name for field in fields(RankingWeights)}
        chosen: dict[str, float] = {}
        for name, value in given.items():
            if name not in known:
                raise self.problem(f"weights.{name}", f"is unknown; known are {sorted(known)}")
            if not isinstance(value, int | float) or isinstance(value, bool):
                raise self.problem(f"weights.{name}", f"must be a number, not {value!r}")
            chosen[name] = float(value)
        return RankingWeights(**chosen)

    def recorded_revision(self) -> RecordedRevision | None:
        """The revision a build or a calibration has written, if any."""
        recorded = self._object("revision")
        if not recorded:
            return None
        try:
            sizes = cast(dict[str, Any], recorded["sizes"])
            return RecordedRevision(
                value=str(recorded["value"]),
                sizes={str(name): int(size) for name, size in sizes.items()},
                shaping=str(recorded["shaping"]),
            )
        except (KeyError, AttributeError, TypeError, ValueError) as error:
            raise self.problem("revision", "is incomplete; delete it") from error

    def refuse_unread(self) -> None:
        """Complain about fields nobody asked for: most likely a slip of the pen.

        Raises:
            ModelUnavailableError: Naming them.
        """
        unknown = sorted(set(self._values) - self._asked)
        if unknown:
            raise self.problem(", ".join(unknown), f"unknown; known are {sorted(self._asked)}")

    def _get(self, field: str, default: object) -> object:
        self._asked.add(field)
        return self._values.get(field, default)

    def _object(self, field: str) -> dict[str, object]:
        value = self._get(field, {})
        if not isinstance(value, dict):
            raise self.problem(field, f"must be an object, not {value!r}")
        return cast(dict[str, object], value)


def _json_object(file: Path) -> dict[str, object]:
    try:
        value: object = json.loads(file.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ModelUnavailableError(f"{file} cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelUnavailableError(f"{file} must hold a JSON object")
    return cast(dict[str, object], value)
