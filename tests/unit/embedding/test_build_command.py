import hashlib
import json
from pathlib import Path

import pytest

from omoide_embedding.build.__main__ import main
from omoide_embedding.embedder import OnnxEmbedder
from tests.unit.embedding.tiny_model import write_tiny_model


@pytest.fixture
def models_file(tmp_path: Path) -> Path:
    """Describes a model whose graph and tokenizer are files of the user's own."""
    folder = write_tiny_model(tmp_path / "published")
    lines = ['default = "mine"', "[models.mine]", 'reader = "onnx"', 'pooling = "graph"']
    lines += ["dims = 32", "max_tokens = 48", 'token_output = "tokens"']
    for part, name in (("graph", "model.onnx"), ("tokenizer", "tokenizer.json")):
        file = folder / name
        lines += [f"[models.mine.sources.{part}]", f"file = {json.dumps(str(file))}"]
        lines += [f'sha256 = "{hashlib.sha256(file.read_bytes()).hexdigest()}"']
    models = tmp_path / "models.toml"
    models.write_text("\n".join(lines), encoding="utf-8")
    return models


def build(models_file: Path, *arguments: str) -> int:
    return main(["--models-file", str(models_file), *arguments])


def test_the_default_model_is_built_beside_the_file_and_can_be_used(models_file: Path):
    assert build(models_file) == 0

    embedder = OnnxEmbedder(models_file.parent / ".build" / "mine")
    assert embedder.profile.model_id == "mine"
    assert embedder.embed_query("blue cat").tokens.shape == (2, 32)


def test_a_second_build_finds_all_up_to_date(models_file: Path, capsys: pytest.CaptureFixture[str]):
    build(models_file)
    build(models_file)

    assert capsys.readouterr().out.splitlines()[-1] == "mine: up to date"


def test_a_changed_entry_is_built_anew(models_file: Path, capsys: pytest.CaptureFixture[str]):
    build(models_file)
    models_file.write_text(
        models_file.read_text().replace("max_tokens = 48", "max_tokens = 40"), encoding="utf-8"
    )

    build(models_file)

    assert "mine: built in" in capsys.readouterr().out.splitlines()[-1]
    assert OnnxEmbedder(models_file.parent / ".build" / "mine").profile.max_tokens == 40


def test_a_lost_file_is_built_anew(models_file: Path):
    build(models_file)
    graph = models_file.parent / ".build" / "mine" / "model.onnx"
    graph.unlink()

    build(models_file)

    assert graph.is_file()


def test_verify_names_a_file_changed_since_the_build(
    models_file: Path, capsys: pytest.CaptureFixture[str]
):
    build(models_file)
    assert build(models_file, "--verify") == 0
    with (models_file.parent / ".build" / "mine" / "tokenizer.json").open("a") as tokenizer:
        tokenizer.write(" ")

    assert build(models_file, "--verify") == 1
    assert "tokenizer.json" in capsys.readouterr().err


def test_a_source_with_another_hash_leaves_the_old_model_in_place(
    models_file: Path, capsys: pytest.CaptureFixture[str]
):
    build(models_file)
    (models_file.parent / "published" / "model.onnx").write_bytes(b"other")
    models_file.write_text(
        models_file.read_text().replace("max_tokens = 48", "max_tokens = 40"), encoding="utf-8"
    )

    assert build(models_file) == 1
    assert "refusing to use it" in capsys.readouterr().err
    assert OnnxEmbedder(models_file.parent / ".build" / "mine").profile.max_tokens == 48
    assert [entry.name for entry in (models_file.parent / ".build").iterdir()] == ["mine"]


def test_an_unknown_model_is_named(models_file: Path, capsys: pytest.CaptureFixture[str]):
    assert build(models_file, "yours") == 1
    assert "no model 'yours'" in capsys.readouterr().err


def test_scripts_of_a_model_that_is_not_pruned_are_refused(
    models_file: Path, capsys: pytest.CaptureFixture[str]
):
    assert build(models_file, "--scripts", "latin", "klingon") == 1
    assert "unknown klingon" in capsys.readouterr().err
