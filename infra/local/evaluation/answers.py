"""Answers to labelled queries, those without an answer too, for judging what is said of them."""

import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from functions import composition
from infra.local.evaluation.evaluation_set import Corpus, EvaluationSet
from infra.local.evaluation.labelled import Half, read_labelled
from infra.local.evaluation.measuring import Measuring, SetClock
from infra.local.evaluation.own_files import read_own
from infra.local.evaluation.recording import Asked, record
from infra.local.evaluation.run import Progress
from infra.local.evaluation.settings_compared import variants
from omoide.domain.ranking.ranker import Ranked, arrange
from omoide.settings import Settings

OFF_TOPIC = "off-topic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A query as it was answered.

    Attributes:
        evaluation: Name of its set.
        asked: The query and the pool.
        ranked: The ranking.
    """

    evaluation: str
    asked: Asked
    ranked: Ranked

    @property
    def is_answerable(self) -> bool:
        """Whether a memory answers it."""
        return bool(self.asked.query.relevant)

    @property
    def is_off_topic(self) -> bool:
        """Whether it was asked of somebody else's memories."""
        return self.asked.query.category == OFF_TOPIC

    @property
    def has_words(self) -> bool:
        """Whether the model knows the words of its memories."""
        return len(self.ranked.pool.token_bits) > 0

    def is_right(self, row: int) -> bool:
        """Whether a row of the pool answers it."""
        return self.asked.labels[row] in self.asked.query.relevant


def answers(labelled: Path, data: Path | None, half: Half, progress: Progress) -> list[Answer]:
    """Ask the labelled sets, and the multilingual set of a folder, through the services.

    Args:
        labelled: Folder of the labelled sets.
        data: Folder with ``multilingual_dev``, asked with the half "dev"; also of each other's
            memories, which answer nothing.
        half: Which half of the labelled sets.
        progress: Shows how far it is.
    """
    sets = read_labelled(labelled, half)
    if data is not None and half is Half.DEV:
        own = read_own(data / "multilingual_dev")
        sets += [own, _asked_of_others(own)]
    found: list[Answer] = []
    for evaluation in sets:
        with _measuring() as measuring:
            steps = evaluation.memory_count + evaluation.query_count
            with progress(f"{evaluation.name}: memories and queries", steps) as advanced:
                asked = record(measuring, evaluation, advanced)
        found += [Answer(evaluation=evaluation.name, asked=a, ranked=_ranked(a)) for a in asked]
    return found


def _asked_of_others(evaluation: EvaluationSet) -> EvaluationSet:
    corpora = evaluation.corpora
    others = (
        Corpus(
            name=corpus.name,
            memories=corpus.memories,
            queries=tuple(
                replace(query, relevant={}, must_not_top=(), category=OFF_TOPIC)
                for other in corpora
                if other is not corpus
                for query in other.queries
            ),
        )
        for corpus in corpora
    )
    return EvaluationSet(name=f"{evaluation.name} {OFF_TOPIC}", corpora=tuple(others))


def _ranked(asked: Asked) -> Ranked:
    return arrange(asked.prepare(), asked.features.model.weights)


@contextmanager
def _measuring() -> Generator[Measuring]:
    clock = SetClock()
    with tempfile.TemporaryDirectory(prefix="omoide-eval-") as folder:
        composition.configure(Settings.load(data=Path(folder) / "data"), clock=clock)
        try:
            yield Measuring(
                store=composition.store_memory(),
                search=composition.search_memories(),
                clock=clock,
                variants=variants()[:1],
            )
        finally:
            composition.close()


def script_pair(answer: Answer, row: int) -> str:
    """Name the language of the query and whether the memory shares a script with it."""
    scripts = int(answer.ranked.pool.scripts[row])
    query = int(answer.asked.features.scripts)
    is_shared = not scripts or not query or bool(scripts & query)
    return f"{answer.asked.query.language}, {'same script' if is_shared else 'across scripts'}"
