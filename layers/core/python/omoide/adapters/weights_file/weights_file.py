"""A JSON file of weights by namespace.

``{"model": "multilingual-e5-small", "namespaces": {"work/boats": {"late": 1.1, "session": 0.5}}}``;
the namespace ``*`` stands for all that are not named.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any, cast

from omoide.domain.errors import IncompatibleDataError
from omoide.domain.model_profile import RankingWeights

EVERY_NAMESPACE = "*"
_NAMES = frozenset(field.name for field in fields(RankingWeights))


class WeightsFile:
    """The weights that a file gives to namespaces, read once.

    Args:
        path: The file.
        model_id: The embedding model in use: weights of another one do not fit it.

    Raises:
        IncompatibleDataError: The file cannot be read, or belongs to another model; names what is
            wrong.
    """

    def __init__(self, path: Path, *, model_id: str) -> None:
        try:
            content: object = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise IncompatibleDataError(f"{path}: the weights cannot be read: {error}") from error
        entries = _table(content, str(path))
        if entries.get("model") != model_id:
            raise IncompatibleDataError(
                f"{path}: the weights are for the model {entries.get('model')!r}, not {model_id!r}"
            )
        namespaces = _table(entries.get("namespaces"), f"{path}: namespaces")
        self._weights = {
            name: _weights(value, f"{path}: {name}") for name, value in namespaces.items()
        }

    def of(self, namespace: str, defaults: RankingWeights) -> RankingWeights:
        """The weights of a namespace; those not named keep the defaults."""
        given = self._weights.get(namespace, self._weights.get(EVERY_NAMESPACE, {}))
        return replace(defaults, **given) if given else defaults


def written(path: Path, model_id: str, namespace: str, weights: RankingWeights) -> None:
    """Write the weights of a namespace into a file, beside those of other namespaces.

    Args:
        path: The file; it is made where there is none, and begun anew for another model.
        model_id: The embedding model that they were fitted with.
        namespace: A canonical namespace or ``*``.
        weights: Its weights.

    Raises:
        IncompatibleDataError: There is a file that holds something else.
    """
    namespaces: dict[str, Any] = {}
    if path.exists():
        content = _table(json.loads(path.read_text(encoding="utf-8")), str(path))
        if content.get("model") == model_id:
            namespaces = _table(content.get("namespaces"), f"{path}: namespaces")
    namespaces[namespace] = {k: round(v, 4) for k, v in asdict(weights).items()}
    text = json.dumps({"model": model_id, "namespaces": namespaces}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


def _table(value: object, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise IncompatibleDataError(f"{place}: must be a JSON object")
    return cast(dict[str, Any], value)


def _weights(value: object, place: str) -> Mapping[str, float]:
    given = _table(value, place)
    for name, weight in given.items():
        if name not in _NAMES:
            raise IncompatibleDataError(f"{place}: {name} is no weight; known: {sorted(_NAMES)}")
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not is_number or not math.isfinite(weight):
            raise IncompatibleDataError(f"{place}: {name} must be a finite number")
    return {name: float(weight) for name, weight in given.items()}
