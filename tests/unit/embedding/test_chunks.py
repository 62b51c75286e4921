import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from omoide.ports.embedder import MAX_CHUNKS
from omoide_embedding.chunks import CONTEXT_TOKENS, ChunkPlan, choose_tokens
from omoide_embedding.pieces import PieceCutter
from tests.unit.embedding.tiny_model import WORDS, unigram_tokenizer


def new_cutter() -> PieceCutter:
    return PieceCutter.of_tokenizer(Tokenizer.from_str(json.dumps(unigram_tokenizer())))


CUTTER = new_cutter()
PLAN = ChunkPlan(prefix="passage: ", max_tokens=48, chunk_tokens=30, overlap=6)


def own_pieces(plan: ChunkPlan, text: str, context: str = "") -> list[str]:
    chunks = plan.chunks(CUTTER, text, context)
    return [
        chunk.pieces.text[start:end].strip()
        for chunk in chunks
        for start, end, own in zip(chunk.pieces.starts, chunk.pieces.ends, chunk.own, strict=True)
        if own
    ]


@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=150))
def test_every_word_is_the_own_of_exactly_one_chunk_and_in_order(words: list[str]):
    kept = [piece for piece in own_pieces(PLAN, " ".join(words)) if piece]

    assert kept == words


@given(st.lists(st.sampled_from(WORDS), min_size=50, max_size=150))
def test_no_chunk_exceeds_the_window(words: list[str]):
    chunks = PLAN.chunks(CUTTER, " ".join(words), "cat and dog " * 60)

    assert all(len(chunk.pieces) + CUTTER.special_count <= 48 for chunk in chunks)
    assert chunks[-1].pieces.text.endswith(words[-1])


def test_of_a_text_of_very_many_chunks_the_beginning_and_the_end_are_read():
    words = [WORDS[n % len(WORDS)] for n in range(2_000)]

    chunks = PLAN.chunks(CUTTER, " ".join(words), "")
    read = [piece for piece in own_pieces(PLAN, " ".join(words)) if piece]
    last = read[-int(chunks[-1].own.sum()) :]

    assert len(chunks) == MAX_CHUNKS + 1
    assert all(len(chunk.pieces) + CUTTER.special_count <= 48 for chunk in chunks)
    assert chunks[-1].own.sum() == PLAN.chunk_tokens // 2
    assert last == words[-len(last) :]
    assert read[: -len(last)] == words[: len(read) - len(last)]


@given(st.integers(700, 900))
def test_no_piece_is_read_twice_where_the_end_meets_what_was_read(count: int):
    words = [WORDS[n % len(WORDS)] for n in range(count)]

    chunks = PLAN.chunks(CUTTER, " ".join(words), "")
    read = [piece for piece in own_pieces(PLAN, " ".join(words)) if piece]

    assert len(chunks) <= MAX_CHUNKS + 1
    assert len(read) == count if len(chunks) <= MAX_CHUNKS else len(read) <= count
    assert read[-15:] == words[-15:]


def test_neighbouring_chunks_share_the_overlap():
    words = (WORDS * 4)[:100]

    first, second = PLAN.chunks(CUTTER, " ".join(words), "")[:2]

    shared = " ".join(second.pieces.text.removeprefix("passage: ").split()[:6])
    assert first.pieces.text.endswith(shared)
    assert second.own.sum() == len(second.own) - 2 - 6


def test_a_context_goes_before_the_first_chunk_only():
    chunks = PLAN.chunks(CUTTER, " ".join(["cat"] * 80), "blue boats")

    assert chunks[0].pieces.text.startswith("passage: blue boats\ncat")
    assert all("boats" not in chunk.pieces.text for chunk in chunks[1:])


def test_of_a_long_context_the_end_is_kept():
    plan = ChunkPlan(prefix="passage: ", max_tokens=300, chunk_tokens=150, overlap=8)
    context = " ".join(["dog"] * 300 + ["harbour"])

    (chunk,) = plan.chunks(CUTTER, "cat", context)

    head = chunk.pieces.text.removesuffix("\ncat").removeprefix("passage: ")
    assert head.split() == ["dog"] * (CONTEXT_TOKENS - 1) + ["harbour"]


@given(
    window=st.integers(32, 160),
    texts=st.tuples(*[st.lists(st.sampled_from(WORDS), min_size=1, max_size=120)] * 2),
    overlap=st.integers(1, 12),
)
def test_whatever_the_window_the_whole_text_is_seen_beside_its_context(
    window: int, texts: tuple[list[str], list[str]], overlap: int
):
    plan = ChunkPlan(
        prefix="passage: ", max_tokens=window, chunk_tokens=min(window, 64), overlap=overlap
    )
    text, context = (" ".join(words) for words in texts)

    chunks = plan.chunks(CUTTER, text, context)

    assert [piece for piece in own_pieces(plan, text, context) if piece] == texts[0]
    assert all(len(chunk.pieces) + CUTTER.special_count <= window for chunk in chunks)
    assert chunks[0].own.sum() >= min(len(texts[0]), window // 2 - CUTTER.special_count - 3)


def weights_of(*chunks: list[float]) -> list[np.ndarray]:
    return [np.array(chunk, np.float32) for chunk in chunks]


def test_the_heaviest_tokens_of_each_chunk_are_chosen_in_their_order():
    chosen = choose_tokens(weights_of([1, 5, 0, 3, 2]), limit=3)

    assert chosen[0].tolist() == [1, 3, 4]


def test_a_chunk_that_needs_less_leaves_the_rest_to_others():
    chosen = choose_tokens(weights_of([1] * 10, [2], [3] * 10), limit=11)

    assert [len(chunk) for chunk in chosen] == [5, 1, 5]


def test_tokens_without_weight_are_kept_only_when_there_are_no_others():
    some, none = choose_tokens(weights_of([0, 2, 0])), choose_tokens(weights_of([0, 0]))

    assert some[0].tolist() == [1]
    assert none[0].tolist() == [0, 1]


@given(
    st.lists(st.lists(st.floats(0, 20, width=32), max_size=30), min_size=1, max_size=12),
    st.integers(1, 60),
)
def test_the_limit_holds_and_is_used_as_far_as_there_are_tokens(
    chunks: list[list[float]], limit: int
):
    chosen = choose_tokens(weights_of(*chunks), limit=limit)

    wanted = sum(weight > 0 for chunk in chunks for weight in chunk)
    taken = sum(map(len, chosen))
    assert taken <= limit
    if wanted:
        assert taken >= min(limit - len(chunks) + 1, wanted)
