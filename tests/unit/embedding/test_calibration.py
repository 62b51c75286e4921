import json
from pathlib import Path

import numpy as np
import pytest

from omoide_embedding.calibration import (
    CalibrationText,
    calibrate,
    calibrate_folder,
    read_calibration_texts,
)
from omoide_embedding.model_folder import read_model_folder
from tests.unit.embedding.tiny_model import DIMS, write_tiny_model

TEXTS = [
    ("a", "the cat sat on a mat"),
    ("a", "on a mat the cat sat"),
    ("b", "boats ran to the harbour"),
    ("b", "to the harbour ran boats"),
]


def test_the_shipped_texts_hold_500_pairs_in_four_languages():
    texts = read_calibration_texts()

    groups = {entry.group: 0 for entry in texts}
    for entry in texts:
        groups[entry.group] += 1
    pairs = sum(count * (count - 1) // 2 for count in groups.values())
    assert pairs >= 500
    assert {entry.language for entry in texts} == {"en", "ja", "zh", "ko"}
    assert len({entry.text for entry in texts}) == len(texts)


def test_languages_can_be_chosen():
    assert {entry.language for entry in read_calibration_texts(languages=["ko"])} == {"ko"}


def test_paraphrases_lie_above_unrelated_texts(tiny_folder: Path):
    texts = [CalibrationText(group=g, language="en", text=text) for g, text in TEXTS * 30]

    measured = calibrate(read_model_folder(tiny_folder), texts)

    assert measured.dense.floor < measured.dense.ceiling <= 1.0001
    assert measured.late is not None
    assert measured.late.floor < measured.late.ceiling <= 1
    assert measured.mean is not None and measured.mean.shape == (DIMS,)


def test_texts_without_paraphrases_are_refused(tiny_folder: Path):
    texts = [
        CalibrationText(group=str(number), language="en", text=TEXTS[number % 4][1])
        for number in range(100)
    ]

    with pytest.raises(ValueError, match="too few pairs"):
        calibrate(read_model_folder(tiny_folder), texts)


def test_a_folder_is_calibrated_in_place_with_a_new_revision(tmp_path: Path):
    folder = write_tiny_model(tmp_path / "mine", languages=["en"])
    before = read_model_folder(folder).profile

    measured = calibrate_folder(folder)

    after = read_model_folder(folder).profile
    assert after.dense.floor == pytest.approx(measured.dense.floor, abs=1e-4)
    assert np.load(folder / "mean.npy").shape == (DIMS,)
    assert before.revision != after.revision
    assert json.loads((folder / "embed.json").read_text())["revision"]["value"] == after.revision
