"""How often surfacing is silent where it should be, and helpful where it can be."""

import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

from functions import composition
from infra.local.evaluation.measuring import SetClock
from infra.local.evaluation.moments import Moment, read_memories, read_moments, store_memories
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.services.surface_memories import SurfaceAnswer, SurfaceQuery
from omoide.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfacingScore:
    """How some moments went; shares in percent.

    Attributes:
        name: Which moments.
        silent: Moments without need at which nothing was shown.
        silent_count: How many there are.
        helped: Moments of need at which a memory that helps was shown.
        helped_count: How many there are.
        first: Moments of need at which such a memory was shown first.
        shown: Memories shown at a moment of need, on average.
        tokens: What they take, on average.
    """

    name: str
    silent: float
    silent_count: int
    helped: float
    helped_count: int
    first: float
    shown: float
    tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfacingReport:
    """How a half went.

    Attributes:
        scores: Of all moments, then by language.
        repeats: Memories shown again when each user's moments are one session.
        p95_ms: Time of a moment, the 95th of 100, at so few memories.
    """

    scores: tuple[SurfacingScore, ...]
    repeats: int
    p95_ms: float

    def table(self) -> str:
        """The report for a terminal."""
        head = f"{'moments':12}{'silent':>16}{'helped':>16}{'first':>8}{'shown':>7}{'tokens':>8}"
        lines = [head]
        for one in self.scores:
            silent = f"{one.silent:.1f} % of {one.silent_count}"
            helped = f"{one.helped:.1f} % of {one.helped_count}"
            lines.append(
                f"{one.name:12}{silent:>16}{helped:>16}{one.first:8.1f}{one.shown:7.1f}"
                f"{one.tokens:8.0f}"
            )
        lines.append(f"repeats in a session: {self.repeats}; p95 {self.p95_ms:.0f} ms")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Went:
    moment: Moment
    answer: SurfaceAnswer
    labels: list[str]


@contextmanager
def known_users(folder: Path) -> Generator[dict[str, str]]:
    """The services over a temporary folder with the memories; gives their labels by id.

    Raises:
        InvalidRequestError: A line of the folder cannot be understood.
    """
    clock = SetClock()
    with tempfile.TemporaryDirectory(prefix="omoide-eval-") as place:
        composition.configure(Settings.load(data=Path(place) / "data"), clock=clock)
        try:
            yield store_memories(composition.store_memory(), clock, read_memories(folder))
        finally:
            composition.close()


def score_surfacing(folder: Path, half: str) -> SurfacingReport:
    """Ask every moment of one half in a session of its own, then each user's in one session.

    Raises:
        InvalidRequestError: A line of the folder cannot be understood.
    """
    moments = read_moments(folder, half)
    with known_users(folder) as labels:
        went = [_ask(moment, f"moment {n}", labels) for n, moment in enumerate(moments)]
        times = [_timed(moment, f"again {n}") for n, moment in enumerate(moments)]
        in_one = [_ask(moment, f"all of {moment.user}", labels) for moment in moments]
    seen = [(one.moment.user, label) for one in in_one for label in one.labels]
    languages = sorted({moment.language for moment in moments})
    groups = [went, *([w for w in went if w.moment.language == code] for code in languages)]
    return SurfacingReport(
        scores=tuple(map(_score, ["all", *languages], groups)),
        repeats=len(seen) - len(set(seen)),
        p95_ms=float(np.percentile(times, 95)) * 1000,
    )


def _ask(moment: Moment, session: str, labels: dict[str, str]) -> _Went:
    query = SurfaceQuery(context=moment.text, session_id=session, namespace=moment.user)
    answer = composition.surface_memories()(LOCAL_PRINCIPAL, query)
    shown = [labels[item.result.view.memory.id] for item in answer.items]
    return _Went(moment=moment, answer=answer, labels=shown)


def _timed(moment: Moment, session: str) -> float:
    query = SurfaceQuery(context=f"{moment.text} ", session_id=session, namespace=moment.user)
    began = perf_counter()
    composition.surface_memories()(LOCAL_PRINCIPAL, query)
    return perf_counter() - began


def _score(name: str, went: Sequence[_Went]) -> SurfacingScore:
    idle = [one for one in went if not one.moment.is_useful]
    needy = [one for one in went if one.moment.is_useful]
    return SurfacingScore(
        name=name,
        silent=_percent([not one.answer.text for one in idle]),
        silent_count=len(idle),
        helped=_percent([bool(one.moment.relevant & set(one.labels)) for one in needy]),
        helped_count=len(needy),
        first=_percent(
            [one.labels[:1] != [] and one.labels[0] in one.moment.relevant for one in needy]
        ),
        shown=float(np.mean([len(one.labels) for one in needy] or [0])),
        tokens=float(np.mean([one.answer.total_tokens for one in needy] or [0])),
    )


def _percent(hits: Sequence[bool]) -> float:
    return 100 * sum(hits) / len(hits) if hits else 0.0
