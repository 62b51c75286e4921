from pathlib import Path

import pytest

from omoide_embedding.embedder import OnnxEmbedder
from omoide_embedding.model_folder import built_model_folder


def built(name: str) -> Path:
    """The folder of a built model; fails with what to do when it is not there."""
    folder = built_model_folder(name)
    if not (folder / "embed.json").is_file():
        pytest.fail(f"the model {name} is not built: run `python -m omoide_embedding.build --all`")
    return folder


@pytest.fixture(scope="session", params=["multilingual-e5-small", "minilm"])
def any_model(request: pytest.FixtureRequest) -> OnnxEmbedder:
    """Each model of this project in turn, without a cache."""
    return OnnxEmbedder(built(request.param), cache_bytes=0)


@pytest.fixture(scope="session")
def multilingual() -> OnnxEmbedder:
    return OnnxEmbedder(built("multilingual-e5-small"), cache_bytes=0)
