import json
import os
from pathlib import Path

import numpy as np
import pytest

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.model_profile import RankingWeights, Scale
from omoide_embedding.model_folder import UNCALIBRATED_DENSE, read_model_folder, read_shaping
from omoide_embedding.revision import record_revision
from tests.unit.embedding.tiny_model import write_public_model, write_tiny_model


def test_a_folder_is_named_and_scaled_as_its_fields_say(tmp_path: Path):
    folder = write_tiny_model(
        tmp_path / "mine",
        scales={"dense": [0.1, 0.7], "late_cross_script": [0.2, 0.5]},
        weights={"late": 0.5},
    )

    profile = read_model_folder(folder).profile

    assert profile.model_id == "mine"
    assert profile.dense == profile.dense_cross_script == Scale(floor=0.1, ceiling=0.7)
    assert profile.late_cross_script == Scale(floor=0.2, ceiling=0.5)
    assert profile.weights == RankingWeights(late=0.5)


def test_a_folder_without_scales_gets_those_for_unmeasured_models(tmp_path: Path):
    assert read_model_folder(write_tiny_model(tmp_path / "m")).profile.dense == UNCALIBRATED_DENSE


def test_sizes_not_given_are_taken_from_the_models_own_config(tmp_path: Path):
    folder = write_public_model(tmp_path / "m")
    config = {"hidden_size": 32, "max_position_embeddings": 48}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    profile = read_model_folder(folder).profile

    assert (profile.dims, profile.max_tokens) == (32, 48)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("dims", "many", "dims must be a whole number"),
        ("dims", 30, "dims must be a multiple of 8"),
        ("max_tokens", 31, "max_tokens must be at least 32, not 31"),
        ("pooling", "max", "pooling must be one of graph, mean, cls"),
        ("normalize", "yes", "normalize must be true or false"),
        ("query_prefix", 3, "query_prefix must be a string"),
        ("scales", {"dense": [0.9, 0.1]}, "scales.dense must be"),
        ("weights", {"luck": 1}, "weights.luck is unknown"),
        ("weights", {"late": "high"}, "weights.late must be a number"),
        ("chunk_overlap", 40, "chunk_overlap must be below chunk_tokens"),
        ("languages", "en", "languages must be a list of strings"),
        ("poling", "mean", "poling unknown"),
        ("revision", {"value": "x"}, "revision is incomplete"),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, field: str, value: object, message: str):
    folder = write_tiny_model(tmp_path / "m", **{field: value})

    with pytest.raises(ModelUnavailableError, match=message):
        read_model_folder(folder)


def test_a_missing_size_is_named(tmp_path: Path):
    with pytest.raises(ModelUnavailableError, match="dims is missing"):
        read_model_folder(write_public_model(tmp_path / "m"))


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "embed.json"])
def test_a_missing_file_is_named_with_what_to_do(tmp_path: Path, name: str):
    folder = write_tiny_model(tmp_path / "m")
    (folder / name).unlink()

    with pytest.raises(ModelUnavailableError, match=f"lacks {name}.*make models"):
        read_model_folder(folder)


def revision_of(folder: Path) -> str:
    return read_model_folder(folder).profile.revision


def test_equal_folders_have_equal_revisions_wherever_they_lie(tmp_path: Path):
    first, second = write_tiny_model(tmp_path / "a"), write_tiny_model(tmp_path / "b")

    assert revision_of(first) == revision_of(second)


def test_the_revision_changes_with_every_file_that_shapes_vectors(tmp_path: Path):
    folder = write_tiny_model(tmp_path / "m")
    revisions = [revision_of(folder)]

    with (folder / "model.onnx").open("ab") as graph:
        graph.write(b"\0")
    revisions.append(revision_of(folder))
    with (folder / "tokenizer.json").open("a") as tokenizer:
        tokenizer.write(" ")
    revisions.append(revision_of(folder))
    np.save(folder / "mean.npy", np.zeros(32, np.float32))
    revisions.append(revision_of(folder))
    np.save(folder / "token_weights.npy", np.zeros(99, np.float32))
    revisions.append(revision_of(folder))

    assert len(set(revisions)) == 5


def test_the_revision_changes_with_shaping_fields_and_not_with_scales(tmp_path: Path):
    plain = revision_of(write_tiny_model(tmp_path / "a"))
    scaled = revision_of(write_tiny_model(tmp_path / "b", scales={"dense": [0.1, 0.7]}))
    prefixed = revision_of(write_tiny_model(tmp_path / "c", query_prefix="ask: "))

    assert plain == scaled
    assert plain != prefixed


def test_a_recorded_revision_is_taken_as_long_as_nothing_changed(tmp_path: Path):
    folder = write_recorded_model(tmp_path / "m", value="recorded")

    assert revision_of(folder) == "recorded"


def test_a_file_replaced_after_the_record_makes_a_new_revision(tmp_path: Path):
    folder = write_recorded_model(tmp_path / "m", value="recorded")
    graph = folder / "model.onnx"
    content = bytearray(graph.read_bytes())
    content[-1] ^= 1
    graph.write_bytes(content)
    later = (folder / "embed.json").stat().st_mtime + 10
    os.utime(graph, (later, later))

    assert revision_of(folder) not in ("recorded", revision_of(write_tiny_model(tmp_path / "n")))


def write_recorded_model(folder: Path, value: str) -> Path:
    write_tiny_model(folder)
    record = record_revision(folder, read_shaping(folder))
    return write_tiny_model(folder, revision={**record, "value": value})
