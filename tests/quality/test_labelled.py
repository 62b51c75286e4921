"""The project's own labelled sets, and what is fitted to them."""

from pathlib import Path

import numpy as np
import pytest

from infra.local.evaluation.labelled import UNANSWERABLE, Half, read_labelled
from infra.local.evaluation.logistic import fit, leave_one_out
from omoide.domain.errors import InvalidRequestError

LABELLED = Path(__file__).parent / "labelled"


def test_halves_ask_different_queries_of_the_same_memories() -> None:
    dev, held = read_labelled(LABELLED, Half.DEV), read_labelled(LABELLED, Half.HELD)

    for one, other in zip(dev, held, strict=True):
        assert one.memory_count == other.memory_count > 0
        asked = [{(c.name, q.text) for c in s.corpora for q in c.queries} for s in (one, other)]
        assert asked[0]
        assert not asked[0] & asked[1]


def test_labels_name_memories_of_their_own_corpus() -> None:
    for evaluation in read_labelled(LABELLED, Half.DEV):
        for corpus in evaluation.corpora:
            known = {memory.label for memory in corpus.memories}
            for query in corpus.queries:
                assert {*query.relevant, *query.must_not_top} <= known


def test_queries_that_nothing_answers_are_told_apart() -> None:
    sets = {one.name: one for one in read_labelled(LABELLED, Half.DEV)}
    queries = [q for corpus in sets["answerable"].corpora for q in corpus.queries]

    assert all((q.category == UNANSWERABLE) is not bool(q.relevant) for q in queries)
    assert {q.category for c in sets["updated_facts"].corpora for q in c.queries} == {"now", "past"}
    assert "en->de" in {q.category for c in sets["languages"].corpora for q in c.queries}


def test_a_folder_without_the_sets_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidRequestError) as caught:
        read_labelled(tmp_path, Half.DEV)

    assert "updated_facts_memories.jsonl" in str(caught.value.details)


def test_a_regression_finds_the_odds_that_made_its_rows() -> None:
    random = np.random.default_rng(4)
    features = random.normal(size=(4_000, 2))
    odds = 2.0 * features[:, 0] - 1.0 * features[:, 1] + 0.5
    labels = (random.random(4_000) < 1 / (1 + np.exp(-odds))).astype(np.float64)

    found = fit(features, labels, np.ones(4_000), penalty=0.1)

    assert found.weights == pytest.approx([2.0, -1.0], abs=0.2)
    assert found.bias == pytest.approx(0.5, abs=0.2)


def test_leaving_one_out_scores_a_row_by_the_others() -> None:
    features = np.array([[0.0], [1.0], [2.0], [3.0], [-50.0]])
    labels = np.array([0.0, 0.0, 1.0, 1.0, 1.0])
    among = np.array([True, True, True, True, False])

    scores = leave_one_out(features, labels, np.ones(5), among)
    rest = np.array([True, True, False, True])

    expected = fit(features[:4][rest], labels[:4][rest], np.ones(3)).scores(features[[2]])[0]
    assert scores[2] == pytest.approx(expected)
    whole = fit(features[:4], labels[:4], np.ones(4))
    assert scores[4] == pytest.approx(whole.scores(features[[4]])[0])
