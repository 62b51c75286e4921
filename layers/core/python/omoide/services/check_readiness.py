"""Whether the parts that requests need are there."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from omoide.domain.candidates import NominationRequest
from omoide.domain.errors import OmoideError
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.embedder import Embedder
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.memory_records import MemoryRecords

_log = logging.getLogger(__name__)
_UNFORESEEN = "It failed in an unforeseen way; the log tells more."

RECORDS, INDEX, MODEL = "records", "index", "model"

_PROBED_NAMESPACE = "omoide.readiness"
_PROBE = NominationRequest(
    namespace=_PROBED_NAMESPACE,
    where=MemoryFilter(),
    vector=None,
    terms=np.array([1], dtype=np.uint64),
    pool=1,
    revision="none",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """How one part is.

    Attributes:
        name: ``records``, ``index`` or ``model``.
        problem: What is wrong with it, fit to be shown to anyone; None when it works.
    """

    name: str
    problem: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """How the parts are."""

    parts: tuple[Part, ...]

    @property
    def is_ready(self) -> bool:
        """Whether every part works."""
        return all(part.problem is None for part in self.parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReadiness:
    """Uses each part once, in the smallest way.

    Attributes:
        records: Gives the records; opening them is part of the check.
        index: Gives the index; None leaves it out.
        embedder: Gives the embedder; None leaves it out. The model is loaded by the check.
    """

    records: Callable[[], MemoryRecords]
    index: Callable[[], MemoryIndex] | None = None
    embedder: Callable[[], Embedder] | None = None

    def __call__(self) -> Readiness:
        """Return how each part is; whatever a part raises is told of it."""
        index, embedder = self.index, self.embedder
        parts = [_check(RECORDS, lambda: self.records().count(_PROBED_NAMESPACE))]
        if index is not None:
            parts.append(_check(INDEX, lambda: index().nominate(_PROBE)))
        if embedder is not None:
            parts.append(_check(MODEL, lambda: embedder().embed_query("ready")))
        return Readiness(parts=tuple(parts))


def _check(name: str, probe: Callable[[], object]) -> Part:
    """Errors are told by their kind: their own words may name paths of this machine."""
    try:
        probe()
    except OmoideError as error:
        return Part(name=name, problem=(type(error).__doc__ or "").strip().splitlines()[0])
    except Exception as error:  # noqa: BLE001 - whatever a part raises, it is the part that is down
        _log.error("%s is not ready: %s", name, type(error).__name__)
        return Part(name=name, problem=_UNFORESEEN)
    return Part(name=name, problem=None)
