"""Words of time in a query, and the windows of the caller's calendar that they mean."""

from omoide.domain.time_words.window import TimeWindow, closeness, closeness_of_all
from omoide.domain.time_words.windows import time_windows

__all__ = ["TimeWindow", "closeness", "closeness_of_all", "time_windows"]
