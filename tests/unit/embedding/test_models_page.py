import json
import re
from pathlib import Path

import pytest

from omoide_embedding.build.models_file import read_models_file
from omoide_embedding.build.vocabulary import SCRIPT_RANGES
from omoide_embedding.model_folder import read_model_folder
from tests.unit.embedding.tiny_model import write_public_model

PAGE = (Path(__file__).parents[3] / "docs" / "models.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    assert found
    return found.group(1)


def test_the_example_folder_is_a_model(tmp_path: Path):
    folder = write_public_model(tmp_path / "bge-small", **json.loads(block("json")))
    config = {"hidden_size": 32, "max_position_embeddings": 48}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    model = read_model_folder(folder)

    assert model.profile.model_id == "bge-small"
    assert model.profile.has_token_vectors
    assert model.query_prefix.endswith("passages: ")


def test_the_example_entry_can_be_read(tmp_path: Path):
    file = tmp_path / "models.toml"
    file.write_text('default = "bge-small"\n' + block("toml"), encoding="utf-8")

    assert read_models_file(file).entry("bge-small").embed["pooling"] == "cls"


def test_every_script_is_on_the_page():
    told = {word for code in re.findall(r"`([^`\n]+)`", PAGE) for word in code.split()}

    assert set(SCRIPT_RANGES) - told == set()


@pytest.mark.parametrize("name", ["multilingual-e5-small", "minilm"])
def test_scales_on_the_page_are_those_recorded(name: str):
    scales = read_models_file().entry(name).embed["scales"]
    (row,) = re.findall(rf"^\| `{name}` \|(.*)$", PAGE, re.MULTILINE)

    told = [float(number) for number in re.findall(r"\.\d+", row)]
    recorded = [number for scale in scales.values() for number in scale]
    assert told == pytest.approx(recorded, abs=0.0006)


def test_every_field_a_folder_may_have_is_on_the_page(tmp_path: Path):
    folder = write_public_model(tmp_path / "m", dims=32, max_tokens=48, mistake=1)

    with pytest.raises(Exception, match="known are") as refused:
        read_model_folder(folder)

    known = set(re.findall(r"'(\w+)'", str(refused.value))) - {"revision"}
    assert {field for field in known if f"`{field}`" not in PAGE} == set()
