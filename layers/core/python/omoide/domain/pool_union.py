"""Two pools of one namespace as one."""

from dataclasses import replace
from typing import Any

import numpy as np

from omoide.domain.candidates import Pool

_ARRAYS = (
    *("dense", "by_dense", "by_lexical", "own_counts", "context_counts", "own_lengths"),
    *("context_lengths", "turns", "asks", "is_question", "changes", "scripts", "memory_types"),
    "tells_time",
    *("pinned", "resolved", "importance", "confidence", "arousal", "valence", "created_at"),
    *("event_time", "last_activated_at"),
)
_LISTS = ("ids", "sessions", "speakers")


def union_of(first: Pool, second: Pool) -> Pool:
    """Return the first pool and those of the second that it lacks.

    Args:
        first: Its statistics and its account of a memory count.
        second: Of the same query and namespace.
    """
    known = set(first.ids)
    rows = [row for row, memory_id in enumerate(second.ids) if memory_id not in known]
    is_complete = first.is_complete and second.is_complete
    if not first.ids or not rows:
        return replace(first if first.ids else second, is_complete=is_complete)
    lists = {
        name: [*getattr(first, name), *(getattr(second, name)[row] for row in rows)]
        for name in _LISTS
    }
    arrays = {
        name: np.concatenate([getattr(first, name), getattr(second, name)[rows]])
        for name in _ARRAYS
    }
    parts = [
        second.token_bits[second.token_offsets[row] : second.token_offsets[row + 1]] for row in rows
    ]
    lengths = np.diff(second.token_offsets)[rows]
    changes: dict[str, Any] = {
        **lists,
        **arrays,
        "token_bits": np.concatenate([first.token_bits, *parts]),
        "token_offsets": np.concatenate(
            [first.token_offsets, first.token_offsets[-1] + np.cumsum(lengths, dtype=np.int64)]
        ),
        "is_complete": is_complete,
    }
    return replace(first, **changes)
