"""Random retrievals over real texts, with the default model."""

from pathlib import Path

from infra.local.evaluation.random_contexts import try_contexts

LABELLED = Path(__file__).parent / "labelled"


def test_no_random_retrieval_breaks_a_promise() -> None:
    asked: list[int] = []

    tally = try_contexts(LABELLED, 150, asked.append, seed=7)

    assert len(asked) == 150
    assert tally.with_items > 50
    assert (tally.over_budget, tally.empty, tally.unlike) == (0, 0, 0)
    assert tally.is_right
