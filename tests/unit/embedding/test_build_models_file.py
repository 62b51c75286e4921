from pathlib import Path

import pytest

from omoide_embedding.build.models_file import ModelsFileError, read_models_file

ENTRY = """
default = "mine"
[models.mine]
reader = "onnx"
dims = 32
max_tokens = 48
pooling = "mean"
[models.mine.sources.graph]
file = "model.onnx"
sha256 = "0"
[models.mine.sources.tokenizer]
url = "https://example.test/tokenizer.json"
sha256 = "1"
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "models.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_fields_of_a_model_are_parted_into_build_and_run_time(tmp_path: Path):
    entry = read_models_file(write(tmp_path, ENTRY)).entry("mine")

    assert entry.embed == {"dims": 32, "max_tokens": 48, "pooling": "mean"}
    assert entry.sources["tokenizer"].location == "https://example.test/tokenizer.json"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('default = "mine"', 'default = "other"', "default names no model: 'other'"),
        ("dims = 32\n", "", r"models\.mine\.dims is missing"),
        ('file = "model.onnx"\n', "", r"sources\.graph must have exactly one of"),
        ('file = "model.onnx"\n', 'file = "model.onnx"\nsize = 3\n', "must have the fields"),
        ("dims = 32", "dims = ", "models.toml"),
    ],
)
def test_a_wrong_entry_is_named(tmp_path: Path, old: str, new: str, message: str):
    file = write(tmp_path, ENTRY.replace(old, new, 1))

    with pytest.raises(ModelsFileError, match=message):
        read_models_file(file)


def test_an_unknown_model_is_refused_with_the_known_ones(tmp_path: Path):
    models = read_models_file(write(tmp_path, ENTRY))

    with pytest.raises(ModelsFileError, match=r"no model 'yours'.*\['mine'\]"):
        models.entry("yours")


def test_the_models_of_this_project_pin_every_source_by_hash():
    models = read_models_file()

    assert models.default == "multilingual-e5-small"
    assert {"multilingual-e5-small", "minilm"} <= set(models.models)
    for entry in models.models.values():
        for source in entry.sources.values():
            assert len(source.sha256) == 64
            assert source.kind != "package" or len(source.package_sha256) == 64
        assert entry.mean is not None and entry.mean.is_file()
