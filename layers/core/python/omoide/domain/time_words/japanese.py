"""Where words of time stand in Japanese."""

from omoide.domain.time_words.japanese_dates import DATES
from omoide.domain.time_words.japanese_days import DAYS
from omoide.domain.time_words.japanese_distances import DISTANCES
from omoide.domain.time_words.japanese_parts import HABITS, HOLIDAYS, HOURS_AND_PARTS
from omoide.domain.time_words.lexicon import Lexicon

JAPANESE = Lexicon(
    (*HABITS, *DISTANCES, *DAYS, *HOLIDAYS, *DATES, *HOURS_AND_PARTS),
    at="(?![のにをがでもたてだるりれいっんうく、。])",
)
"""Habits and words that only look like times (三日坊主) come first."""
