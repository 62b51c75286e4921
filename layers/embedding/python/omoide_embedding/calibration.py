"""Measuring what a model's similarities mean, on a fixed set of texts.

Floors are 95th percentiles over unrelated pairs, ceilings over paraphrases; one side of each pair
is encoded as a query, the other as a passage, as in a search. The late interaction is Khattab and
Zaharia's (2020) sum of maxima with our token weights, passages as signs.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from omoide.domain.model_profile import Scale
from omoide.ports.embedder import Passage, PassageEncoding, QueryEncoding
from omoide_embedding.encoder import Encoder
from omoide_embedding.model_folder import ModelFolder, read_model_folder, read_shaping
from omoide_embedding.revision import FIELDS_FILE, MEAN_FILE, record_revision

CALIBRATION_FILE: Final = Path(__file__).parents[2] / "calibration.jsonl"
"""Texts of this project; the texts of a line say the same in different words."""

_PERCENTILE: Final = 95
_LEAST_TEXTS: Final = 100
"""Languages with fewer texts have no say in the mean token vector, unless none has more."""

_SHARED_SCRIPT: Final = frozenset({"ja", "zh"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationText:
    """One text.

    Attributes:
        group: Texts of one group are paraphrases.
        language: Of the text, such as ``ja``.
        text: The text.
    """

    group: str
    language: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured of a model.

    Attributes:
        mean: ``(dims,)`` float32, mean token vector; None without token vectors.
        dense: Scale of cosines within a script.
        dense_cross_script: The same across scripts.
        late: Scale of the late interaction within a script.
        late_cross_script: The same across scripts.
    """

    mean: NDArray[np.float32] | None
    dense: Scale
    dense_cross_script: Scale
    late: Scale | None
    late_cross_script: Scale | None

    def scales(self) -> dict[str, list[float]]:
        """The field ``scales`` of ``embed.json`` and ``models.toml``."""
        measured = {
            "dense": self.dense,
            "dense_cross_script": self.dense_cross_script,
            "late": self.late,
            "late_cross_script": self.late_cross_script,
        }
        return {
            name: [round(scale.floor, 4), round(scale.ceiling, 4)]
            for name, scale in measured.items()
            if scale is not None
        }


def read_calibration_texts(
    file: Path = CALIBRATION_FILE, languages: Collection[str] = ()
) -> list[CalibrationText]:
    """Read the texts, all or those of some languages."""
    texts: list[CalibrationText] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        group: dict[str, Any] = json.loads(line)
        for language in sorted(set(group) - {"id"}):
            if not languages or language in languages:
                texts += [
                    CalibrationText(group=group["id"], language=language, text=text)
                    for text in group[language]
                ]
    return texts


def calibrate(folder: ModelFolder, texts: Sequence[CalibrationText]) -> Calibration:
    """Measure mean token vector, floors and ceilings of a model.

    Raises:
        ModelUnavailableError: The model cannot be loaded.
        ValueError: The texts hold no unrelated or no paraphrased pairs.
    """
    encoder = Encoder.load(folder, threads=1)
    mean = _mean_token_vector(encoder, texts) if folder.token_output else None
    if mean is not None:
        encoder = encoder.centred_on(mean)
    queries = [encoder.query(entry.text) for entry in texts]
    passages = encoder.passages([Passage(text=entry.text) for entry in texts])
    known = [i for i, query in enumerate(queries) if query.vector is not None]
    pairs = _Pairs([texts[i] for i in known])
    queries, passages = [queries[i] for i in known], [passages[i] for i in known]
    dense = _dense(queries, passages)
    late = None if mean is None else _late(queries, passages)
    return Calibration(
        mean=mean,
        dense=pairs.scale(dense),
        dense_cross_script=pairs.cross_scale(dense),
        late=None if late is None else pairs.scale(late),
        late_cross_script=None if late is None else pairs.cross_scale(late),
    )


