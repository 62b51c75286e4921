"""Every stage of relevance, in the order in which they are explained.

A new stage is a file beside this one, a weight in `RankingWeights` and a row here.
"""

from omoide.domain.ranking.association import association
from omoide.domain.ranking.conversation import best_of_session, next_turn, previous_question
from omoide.domain.ranking.dense_similarity import dense_match
from omoide.domain.ranking.event_order import event_order
from omoide.domain.ranking.event_time import in_time, tells_time
from omoide.domain.ranking.identifier import identifiers_held
from omoide.domain.ranking.late_interaction import late_interaction
from omoide.domain.ranking.lexical_share import lexical_share, own_lexical_share
from omoide.domain.ranking.newer_first import newer_first
from omoide.domain.ranking.question import is_question
from omoide.domain.ranking.speaker import speaker_named
from omoide.domain.ranking.stage import Stage, WordStage
from omoide.domain.ranking.surroundings import terms_nearby, words_nearby, words_of_session

WORD_STAGES = (
    WordStage(name="late", weight=lambda w: w.late, score=late_interaction, text_match=1.0),
    WordStage(name="late_nearby", weight=lambda w: w.late_nearby, score=words_nearby),
    WordStage(name="late_session", weight=lambda w: w.late_session, score=words_of_session),
)
"""What looks for single words of the query in a memory or around it."""

TEXT_STAGES = (
    Stage(name="dense", weight=lambda w: w.dense, score=dense_match, text_match=0.3),
    Stage(name="lexical_own", weight=lambda _: 0.0, score=own_lexical_share, text_match=0.3),
    Stage(name="lexical", weight=lambda w: w.lexical, score=lexical_share),
)
"""What compares the text of a memory with the query."""

SURROUNDING_STAGES = (
    Stage(name="previous_question", weight=lambda w: w.previous_question, score=previous_question),
    Stage(name="next_turn", weight=lambda w: w.next_turn, score=next_turn),
    Stage(name="lexical_nearby", weight=lambda w: w.lexical_nearby, score=terms_nearby),
    Stage(name="session", weight=lambda w: w.session, score=best_of_session),
    Stage(name="speaker", weight=lambda w: w.speaker, score=speaker_named),
    Stage(name="time", weight=lambda w: w.time, score=in_time),
    Stage(name="tells_time", weight=lambda w: w.tells_time, score=tells_time, is_extra=True),
    Stage(name="identifiers", weight=lambda w: w.identifiers, score=identifiers_held),
    Stage(name="question", weight=lambda w: w.question, score=is_question, is_extra=True),
    Stage(name="association", weight=lambda w: w.association, score=association, is_extra=True),
)
"""What looks at a memory's surroundings; made from the match of the text, among other things."""

ADJUSTING_STAGES = (
    Stage(name="newer_first", weight=lambda w: w.newer_first, score=newer_first, is_extra=True),
    Stage(name="event_order", weight=lambda w: w.event_order, score=event_order, is_extra=True),
)
"""What looks at the order that the others gave: each is given relevance so far, not the match."""

STAGE_NAMES = tuple(
    s.name for s in (*WORD_STAGES, *TEXT_STAGES, *SURROUNDING_STAGES, *ADJUSTING_STAGES)
)

LEXICAL_STAGES = frozenset({"lexical", "lexical_own", "lexical_nearby", "identifiers"})
VECTOR_STAGES = frozenset(
    {"late", "late_nearby", "late_session", "dense", "association", "newer_first"}
)
