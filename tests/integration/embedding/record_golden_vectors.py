"""Write ``golden_vectors.json`` anew, after a wanted change of a model: run as a module."""

import json
from pathlib import Path

from omoide.ports.embedder import Passage
from omoide_embedding.embedder import OnnxEmbedder
from omoide_embedding.model_folder import built_model_folder

TEXTS = {
    "multilingual-e5-small": [
        "Where does my sister study?",
        "妹は札幌の大学に通っている。",
        "제 여동생은 삿포로에서 공부해요.",
        "The error E-4012 means the cable is loose.",
        "Trời hôm nay mưa to quá!",
    ],
    "minilm": [
        "Where does my sister study?",
        "The error E-4012 means the cable is loose.",
        "Caroline: I went to the pottery class on Saturday",
    ],
}


def golden(embedder: OnnxEmbedder, text: str) -> dict[str, object]:
    """The first 16 dimensions of both vectors, token signs and weights of a text."""
    query = embedder.embed_query(text)
    passage = embedder.embed_passages([Passage(text=text)])[0]
    assert query.vector is not None
    return {
        "text": text,
        "query": [round(float(value), 4) for value in query.vector[:16]],
        "passage": [round(float(value), 4) for value in passage.vectors[0][:16]],
        "token_bits": passage.token_bits.tobytes().hex(),
        "weights": [round(float(value), 4) for value in query.weights],
    }


def main() -> None:
    """Record all texts of all models."""
    recorded = {
        name: [golden(OnnxEmbedder(built_model_folder(name)), text) for text in texts]
        for name, texts in TEXTS.items()
    }
    text = json.dumps(recorded, ensure_ascii=False, indent=1)
    Path(__file__).with_name("golden_vectors.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
