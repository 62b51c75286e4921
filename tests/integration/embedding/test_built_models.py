import json
from pathlib import Path
from typing import TypedDict

import numpy as np
import pytest
from tokenizers import Tokenizer

from omoide.ports.embedder import MAX_CHUNKS, Passage
from omoide_embedding.build.models_file import read_models_file
from omoide_embedding.calibration import read_calibration_texts
from omoide_embedding.embedder import OnnxEmbedder
from omoide_embedding.pieces import PieceCutter, normalised_text
from tests.integration.embedding.conftest import built

pytestmark = pytest.mark.integration

TURN = Passage(text="Melanie: I painted it last year", context="Caroline: is that lake yours?")


class GoldenText(TypedDict):
    """What one text must give, whatever the machine."""

    text: str
    query: list[float]
    passage: list[float]
    token_bits: str
    weights: list[float]


def golden_texts(model_id: str) -> list[GoldenText]:
    file = Path(__file__).with_name("golden_vectors.json")
    return json.loads(file.read_text(encoding="utf-8"))[model_id]


def test_vectors_are_those_recorded(any_model: OnnxEmbedder):
    for golden in golden_texts(any_model.profile.model_id):
        query = any_model.embed_query(golden["text"])
        passage = any_model.embed_passages([Passage(text=golden["text"])])[0]

        assert query.vector is not None
        assert query.vector[:16] == pytest.approx(golden["query"], abs=0.01)
        assert passage.vectors[0][:16] == pytest.approx(golden["passage"], abs=0.01)
        assert query.weights == pytest.approx(golden["weights"], abs=1e-3)
        recorded = np.frombuffer(bytes.fromhex(golden["token_bits"]), np.uint8)
        differing = np.unpackbits(recorded ^ passage.token_bits.reshape(-1)).mean()
        assert differing < 0.03


def test_the_profile_is_what_models_toml_says(any_model: OnnxEmbedder):
    profile = any_model.profile
    entry = read_models_file().entry(profile.model_id)

    assert profile.dims == entry.embed["dims"]
    assert [profile.dense.floor, profile.dense.ceiling] == entry.embed["scales"]["dense"]
    assert [profile.late.floor, profile.late.ceiling] == entry.embed["scales"]["late"]
    assert profile.has_token_vectors


def test_a_text_alone_and_in_a_batch_of_32_gives_the_same_vector(any_model: OnnxEmbedder):
    texts = [entry.text for entry in read_calibration_texts(languages=["en", "ja"])][::8][:32]
    assert len(texts) == 32

    together = any_model.embed_passages([Passage(text=text) for text in texts])

    for text, encoding in zip(texts, together, strict=True):
        alone = any_model.embed_passages([Passage(text=text)])[0]
        assert float(alone.vectors[0] @ encoding.vectors[0]) >= 0.9999
        assert np.array_equal(alone.token_bits, encoding.token_bits)


def test_context_changes_the_vector_and_keeps_the_own_tokens_only(any_model: OnnxEmbedder):
    bare, informed = any_model.embed_passages([Passage(text=TURN.text), TURN])

    assert float(bare.vectors[0] @ informed.vectors[0]) < 0.999
    assert bare.token_bits.shape == informed.token_bits.shape


def test_a_query_and_a_passage_are_encoded_apart(multilingual: OnnxEmbedder):
    query = multilingual.embed_query("the lake painting").vector
    passage = multilingual.embed_passages([Passage(text="the lake painting")])[0].vectors[0]

    assert query is not None
    assert float(query @ passage) < 0.999


def test_a_fact_at_the_end_of_32768_characters_has_its_own_chunk(multilingual: OnnxEmbedder):
    filler = " ".join(entry.text for entry in read_calibration_texts(languages=["en"]))
    fact = " The vet weighed Pompom the ferret today: 812 grams, a little too light."
    text = (filler * 4)[: 32_768 - len(fact)] + fact

    encoding = multilingual.embed_passages([Passage(text=text)])[0]
    query = multilingual.embed_query("How heavy is the ferret?")

    assert len(text) == 32_768
    assert query.vector is not None
    assert int(np.argmax(encoding.vectors @ query.vector)) == len(encoding.vectors) - 1
    assert len(encoding.token_bits) == 1024


def test_a_text_that_is_written_to_be_slow_is_read_in_as_many_chunks_as_others(
    multilingual: OnnxEmbedder,
):
    digits = "".join(f"{number * 2_654_435_761 % 2**32:08x}" for number in range(4_096))

    encoding = multilingual.embed_passages([Passage(text=digits)])[0]

    assert len(digits) == 32_768
    assert multilingual.count_tokens(digits) > 16_000
    assert len(encoding.vectors) == MAX_CHUNKS + 1


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("妹の名前は美咲で、札幌の大学に通っている。", True),
        ("제 여동생은 삿포로에서 대학을 다녀요.", True),
        ("Chị gái tôi học đại học ở Huế, mùa mưa rất dài.", True),
        ("Żółć gęślą jaźń 🎉", True),
        ("Моя сестра учится в университете в Саппоро.", True),
        ("Η αδερφή μου σπουδάζει στο πανεπιστήμιο του Σαπόρο.", False),
        ("أختي تدرس في جامعة سابورو", False),
    ],
)
def test_scripts_not_kept_are_told_from_those_kept(
    multilingual: OnnxEmbedder, text: str, known: bool
):
    encoding = multilingual.embed_passages([Passage(text=text)])[0]

    assert len(encoding.vectors) == int(known)
    assert (encoding.unknown_share <= 0.3) == known


def test_what_a_japanese_question_asks_for_is_nearest_in_either_language(
    multilingual: OnnxEmbedder,
):
    memories = [
        "My younger sister studies in Sapporo.",
        "毎朝6時に起きて近所の公園を走っている。",
        "The card terminal shows E-4012 when the cable is loose.",
        "妹は札幌の大学に通っている。",
    ]

    passages = multilingual.embed_passages([Passage(text=memory) for memory in memories])
    query = multilingual.embed_query("妹はどこで勉強していますか？").vector

    assert query is not None
    nearest = np.argsort([-float(passage.vectors[0] @ query) for passage in passages])
    assert set(nearest[:2].tolist()) == {0, 3}


def test_the_quick_vocabulary_gives_the_pieces_of_tokenizer_json():
    folder = built("multilingual-e5-small")
    quick = PieceCutter.load(folder)
    general = PieceCutter.of_tokenizer(Tokenizer.from_file(str(folder / "tokenizer.json")))
    texts = [entry.text for entry in read_calibration_texts()]
    texts += [f"x{chr(code)}y" for code in range(1, 0x20000) if not 0xD800 <= code < 0xE000]

    differing = [
        text
        for text in map(normalised_text, texts)
        if not np.array_equal(
            quick.cut("query: " + text).numbers, general.cut("query: " + text).numbers
        )
    ]

    assert differing == []
