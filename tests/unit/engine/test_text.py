"""Strings in arrays."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from omoide.engine.text import PackedStrings, strings_at, text_hash

texts = st.lists(st.text(max_size=6) | st.sampled_from(["a", "猫", ""]), max_size=12)


@given(texts, st.data())
def test_packed_strings_are_the_strings(strings: list[str], data: st.DataObject) -> None:
    packed = PackedStrings.of(strings)
    indices = st.lists(st.integers(0, max(len(strings) - 1, 0)), max_size=len(strings))
    rows = np.array(data.draw(indices), dtype=np.int64)

    assert list(packed) == strings
    assert packed[1:] == strings[1:]
    assert strings_at(packed, rows) == [strings[row] for row in rows]
    assert strings_at(strings, rows) == [strings[row] for row in rows]
    assert list(packed.take(rows)) == [strings[row] for row in rows]


def test_hashes_tell_texts_apart() -> None:
    words = [f"{a}{b}" for a in "abc猫" for b in ("", "1", " ")]

    assert len({text_hash(word) for word in words}) == len(words)
    assert all(0 <= text_hash(word) < 2**64 for word in words)
