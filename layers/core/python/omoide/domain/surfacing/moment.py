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
"""Memories shown in one moment. Fewer, or none far below the best, help seldomer."""

MOST_INFORMATION = 60.0
MOST_LEXICAL = 0.15
"""A single rare word is no more telling than this."""

FLOOR = -1.103
BIAS = -8.537
MATCH_WEIGHTS: Mapping[str, float] = {
    "dense": 2.129,
    "late_information": 0.0927,
    "lexical": 23.289,
    "information": 1.241,
}
CUE_WEIGHTS: Mapping[Cue, float] = {
    Cue.OWN: 0.769,
    Cue.PLAN: 0.788,
    Cue.TIME: 0.381,
    Cue.NAME: 0.601,
    Cue.WORLD: -1.841,
    Cue.REMARK: -1.374,
    Cue.EDIT: -0.665,
    Cue.ANSWER: -1.263,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """How well a memory matches what was said; parts that do not apply are 0.

    Attributes:
        dense: `sim`.
        late: Of the token vectors.
        lexical: Share of the possible score.
    """

    dense: float
    late: float
    lexical: float


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
