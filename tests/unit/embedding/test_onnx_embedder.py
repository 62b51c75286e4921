from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from omoide.domain.errors import ModelUnavailableError
from omoide.ports.embedder import Embedder, Passage
from omoide_embedding.embedder import OnnxEmbedder
from tests.unit.embedding.tiny_model import DIMS, write_public_model, write_tiny_model


def embedder_of(folder: Path, *, cache_bytes: int = 0) -> Embedder:
    return OnnxEmbedder(folder, cache_bytes=cache_bytes)


def test_a_short_passage_has_one_unit_vector_and_the_signs_of_its_own_tokens(tiny_folder: Path):
    encoding = embedder_of(tiny_folder).embed_passages([Passage(text="cat sat on a blue mat")])[0]

    assert encoding.vectors.shape == (1, DIMS)
    assert np.linalg.norm(encoding.vectors[0]) == pytest.approx(1, abs=1e-5)
    assert encoding.token_bits.shape == (4, DIMS // 8), "on and a are stop words"
    assert encoding.unknown_share == 0


def test_a_query_has_unit_token_vectors_with_a_weight_each(tiny_folder: Path):
    encoding = embedder_of(tiny_folder).embed_query("where is the blue cat")

    assert encoding.vector is not None
    assert len(encoding.tokens) == len(encoding.weights) > 0
    assert np.linalg.norm(encoding.tokens, axis=1) == pytest.approx(1, abs=1e-5)
    assert (encoding.weights > 0).all()


def test_a_query_of_stop_words_alone_still_has_weights(tiny_folder: Path):
    encoding = embedder_of(tiny_folder).embed_query("what the")

    assert len(encoding.tokens) > 0
    assert encoding.weights.tolist() == [1.0] * len(encoding.tokens)


def test_a_text_alone_and_among_others_gives_the_same_vectors(tiny_folder: Path):
    embedder = embedder_of(tiny_folder)
    others = [Passage(text=f"dog ran to harbour {n}") for n in range(31)]

    alone = embedder.embed_passages([Passage(text="tea kept warm")])[0]
    together = embedder.embed_passages([*others, Passage(text="tea kept warm")])[-1]

    assert together.vectors == pytest.approx(alone.vectors, abs=1e-6)
    assert np.array_equal(alone.token_bits, together.token_bits)


def test_equal_texts_of_a_batch_are_encoded_once(tiny_folder: Path):
    embedder = OnnxEmbedder(tiny_folder, cache_bytes=0)

    first, other, again = embedder.embed_passages(
        [Passage(text="cat"), Passage(text="dog"), Passage(text="cat")]
    )

    assert first is again
    assert not np.allclose(first.vectors, other.vectors)


def test_query_and_passage_prefixes_make_different_vectors(tiny_folder: Path):
    embedder = embedder_of(tiny_folder)

    query = embedder.embed_query("coffee in winter").vector
    passage = embedder.embed_passages([Passage(text="coffee in winter")])[0].vectors[0]

    assert query is not None
    assert float(query @ passage) < 0.9999


def test_context_changes_vectors_but_adds_no_tokens_of_its_own(tiny_folder: Path):
    embedder = embedder_of(tiny_folder)

    bare, informed = embedder.embed_passages(
        [Passage(text="red boats"), Passage(text="red boats", context="where were the cat and dog")]
    )

    assert bare.token_bits.shape == informed.token_bits.shape
    assert not np.allclose(bare.vectors, informed.vectors)


def test_a_text_beyond_the_window_has_a_vector_for_each_chunk(tiny_folder: Path):
    words = ["cat", "dog", "boats", "harbour", "tea", "coffee", "winter", "summer"] * 20

    encoding = embedder_of(tiny_folder).embed_passages([Passage(text=" ".join(words))])[0]

    assert len(encoding.vectors) == 5
    assert len(encoding.token_bits) == len(words), "each own token once, overlaps not twice"


def test_a_text_mostly_outside_the_vocabulary_has_no_vectors_and_says_so(tiny_folder: Path):
    embedder = embedder_of(tiny_folder)

    passage = embedder.embed_passages([Passage(text="Привет, дорогой друг cat")])[0]
    query = embedder.embed_query("Привет, дорогой друг cat")

    assert passage.vectors.shape == (0, DIMS)
    assert passage.token_bits.shape == (0, DIMS // 8)
    assert query.vector is None
    assert passage.unknown_share == query.unknown_share == pytest.approx(18 / 21)


def test_a_few_unknown_characters_do_not_matter(tiny_folder: Path):
    encoding = embedder_of(tiny_folder).embed_query("the blue cat sat on a warm mat ж")

    assert encoding.vector is not None
    assert 0 < encoding.unknown_share < 0.3


def test_full_width_letters_and_lone_surrogates_are_encoded_as_plain_text(tiny_folder: Path):
    embedder = embedder_of(tiny_folder)

    wide, plain = embedder.embed_passages([Passage(text="ｃａｔ"), Passage(text="cat")])
    broken = embedder.embed_query("the old cat sat in a warm house \ud800")

    assert np.array_equal(wide.vectors, plain.vectors)
    assert broken.vector is not None


def test_counting_leaves_prefix_and_special_pieces_out(tiny_folder: Path):
    assert embedder_of(tiny_folder).count_tokens("cat sat on a mat") == 5


def test_an_empty_query_has_no_vector(tiny_folder: Path):
    assert embedder_of(tiny_folder).embed_query("  ").vector is None


def test_a_long_query_is_cut_to_the_window(tiny_folder: Path):
    encoding = embedder_of(tiny_folder).embed_query("cat dog boats " * 60)

    assert encoding.vector is not None
    assert len(encoding.tokens) == 44, "48 less two special and two prefix pieces"


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_public_folder_without_pooling_in_its_graph_is_a_model(tmp_path: Path, pooling: str):
    folder = write_public_model(tmp_path / "public", pooling=pooling, dims=DIMS, max_tokens=48)

    encoding = embedder_of(folder).embed_passages([Passage(text="cat and dog")])[0]

    assert np.linalg.norm(encoding.vectors[0]) == pytest.approx(1, abs=1e-5)
    assert encoding.token_bits.shape == (0, DIMS // 8)
    assert not embedder_of(folder).profile.has_token_vectors


def test_mean_pooling_outside_the_graph_equals_pooling_inside(tmp_path: Path):
    inside = write_tiny_model(tmp_path / "inside", passage_prefix="")
    outside = write_public_model(tmp_path / "outside", dims=DIMS, max_tokens=48)

    first, second = (
        embedder_of(folder).embed_passages([Passage(text="tea in the old house")])[0]
        for folder in (inside, outside)
    )

    assert first.vectors == pytest.approx(second.vectors, abs=1e-4)


def test_a_public_folder_may_offer_its_last_states_for_late_interaction(tmp_path: Path):
    folder = write_public_model(
        tmp_path / "public", dims=DIMS, max_tokens=48, token_output="last_hidden_state"
    )

    encoding = embedder_of(folder).embed_query("blue cat")

    assert encoding.tokens.shape == (2, DIMS)


def test_a_mean_vector_in_the_folder_is_subtracted_from_tokens(tmp_path: Path):
    plain = write_tiny_model(tmp_path / "plain")
    centred = write_tiny_model(tmp_path / "centred")
    np.save(centred / "mean.npy", np.full(DIMS, 2.5, np.float32))

    before = embedder_of(plain).embed_query("blue cat")
    after = embedder_of(centred).embed_query("blue cat")

    assert not np.allclose(before.tokens, after.tokens)
    assert before.vector is not None and after.vector is not None
    assert np.array_equal(before.vector, after.vector)


def test_a_broken_graph_makes_the_model_unavailable(tmp_path: Path):
    folder = write_tiny_model(tmp_path / "broken")
    (folder / "model.onnx").write_bytes(b"no graph")

    with pytest.raises(ModelUnavailableError, match="cannot be loaded"):
        embedder_of(folder).embed_query("cat")


def test_a_graph_without_the_named_output_makes_the_model_unavailable(tmp_path: Path):
    folder = write_tiny_model(tmp_path / "model", vector_output="sentence")

    with pytest.raises(ModelUnavailableError, match="sentence"):
        embedder_of(folder).embed_query("cat")


def test_threads_that_come_at_once_share_one_model_and_get_equal_vectors(tiny_folder: Path):
    embedder = embedder_of(tiny_folder)

    with ThreadPoolExecutor(8) as executor:
        encodings = list(executor.map(embedder.embed_query, ["blue cat"] * 32))

    vectors = [encoding.vector for encoding in encodings if encoding.vector is not None]
    assert len(vectors) == 32
    assert all(np.array_equal(vectors[0], vector) for vector in vectors)


def test_the_cache_answers_the_second_time_and_keeps_kinds_and_contexts_apart(tiny_folder: Path):
    embedder = OnnxEmbedder(tiny_folder, cache_bytes=1_000_000)
    passages = [Passage(text="cat"), Passage(text="cat", context="dog")]

    first, second = embedder.embed_passages(passages)
    (third,) = embedder.embed_passages([Passage(text="cat")])
    embedder.embed_query("cat")
    embedder.embed_query("cat")

    statistics = embedder.cache_statistics
    assert (statistics.hits, statistics.misses, statistics.entries) == (2, 3, 3)
    assert third is first
    assert not np.allclose(first.vectors, second.vectors)


def test_cached_encodings_cannot_be_changed_by_a_caller(tiny_folder: Path):
    embedder = OnnxEmbedder(tiny_folder, cache_bytes=1_000_000)

    encoding = embedder.embed_query("cat")

    with pytest.raises(ValueError, match="read-only"):
        encoding.tokens[0, 0] = 1


def test_without_a_cache_nothing_is_kept_or_counted(tiny_folder: Path):
    embedder = OnnxEmbedder(tiny_folder, cache_bytes=0)

    embedder.embed_query("cat")
    embedder.embed_query("cat")

    statistics = embedder.cache_statistics
    assert (statistics.hits, statistics.misses, statistics.entries) == (0, 0, 0)


def test_a_long_turn_before_leaves_a_text_its_place_in_a_small_window(tiny_folder: Path):
    context = "a dog in the old house " * 20
    embedder = embedder_of(tiny_folder)

    boats, tea = embedder.embed_passages(
        [Passage(text=text, context=context) for text in ("blue boats", "tea")]
    )

    assert not np.allclose(boats.vectors[0], tea.vectors[0])
    assert (len(boats.token_bits), len(tea.token_bits)) == (2, 1)


@pytest.mark.parametrize("field", ["query_prefix", "passage_prefix"])
def test_a_prefix_that_fills_the_window_is_refused_by_name(tmp_path: Path, field: str):
    folder = write_tiny_model(tmp_path / "m", **{field: "cat " * 40})

    with pytest.raises(ModelUnavailableError, match=f"{field} fills the window"):
        OnnxEmbedder(folder).load()
