"""Whether a moment calls for a memory."""

from hypothesis import given
from hypothesis import strategies as st

from omoide.domain.surfacing.cues import Cue
from omoide.domain.surfacing.moment import (
    CUE_WEIGHTS,
    MATCH_WEIGHTS,
    Match,
    features,
    is_moment,
)

CUES = st.frozensets(st.sampled_from(list(Cue)))
SHARES = st.floats(0, 1)
STRONG = Match(dense=0.9, late=0.9, lexical=0.3)
WEAK = Match(dense=0.0, late=0.1, lexical=0.0)
PLAN = frozenset({Cue.OWN, Cue.PLAN})


def test_a_plan_with_a_match_is_a_moment() -> None:
    assert is_moment(PLAN, 40.0, [STRONG])


def test_without_a_memory_nothing_is_a_moment() -> None:
    assert not is_moment(PLAN, 60.0, [])


def test_a_plan_that_nothing_matches_is_none() -> None:
    assert not is_moment(PLAN, 15.0, [WEAK])


def test_small_talk_is_none_however_it_matches() -> None:
    assert not is_moment(frozenset({Cue.ANSWER, Cue.REMARK}), 5.0, [STRONG])


def test_every_feature_has_a_weight() -> None:
    seen = features(PLAN, 10.0, [STRONG])

    assert set(seen) == set(MATCH_WEIGHTS) | {cue.value for cue in CUE_WEIGHTS}
    assert set(CUE_WEIGHTS) == set(Cue)


@given(cues=CUES, information=st.floats(0, 100), dense=SHARES, late=SHARES, more=SHARES)
def test_a_better_match_never_silences(
    cues: frozenset[Cue], information: float, dense: float, late: float, more: float
) -> None:
    matches = [Match(dense=dense, late=late, lexical=0.1)]
    better = [Match(dense=min(1.0, dense + more), late=min(1.0, late + more), lexical=0.2)]

    assert is_moment(cues, information, better) >= is_moment(cues, information, matches)
