"""Where words of time stand in English, in lower case."""

from omoide.domain.time_words.english_dates import DATES
from omoide.domain.time_words.english_days import DAYS
from omoide.domain.time_words.english_distances import DISTANCES
from omoide.domain.time_words.english_parts import HABITS, HOLIDAYS, HOURS_AND_PARTS
from omoide.domain.time_words.english_repeated import REPEATED
from omoide.domain.time_words.lexicon import Lexicon

ENGLISH = Lexicon(
    (*HABITS, *REPEATED, *DISTANCES, *DAYS, *HOLIDAYS, *DATES, *HOURS_AND_PARTS),
    at=r"\b(?=[a-z0-9])",
)
"""Habits ("every Monday") come first, so that nothing in them is taken for a time."""