def calibrate_folder(path: Path) -> Calibration:
    """Measure a folder of the user's own and write ``mean.npy`` and the scales into it.

    The field ``languages`` of its ``embed.json`` says on which texts; without it, on all.

    Raises:
        ModelUnavailableError: The folder is no usable model.
        ValueError: There are no texts in its languages.
    """
    folder = read_model_folder(path)
    measured = calibrate(folder, read_calibration_texts(languages=folder.languages))
    fields: dict[str, Any] = json.loads((path / FIELDS_FILE).read_text(encoding="utf-8"))
    fields["scales"] = measured.scales()
    if measured.mean is not None:
        partial = path / f".{MEAN_FILE}"
        with partial.open("wb") as stream:
            np.save(stream, measured.mean)
        partial.replace(path / MEAN_FILE)
    fields["revision"] = record_revision(path, read_shaping(path))
    partial = path / f".{FIELDS_FILE}"
    partial.write_text(json.dumps(fields, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    partial.replace(path / FIELDS_FILE)
    return measured


class _Pairs:
    def __init__(self, texts: Sequence[CalibrationText]) -> None:
        groups = np.array([entry.group for entry in texts])
        languages = np.array([entry.language for entry in texts])
        shared = np.isin(languages, list(_SHARED_SCRIPT))
        self._same_group = groups[:, None] == groups[None, :]
        self._same_language = languages[:, None] == languages[None, :]
        self._cross = ~self._same_language & ~(shared[:, None] & shared[None, :])
        self._others = ~np.eye(len(texts), dtype=bool)

    def scale(self, values: NDArray[np.float32]) -> Scale:
        return self._scale(values, self._same_language & self._others)

    def cross_scale(self, values: NDArray[np.float32]) -> Scale:
        return self._scale(values, self._cross) if self._cross.any() else self.scale(values)

    def _scale(self, values: NDArray[np.float32], chosen: NDArray[np.bool_]) -> Scale:
        unrelated = values[chosen & ~self._same_group]
        paraphrased = values[chosen & self._same_group]
        if not unrelated.size or not paraphrased.size:
            raise ValueError("the calibration texts hold too few pairs")
        return Scale(
            floor=float(np.percentile(unrelated, _PERCENTILE)),
            ceiling=float(np.percentile(paraphrased, _PERCENTILE)),
        )


def _mean_token_vector(encoder: Encoder, texts: Sequence[CalibrationText]) -> NDArray[np.float32]:
    by_language = {
        language: [encoder.token_states(entry.text) for entry in entries]
        for language, entries in groupby(sorted(texts, key=_language), key=_language)
    }
    large = [states for states in by_language.values() if len(states) >= _LEAST_TEXTS]
    chosen = large or list(by_language.values())
    means = [np.concatenate(states).astype(np.float64).mean(axis=0) for states in chosen]
    return np.mean(means, axis=0).astype(np.float32)


def _language(entry: CalibrationText) -> str:
    return entry.language


def _dense(
    queries: Sequence[QueryEncoding], passages: Sequence[PassageEncoding]
) -> NDArray[np.float32]:
    vectors = [query.vector for query in queries if query.vector is not None]
    return np.stack(vectors) @ np.stack([passage.vectors[0] for passage in passages]).T


def _late(
    queries: Sequence[QueryEncoding], passages: Sequence[PassageEncoding]
) -> NDArray[np.float32]:
    bits = np.concatenate([passage.token_bits for passage in passages])
    signs = np.unpackbits(bits, axis=1).astype(np.float32) * 2 - 1
    signs /= np.sqrt(signs.shape[1])
    starts = np.cumsum([0] + [len(passage.token_bits) for passage in passages])[:-1]
    rows: list[NDArray[np.float32]] = []
    for query in queries:
        best = np.maximum.reduceat(query.tokens @ signs.T, starts, axis=1)
        rows.append(query.weights @ best / query.weights.sum())
    return np.stack(rows)
