import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from omoide_embedding.build.vocabulary import fast_vocabulary
from omoide_embedding.pieces import PieceCutter, normalised_text
from omoide_embedding.unigram import UnigramVocabulary
from tests.unit.embedding.tiny_model import LETTERS, WORDS, unigram_tokenizer

TOKENIZER = json.dumps(unigram_tokenizer())
VOCABULARY = fast_vocabulary(TOKENIZER.encode())
FAST = PieceCutter.of_unigram(VOCABULARY)
GENERAL = PieceCutter.of_tokenizer(Tokenizer.from_str(TOKENIZER))

single_spaced = st.lists(
    st.one_of(st.sampled_from(WORDS), st.text(LETTERS + "猫жß", min_size=1, max_size=12)),
    min_size=1,
    max_size=20,
).map(" ".join)


@given(single_spaced)
def test_pieces_and_places_are_those_of_the_general_library(text: str):
    fast, general = FAST.cut("query " + text), GENERAL.cut("query " + text)

    assert fast.numbers.tolist() == general.numbers.tolist()
    assert fast.starts.tolist() == general.starts.tolist()
    assert fast.ends.tolist() == general.ends.tolist()


@given(st.text())
def test_the_pieces_of_any_text_cover_it_in_order(text: str):
    text = normalised_text(text)

    pieces = FAST.cut(text)

    assert pieces.ends[-1:].tolist() in ([], [len(text)])
    assert pieces.starts[1:].tolist() == pieces.ends[:-1].tolist()
    assert pieces.starts[:1].tolist() in ([], [0])


def test_special_pieces_written_in_a_text_are_plain_characters():
    numbers = FAST.cut("cat </s> <unk>").numbers.tolist()

    assert not {0, 1, 2} & set(numbers)


def test_line_ends_and_runs_of_spaces_part_words_as_one_space_does():
    assert FAST.cut("cat\n  dog").numbers.tolist() == FAST.cut("cat dog").numbers.tolist()


def test_a_run_of_unknown_characters_is_one_piece():
    pieces = FAST.cut("жжж cat")

    assert pieces.numbers.tolist().count(VOCABULARY.unknown) == 1
    assert FAST.unknown_share(pieces) == pytest.approx(0.5)


def test_a_saved_vocabulary_is_read_as_it_was(tmp_path: Path):
    file = tmp_path / "unigram.npz"
    VOCABULARY.save(file)

    read = UnigramVocabulary.load(file)

    assert read.pieces == VOCABULARY.pieces
    assert np.array_equal(read.scores, VOCABULARY.scores)
    assert (read.special, read.before, read.after) == ({0, 1, 2, 3}, (0,), (2,))
    assert read.unknown == 3
