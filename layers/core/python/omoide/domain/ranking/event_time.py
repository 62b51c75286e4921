"""When it happened: memories whose event lies in, or near, the time that the query speaks of.

A time that is still to come says nothing of what was recorded before it: "what did we decide on the
wrapping? I ship next week" does not ask for this week's memories. So it draws what lies in it only.
A plan is recorded before its time as well: of plans without a year the time draws nothing.
"""

import re

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.stage import Part, Values
from omoide.domain.tense import asks_plan
from omoide.domain.time_words import closeness_of_all

_YEAR = re.compile(r"\d{4}")


def in_time(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score 1 what happened in a window of the query, less the further away from it."""
    values = closeness_of_all(query.windows, pool.event_time, pool.event_time)
    if all(w.start is not None and w.start > query.now for w in query.windows):
        values = np.where(values < 1, 0.0, values)
    applies = bool(query.windows) and not _is_planned(query)
    return Part(values=values, applies=np.full(len(pool.ids), applies))


def _is_planned(query: QueryFeatures) -> bool:
    return asks_plan(query.text) and not any(_YEAR.search(w.text) for w in query.windows)


def tells_time(pool: Pool, query: QueryFeatures, _match: Values) -> Part:
    """Score 1 what speaks of a time, if the query asks for one."""
    applies = np.full(len(pool.ids), query.asks_when)
    return Part(values=pool.tells_time.astype(np.float64), applies=applies)
