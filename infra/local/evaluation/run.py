"""One evaluation, from files to figures, through the real services on a folder of its own."""

import tempfile
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from functions import composition
from infra.local.evaluation.evaluation_set import EvaluationSet
from infra.local.evaluation.locomo import read_locomo
from infra.local.evaluation.measuring import Advanced, Measuring, SetClock
from infra.local.evaluation.own_files import read_own
from infra.local.evaluation.recording import record
from infra.local.evaluation.report import Report, report
from infra.local.evaluation.settings_compared import variants
from infra.local.evaluation.tuning import Tuned, steps, tune
from omoide.domain.errors import InvalidRequestError
from omoide.settings import Settings

Progress = Callable[[str, int], AbstractContextManager[Advanced]]
"""Shows a step: its label and length; gives what to call as it goes on."""

_LOCOMO = "locomo_dev.json"
_MULTILINGUAL = "multilingual_dev"


def evaluate_file(
    path: Path, progress: Progress, *, with_parts: bool = True, model: str | None = None
) -> Report:
    """Measure retrieval on a user's own memories and queries.

    They are stored in a temporary folder; the user's own data is neither read nor changed.

    Args:
        path: A JSONL file or a folder; see `infra.local.evaluation.own_files`.
        progress: Shows how far it is.
        with_parts: Whether to measure what each part of the ranking gives, too.
        model: Name or folder of the embedding model; None takes the one of the settings.

    Raises:
        InvalidRequestError: The file cannot be understood; names the line.
        ModelUnavailableError: The embedding model is not built.
    """
    return evaluate([read_own(path)], progress, with_parts=with_parts, model=model)[0]


def tune_file(path: Path, progress: Progress, *, model: str | None = None) -> Tuned:
    """Fit the weights of the ranking to a user's own memories and queries.

    They are stored in a temporary folder; the user's own data is neither read nor changed.

    Args:
        path: A JSONL file or a folder; see `infra.local.evaluation.own_files`.
        progress: Shows how far it is.
        model: Name or folder of the embedding model; None takes the one of the settings.

    Raises:
        InvalidRequestError: The file cannot be understood, or holds too few queries.
        ModelUnavailableError: The embedding model is not built.
    """
    one = read_own(path)
    clock = SetClock()
    with tempfile.TemporaryDirectory(prefix="omoide-eval-") as folder:
        settings = Settings.load(data=Path(folder) / "data", model=model)
        composition.configure(settings, clock=clock)
        try:
            return tune_set(one, clock, progress)
        finally:
            composition.close()


def tune_set(evaluation: EvaluationSet, clock: SetClock, progress: Progress) -> Tuned:
    """Fit weights to a set through the services as they are configured.

    Args:
        evaluation: The set; its namespaces are written.
        clock: The clock that the services were configured with.
        progress: Shows how far it is.
    """
    weights = composition.embedder().profile.weights
    with progress(f"{evaluation.name}: memories and queries", _steps(evaluation)) as advanced:
        asked = record(_measuring(clock, with_parts=False), evaluation, advanced)
    with progress("weights", steps()) as advanced:
        return tune(asked, weights, advanced)


def evaluate_data(
    folder: Path, progress: Progress, *, with_parts: bool = True, model: str | None = None
) -> list[Report]:
    """Measure retrieval on the evaluation sets of a folder, those that are there.

    Args:
        folder: Holds ``locomo_dev.json``, ``multilingual_dev`` or both.
        progress: Shows how far it is.
        with_parts: Whether to measure what each part of the ranking gives, too.
        model: Name or folder of the embedding model; None takes the one of the settings.

    Raises:
        InvalidRequestError: Neither set is there.
        ModelUnavailableError: The embedding model is not built.
    """
    sets: list[EvaluationSet] = []
    if (folder / _LOCOMO).is_file():
        sets.append(read_locomo(folder / _LOCOMO))
    if (folder / _MULTILINGUAL).is_dir():
        sets.append(read_own(folder / _MULTILINGUAL))
    if not sets:
        problem = f"has neither {_LOCOMO} nor {_MULTILINGUAL}"
        raise InvalidRequestError.of(str(folder), problem)
    return evaluate(sets, progress, with_parts=with_parts, model=model)


def evaluate(
    sets: Sequence[EvaluationSet],
    progress: Progress,
    *,
    with_parts: bool = True,
    model: str | None = None,
) -> list[Report]:
    """Measure retrieval on evaluation sets, each in a temporary folder of its own."""
    reports: list[Report] = []
    for one in sets:
        clock = SetClock()
        with tempfile.TemporaryDirectory(prefix="omoide-eval-") as folder:
            data = Path(folder) / "data"
            composition.configure(Settings.load(data=data, model=model), clock=clock)
            try:
                reports.append(measure_set(one, clock, progress, with_parts=with_parts))
            finally:
                composition.close()
    return reports


def measure_set(
    evaluation: EvaluationSet, clock: SetClock, progress: Progress, *, with_parts: bool
) -> Report:
    """Measure retrieval on a set through the services as they are configured.

    Args:
        evaluation: The set; its namespaces are written.
        clock: The clock that the services were configured with.
        progress: Shows how far it is.
        with_parts: Whether to measure what each part of the ranking gives, too.
    """
    profile = composition.embedder().profile
    measuring = _measuring(clock, with_parts=with_parts)
    with progress(f"{evaluation.name}: memories and queries", _steps(evaluation)) as advanced:
        measured = measuring.run(evaluation, advanced)
    return report(evaluation, f"{profile.model_id} ({profile.revision})", measured)


def _measuring(clock: SetClock, *, with_parts: bool) -> Measuring:
    return Measuring(
        store=composition.store_memory(),
        search=composition.search_memories(),
        clock=clock,
        variants=variants() if with_parts else variants()[:1],
    )


def _steps(evaluation: EvaluationSet) -> int:
    return evaluation.memory_count + evaluation.query_count
