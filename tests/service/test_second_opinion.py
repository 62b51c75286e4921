"""A reranker of the user's own, and weights of a namespace of its own, in a search."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from numpy.typing import NDArray

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.model_profile import RankingWeights
from omoide.services.rerank import Rerank
from omoide.services.search_memories import SearchAnswer
from omoide.services.search_query import SearchQuery
from tests.service.searching import found, search, search_of
from tests.service.write_desk import LOCAL, WriteDesk


@dataclass(kw_only=True)
class OneWordReranker:
    """Finds that what holds a word answers everything."""

    word: str
    depth: int = 20
    weight: float = 0.9
    is_broken: bool = False
    read: list[str] = field(default_factory=list[str])

    def judge(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        if self.is_broken:
            raise ModelUnavailableError("the reranker is broken")
        self.read += texts
        return np.array([float(self.word in text) for text in texts], dtype=np.float64)


class WeightsOfOne:
    """One namespace has weights of its own."""

    def __init__(self, namespace: str, **weights: float) -> None:
        self._namespace = namespace
        self._weights = weights

    def of(self, namespace: str, defaults: RankingWeights) -> RankingWeights:
        is_it = namespace == self._namespace
        return replace(defaults, **self._weights) if is_it else defaults


@pytest.fixture
def boats(desk: WriteDesk) -> WriteDesk:
    desk.say("The boat lies at the pier.")
    desk.say("The boat needs a new rudder.")
    desk.say("Slugs ate the lettuce.")
    return desk


def search_with(desk: WriteDesk, reranker: OneWordReranker, **fields: object) -> SearchAnswer:
    rerank = Rerank(records=desk.folder.records, reranker=reranker)
    query = SearchQuery(query="Where is the boat?", **fields)  # pyright: ignore[reportArgumentType]
    return search_of(desk, rerank=rerank)(LOCAL, query)


def test_what_the_reranker_prefers_leads(boats: WriteDesk) -> None:
    answer = search_with(boats, OneWordReranker(word="rudder"), explain=True)

    assert found(answer)[0] == "The boat needs a new rudder."
    explained = answer.results[0].explain
    assert explained is not None
    (part,) = [part for part in explained.parts if part.name == "reranker"]
    assert (part.weight, part.value, part.is_extra) == (0.9, 1.0, True)


def test_scores_stay_in_order_and_relevance_is_a_blend(boats: WriteDesk) -> None:
    answer = search_with(boats, OneWordReranker(word="pier", weight=0.5))

    scores = [result.score for result in answer.results]
    assert scores == sorted(scores, reverse=True)
    plain = {
        r.view.memory.content: r.relevance for r in search(boats, "Where is the boat?").results
    }
    for result in answer.results:
        said = float("pier" in result.view.memory.content)
        expected = (plain[result.view.memory.content] + said) / 2
        assert result.relevance == pytest.approx(expected, abs=1e-6)


def test_only_the_best_are_read(boats: WriteDesk) -> None:
    reranker = OneWordReranker(word="boat", depth=1)

    search_with(boats, reranker)

    assert reranker.read == found(search(boats, "Where is the boat?"))[:1]


def test_without_a_reranker_that_works_the_order_stays_and_is_told(boats: WriteDesk) -> None:
    answer = search_with(boats, OneWordReranker(word="rudder", is_broken=True))

    assert found(answer) == found(search(boats, "Where is the boat?"))
    assert answer.degraded


def test_nothing_found_is_not_read(desk: WriteDesk) -> None:
    reranker = OneWordReranker(word="boat")

    answer = search_with(desk, reranker)

    assert answer.results == ()
    assert reranker.read == []


def test_a_namespace_is_ranked_by_weights_of_its_own(boats: WriteDesk) -> None:
    query = SearchQuery(query="Where is the boat?", explain=True)
    place = search(boats, "boat").namespace

    def late_weight(namespace: str) -> float:
        answer = search_of(boats, weights=WeightsOfOne(namespace, late=3.5))(LOCAL, query)
        explained = answer.results[0].explain
        assert explained is not None
        return next(part.weight for part in explained.parts if part.name == "late")

    assert late_weight(place) == 3.5
    assert late_weight("elsewhere") == RankingWeights().late
