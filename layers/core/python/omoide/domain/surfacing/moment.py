"""Whether what somebody says is a moment for a memory, and for which of those that match.

A logistic rule over what the message does (its cues), how much it says, and how well the best
memory matches. Its constants are fitted by ``python -m infra.local.evaluation surfacing --fit`` on
the dev half of the labelled moments; docs/context.md has the figures. Messages asked of somebody
else's memories count as a third of a moment to be silent at, so that cues alone surface nothing.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from omoide.domain.surfacing.cues import Cue

MOST_SURFACED = 5
"""Memories shown in one moment."""

LEAST_SHARE = 0.2
"""Share of the best memory's relevance below which another is not shown."""

MOST_INFORMATION = 60.0
MOST_LEXICAL = 0.15
"""A single rare word is no more telling than this."""

FLOOR = -0.95
BIAS = -9.255
MATCH_WEIGHTS: Mapping[str, float] = {
    "dense": 2.946,
    "late_information": 0.1185,
    "lexical": 23.558,
    "information": 1.35,
}
CUE_WEIGHTS: Mapping[Cue, float] = {
    Cue.OWN: 0.741,
    Cue.PLAN: 0.828,
    Cue.TIME: 0.256,
    Cue.NAME: 0.719,
    Cue.WORLD: -1.959,
    Cue.REMARK: -1.443,
    Cue.EDIT: -0.641,
    Cue.ANSWER: -1.19,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How well a memory matches what was said; parts that do not apply are 0.

    Attributes:
        dense: `sim`.
        late: Of the token vectors.
        lexical: Share of the possible score.
        relevance: 0..1.
    """

    dense: float
    late: float
    lexical: float
    relevance: float


def features(
    cues: frozenset[Cue], information: float, matches: Sequence[Match]
) -> dict[str, float]:
    """What the rule looks at, by name.

    Args:
        cues: Of the message.
        information: Sum of the weights of its tokens, how much it says.
        matches: Of the memories found.
    """
    told = min(information, MOST_INFORMATION)
    best_late = max((match.late for match in matches), default=0.0)
    best_lexical = max((match.lexical for match in matches), default=0.0)
    return {
        "dense": max((match.dense for match in matches), default=0.0),
        "late_information": best_late * told,
        "lexical": min(best_lexical, MOST_LEXICAL),
        "information": math.log1p(told),
        **{cue.value: float(cue in cues) for cue in Cue},
    }


def is_moment(cues: frozenset[Cue], information: float, matches: Sequence[Match]) -> bool:
    """Whether the best memory is worth interrupting for."""
    if not matches:
        return False
    seen = features(cues, information, matches)
    told = sum(weight * seen[name] for name, weight in MATCH_WEIGHTS.items())
    done = sum(weight * seen[cue.value] for cue, weight in CUE_WEIGHTS.items())
    return BIAS + told + done > FLOOR


def worth_showing(matches: Sequence[Match]) -> list[int]:
    """Which of the memories found to show, by place: few, and none far below the best."""
    best = max((match.relevance for match in matches), default=0.0)
    near = [place for place, one in enumerate(matches) if one.relevance >= LEAST_SHARE * best]
    return near[:MOST_SURFACED]
