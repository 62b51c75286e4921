"""Words of time in a query, and the windows of the caller's calendar that they mean."""

from omoide.domain.time_words.questions import Order, asks_now, asks_past, asks_when, order_asked
from omoide.domain.time_words.window import TimeWindow, closeness, closeness_of_all
from omoide.domain.time_words.windows import time_windows

__all__ = [
    "Order",
    "TimeWindow",
    "asks_now",
    "asks_past",
    "asks_when",
    "closeness",
    "closeness_of_all",
    "order_asked",
    "time_windows",
]
