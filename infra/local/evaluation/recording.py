"""Recording what the stages of a ranking say, so that weights are compared without searching."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from infra.local.evaluation.evaluation_set import EvaluationSet, LabelledQuery
from infra.local.evaluation.measuring import Advanced, ForgetfulUses, Measuring, namespace_of
from infra.local.evaluation.metrics import Measures, measure
from omoide.domain.candidates import Pool
from omoide.domain.memory import Use
from omoide.domain.model_profile import RankingWeights
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.domain.ranking.low_confidence import is_low_confidence
from omoide.domain.ranking.options import RankingOptions
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.ranker import Prepared, Ranked, arrange, prepare, rank
from omoide.services.search_memories import SearchQuery

_CUT = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A query as a search ranked it.

    Attributes:
        corpus: Name of its corpus.
        query: The query and what answers it.
        is_apart: Whether overall figures leave it out.
        labels: The label of each row of the pool.
        pool: What the engine nominated.
        features: What the ranking knows of the query.
        options: Choices of the search.
    """

    corpus: str
    query: LabelledQuery
    is_apart: bool
    labels: tuple[str, ...]
    pool: Pool
    features: QueryFeatures
    options: RankingOptions

    def prepare(self) -> Prepared:
        """What every stage says of the pool, those without a weight as well."""
        return prepare(self.pool, self.features, self.options)

    def measure(self, prepared: Prepared, weights: RankingWeights) -> Measures:
        """How well weights order what was prepared of this query."""
        ranked = arrange(prepared, weights)
        rows: list[int] = ranked.order[:_CUT].tolist()
        return measure(
            [self.labels[row] for row in rows],
            self.query.relevant,
            must_not_top=self.query.must_not_top,
            low_confidence=is_low_confidence(ranked),
        )


class _Recorder:
    """A ranker that keeps what it was asked to rank."""

    def __init__(self) -> None:
        self.asked: list[tuple[Pool, QueryFeatures, RankingOptions]] = []

    def __call__(
        self,
        pool: Pool,
        query: QueryFeatures,
        options: RankingOptions,
        uses: Mapping[str, Use] | None = None,
    ) -> Ranked:
        self.asked.append((pool, query, options))
        return rank(pool, query, options, uses)


def record(measuring: Measuring, evaluation: EvaluationSet, advanced: Advanced) -> Sequence[Asked]:
    """Store a set and ask its queries through the services; what their rankings saw."""
    recorder = _Recorder()
    search = replace(measuring.search, uses=ForgetfulUses(), ranker=recorder)
    recorded: list[Asked] = []
    for corpus in evaluation.corpora:
        labels = measuring.store_corpus(evaluation, corpus, advanced)
        last = measuring.clock.time
        for query in corpus.queries:
            measuring.clock.time = query.as_of or last
            place = namespace_of(evaluation, corpus)
            search(LOCAL_PRINCIPAL, SearchQuery(query=query.text, namespace=place, top_k=_CUT))
            pool, features, options = recorder.asked.pop()
            asked = Asked(
                corpus=corpus.name,
                query=query,
                is_apart=query.category in evaluation.apart,
                labels=tuple(labels[memory_id] for memory_id in pool.ids),
                pool=pool,
                features=features,
                options=options,
            )
            recorded.append(asked)
            advanced(1)
    return recorded
