"""Storing an evaluation set through the services and searching it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from infra.local.evaluation.evaluation_set import Corpus, EvaluationSet, LabelledQuery
from infra.local.evaluation.metrics import Measures, measure
from infra.local.evaluation.settings_compared import WHOLE, Variant
from omoide.domain.candidates import NominationRequest, Pool
from omoide.domain.memory import Use
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.use_log import Accessed
from omoide.services.search_memories import SearchAnswer, SearchMemories, SearchQuery
from omoide.services.store_memory import StoreMemory

_SHALLOW = 10
_DEEP = 50

Advanced = Callable[[int], None]


class SetClock:
    """A clock that shows what it was set to."""

    def __init__(self) -> None:
        self.time = datetime(2000, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """The time it was set to."""
        return self.time


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredQuery:
    """How well one variant answered one query."""

    variant: str
    corpus: str
    query: LabelledQuery
    measures: Measures


class ForgetfulUses:
    """A use log that remembers nothing: asking must not change what is measured."""

    def record(self, accessed: Accessed) -> None:
        """Count nothing."""

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        """Nothing was ever used."""
        return {}

    def flush(self) -> None:
        """Nothing waits."""


class RepeatingIndex:
    """An index that answers the same request again without looking: variants share one pool."""

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self._pools: dict[tuple[object, ...], Pool] = {}

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the pool of the request, the former one if it was asked before."""
        key = _key(request)
        if key not in self._pools:
            self._pools[key] = self._index.nominate(request)
        return self._pools[key]


def _key(request: NominationRequest) -> tuple[object, ...]:
    vector = None if request.vector is None else request.vector.tobytes()
    facts = (request.namespace, request.where, request.pool, request.newest, request.neighbours)
    return (*facts, request.terms.tobytes(), vector)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measuring:
    """The services that an evaluation goes through.

    Attributes:
        store: Stores the memories.
        search: Searches them; its index is asked once per query for all variants.
        clock: The clock of both.
        variants: What is compared, the whole first.
    """

    store: StoreMemory
    search: SearchMemories
    clock: SetClock
    variants: Sequence[Variant]

    def run(self, evaluation: EvaluationSet, advanced: Advanced) -> list[MeasuredQuery]:
        """Store every memory, ask every query of every variant; tells of each that it is done."""
        measured: list[MeasuredQuery] = []
        for corpus in evaluation.corpora:
            labels = self.store_corpus(evaluation, corpus, advanced)
            last = self.clock.time
            for query in corpus.queries:
                self.clock.time = query.as_of or last
                measured += self._ask(evaluation, corpus, query, labels)
                advanced(1)
        return measured

    def store_corpus(
        self, evaluation: EvaluationSet, corpus: Corpus, advanced: Advanced
    ) -> dict[str, str]:
        """Store the memories of a corpus; the label of each by its id. The clock shows the last."""
        labels: dict[str, str] = {}
        latest = self.clock.time
        for item in corpus.memories:
            self.clock.time = item.created_at or item.memory.event_time or self.clock.time
            latest = max(latest, self.clock.time)
            new = replace(item.memory, namespace=namespace_of(evaluation, corpus))
            labels[self.store(LOCAL_PRINCIPAL, new).view.memory.id] = item.label
            advanced(1)
        self.clock.time = latest
        return labels

    def _ask(
        self,
        evaluation: EvaluationSet,
        corpus: Corpus,
        query: LabelledQuery,
        labels: dict[str, str],
    ) -> list[MeasuredQuery]:
        index = RepeatingIndex(self.search.index)
        plain = replace(self.search, uses=ForgetfulUses())
        shallow = SearchQuery(
            query=query.text, namespace=namespace_of(evaluation, corpus), top_k=_SHALLOW
        )
        deeper = plain(LOCAL_PRINCIPAL, replace(shallow, top_k=_DEEP))
        measured: list[MeasuredQuery] = []
        for variant in self.variants:
            search = replace(plain, index=index, ranker=variant.rank)
            asked = replace(shallow, mode=variant.mode, fusion=variant.fusion)
            answer = search(LOCAL_PRINCIPAL, asked)
            measures = measure(
                _labels(answer, labels),
                query.relevant,
                must_not_top=query.must_not_top,
                found_deep=_labels(deeper, labels) if variant.name == WHOLE else None,
                low_confidence=answer.low_confidence,
            )
            measured.append(
                MeasuredQuery(
                    variant=variant.name, corpus=corpus.name, query=query, measures=measures
                )
            )
        return measured


def _labels(answer: SearchAnswer, labels: dict[str, str]) -> list[str]:
    return [labels[result.view.memory.id] for result in answer.results]


def namespace_of(evaluation: EvaluationSet, corpus: Corpus) -> str:
    """Where a corpus is stored."""
    return f"evaluation/{evaluation.name}/{corpus.name}".replace(" ", "-")
