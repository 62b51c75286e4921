from pathlib import Path

import numpy as np
import pytest

from omoide.domain.stop_words import STOP_WORDS
from omoide_embedding.build.assemble import build_model
from omoide_embedding.build.models_file import read_models_file
from omoide_embedding.build.stamp import inputs_hash
from omoide_embedding.calibration import calibrate, read_calibration_texts
from omoide_embedding.model_folder import read_model_folder
from tests.integration.embedding.conftest import built

pytestmark = pytest.mark.integration


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("name", ["multilingual-e5-small", "minilm"])
def test_a_model_built_twice_is_equal_byte_for_byte(tmp_path: Path, name: str):
    cache = built(name).parent / "cache"
    entry = read_models_file().entry(name)
    inputs = inputs_hash(entry, entry.scripts, sorted(STOP_WORDS))

    first, second = (
        build_model(
            entry, scripts=entry.scripts, output=tmp_path / place, cache=cache, inputs=inputs
        )
        for place in ("first", "second")
    )

    assert files_of(first) == files_of(second) == files_of(built(name))


@pytest.mark.parametrize("name", ["multilingual-e5-small", "minilm"])
def test_scales_and_mean_are_what_the_texts_give(name: str):
    entry = read_models_file().entry(name)
    texts = read_calibration_texts(languages=entry.embed.get("languages", ["en", "ja"]))
    chosen = [text for text in texts if int(text.group[1:]) % 2]

    measured = calibrate(read_model_folder(built(name)), chosen)

    recorded = entry.embed["scales"]
    for scale, values in measured.scales().items():
        assert values == pytest.approx(recorded.get(scale, values), abs=0.04)
    assert measured.mean is not None and entry.mean is not None
    mean = np.load(entry.mean)
    cosine = measured.mean @ mean / np.linalg.norm(measured.mean) / np.linalg.norm(mean)
    assert float(cosine) > 0.93
