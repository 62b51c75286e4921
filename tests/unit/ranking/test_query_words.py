"""Names of speakers, identifiers and times in a query."""

from dataclasses import replace

import numpy as np
import pytest

from omoide.domain.analysis import term_key
from omoide.domain.identifiers import identifier_terms
from omoide.domain.ranking.event_time import tells_time
from omoide.domain.ranking.identifier import identifiers_held
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.speaker import without_names
from omoide.domain.time_words import time_windows
from omoide.domain.told_time import tells_time as text_tells_time
from tests.unit.ranking.pools import NOW, UTC_ZONE, Member, pool_of, query_of, signs

SPOKEN = pool_of(Member(id="a", speaker="Ann"), Member(id="b", speaker="健太"))


def spelled(text: str, *spans: tuple[int, int]) -> QueryFeatures:
    query = query_of(text, tokens=[signs(1)] * len(spans))
    return replace(query, encoded_text=text, token_spans=np.array(spans, dtype=np.int64))


def test_names_of_speakers_have_no_weight_among_the_words() -> None:
    query = spelled("What did Ann buy?", (0, 4), (4, 8), (8, 12), (12, 16))

    assert without_names(SPOKEN, query).token_weights.tolist() == [1, 1, 0, 1]


def test_a_name_in_pieces_is_left_out_whole_and_only_as_a_word() -> None:
    query = spelled("Ann's Annex", (0, 1), (1, 3), (3, 5), (5, 11))

    assert without_names(SPOKEN, query).token_weights.tolist() == [0, 0, 1, 1]


def test_names_are_found_in_text_without_spaces() -> None:
    query = spelled("健太の船", (0, 2), (2, 3), (3, 4))

    assert without_names(SPOKEN, query).token_weights.tolist() == [0, 1, 1]


def test_a_query_of_nothing_but_a_name_keeps_it() -> None:
    query = spelled("Ann", (0, 3))

    assert without_names(SPOKEN, query) is query


def test_a_query_whose_pieces_are_not_known_stays_as_it_is() -> None:
    query = query_of("Ann", tokens=[signs(1)])

    assert without_names(SPOKEN, query) is query


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("Where is order A-4711?", ["4711"]),
        ("room 12, please", ["12"]),
        ("What did I do on 3 May 2024?", []),
        ("the 3 boats", []),
        ("", []),
    ],
)
def test_identifiers_are_numbers_that_stand_for_one_thing(query: str, terms: list[str]) -> None:
    windows = time_windows(query, now=NOW, zone=UTC_ZONE)

    assert identifier_terms(query, windows).tolist() == [term_key(t) for t in terms]


def test_identifiers_count_by_their_share() -> None:
    pool = pool_of(
        Member(id="a", counts=(1, 1, 0)),
        Member(id="b", counts=(0, 1, 2)),
        Member(id="c", counts=(9, 0, 0)),
    )
    query = replace(query_of(terms=3), identifiers=np.array([False, True, True]))

    part = identifiers_held(pool, query, np.zeros(3))

    assert part.values.tolist() == [0.5, 1.0, 0.0]
    assert part.applies.all()


def test_without_identifiers_the_part_does_not_apply() -> None:
    pool = pool_of(Member(id="a"))

    assert not identifiers_held(pool, query_of(), np.zeros(1)).applies.any()


def test_what_tells_a_time_answers_when() -> None:
    pool = pool_of(Member(id="a", tells_time=True), Member(id="b"))

    asked = tells_time(pool, replace(query_of(), asks_when=True), np.zeros(2))
    otherwise = tells_time(pool, query_of(), np.zeros(2))

    assert asked.values.tolist() == [1.0, 0.0]
    assert asked.applies.all()
    assert not otherwise.applies.any()


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("We sailed to Kiel last weekend.", True),
        ("昨日、船を直した。", True),
        ("I like boats.", False),
        ("x" * 3_000 + " yesterday", False),
    ],
)
def test_texts_tell_times(text: str, tells: bool) -> None:
    assert text_tells_time(text, said_at=NOW) is tells
