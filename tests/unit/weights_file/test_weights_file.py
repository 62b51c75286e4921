"""Weights of namespaces in a file."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from omoide.adapters.weights_file import WeightsFile, written
from omoide.domain.errors import IncompatibleDataError
from omoide.domain.model_profile import RankingWeights

DEFAULTS = RankingWeights()


def test_a_namespace_gets_the_weights_written_for_it(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    fitted = replace(DEFAULTS, session=0.25)

    written(file, "m", "work/boats", fitted)

    source = WeightsFile(file, model_id="m")
    assert source.of("work/boats", DEFAULTS) == fitted
    assert source.of("work", DEFAULTS) == DEFAULTS


def test_what_is_not_named_keeps_the_defaults(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    file.write_text('{"model": "m", "namespaces": {"*": {"late": 2}}}', encoding="utf-8")

    assert WeightsFile(file, model_id="m").of("any", DEFAULTS) == replace(DEFAULTS, late=2.0)


def test_a_name_of_its_own_goes_before_the_star(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    written(file, "m", "*", replace(DEFAULTS, late=2.0))
    written(file, "m", "a", replace(DEFAULTS, late=3.0))

    source = WeightsFile(file, model_id="m")
    assert (source.of("a", DEFAULTS).late, source.of("b", DEFAULTS).late) == (3.0, 2.0)


def test_weights_of_another_model_are_replaced_when_written(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    written(file, "old", "a", DEFAULTS)
    written(file, "m", "b", DEFAULTS)

    assert set(json.loads(file.read_text(encoding="utf-8"))["namespaces"]) == {"b"}


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("{", "cannot be read"),
        ("[]", "must be a JSON object"),
        ('{"model": "other", "namespaces": {}}', "'other'"),
        ('{"model": "m"}', "namespaces"),
        ('{"model": "m", "namespaces": {"a": 1}}', "a"),
        ('{"model": "m", "namespaces": {"a": {"speed": 1}}}', "speed"),
        ('{"model": "m", "namespaces": {"a": {"late": "much"}}}', "late"),
        ('{"model": "m", "namespaces": {"a": {"late": NaN}}}', "late"),
        ('{"model": "m", "namespaces": {"a": {"late": true}}}', "late"),
    ],
)
def test_what_does_not_fit_is_named(tmp_path: Path, content: str, named: str) -> None:
    file = tmp_path / "weights.json"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(IncompatibleDataError, match=named):
        WeightsFile(file, model_id="m")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(IncompatibleDataError, match="nowhere"):
        WeightsFile(tmp_path / "nowhere.json", model_id="m")
