"""Weights are fitted to queries, and kept only if queries that the fit never saw agree."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from functions import composition
from infra.local.cli import main
from infra.local.evaluation.evaluation_set import (
    Corpus,
    EvaluationSet,
    LabelledMemory,
    LabelledQuery,
)
from infra.local.evaluation.measuring import Advanced, Measuring, SetClock
from infra.local.evaluation.recording import Asked, record
from infra.local.evaluation.settings_compared import variants
from infra.local.evaluation.tuning import LEAST_QUERIES, tune
from infra.local.evaluation.tuning_report import tuning_json, tuning_table
from omoide.adapters.fake import FakeEmbedder, FakeFolder
from omoide.adapters.weights_file import WeightsFile
from omoide.domain.errors import InvalidRequestError
from omoide.domain.model_profile import RankingWeights
from omoide.services.new_memory import Dedupe, NewMemory
from omoide.settings import Settings

WORDS = ("boat", "rudder", "lettuce", "harbour", "kettle", "slug", "ladder", "window")
NOUNS = tuple(f"{first}{second}" for first in WORDS for second in WORDS)


def silent(_label: str, _length: int) -> nullcontext[Advanced]:
    return nullcontext(lambda _done: None)


@pytest.fixture
def clock() -> Iterator[SetClock]:
    shown = SetClock()
    composition.configure(folder=FakeFolder(clock=shown), embedder=FakeEmbedder(), clock=shown)
    yield shown
    composition.close()
    composition.configure()


def questions_and_answers() -> EvaluationSet:
    """Nouns, each in a question and, right, in a short statement."""
    memories: list[LabelledMemory] = []
    queries: list[LabelledQuery] = []
    for i, noun in enumerate(NOUNS[:42]):
        for kind, text in (("q", f"does somebody see the {noun} standing?"), ("a", f"a {noun}")):
            new = NewMemory(content=text, dedupe=Dedupe.OFF)
            memories.append(LabelledMemory(label=f"{kind}{i}", memory=new))
        queries.append(LabelledQuery(text=noun, relevant={f"a{i}": 1}))
    corpus = Corpus(name="all", memories=tuple(memories), queries=tuple(queries))
    return EvaluationSet(name="pairs", corpora=(corpus,))


def asked_of(evaluation: EvaluationSet, clock: SetClock) -> list[Asked]:
    measuring = Measuring(
        store=composition.store_memory(),
        search=composition.search_memories(),
        clock=clock,
        variants=variants()[:1],
    )
    return list(record(measuring, evaluation, lambda _done: None))


def test_weights_that_help_unseen_queries_are_kept(clock: SetClock) -> None:
    asked = asked_of(questions_and_answers(), clock)
    misled = replace(RankingWeights(), question=0.3)

    tuned = tune(asked, misled, lambda _done: None)

    before, after = tuned.held
    assert before.any_1 is not None
    assert before.any_1 < 0.5
    assert after.any_1 == 1.0
    assert tuned.is_better
    assert tuned.weights == tuned.fitted
    assert abs(tuned.fitted.question) < misled.question
    assert "better on the held half" in tuning_table(tuned)


def test_nothing_to_gain_keeps_the_weights(clock: SetClock) -> None:
    asked = asked_of(questions_and_answers(), clock)
    present = RankingWeights()

    tuned = tune(asked, present, lambda _done: None)

    assert tuned.held[0].ndcg_10 == 1.0
    assert not tuned.is_better
    assert tuned.weights == present
    assert tuned.counts == (21, 21)
    assert "the present weights stay" in tuning_table(tuned)
    assert tuning_json(tuned)["is_better"] is False


def test_recorded_queries_measure_as_the_search_answered(clock: SetClock) -> None:
    asked = asked_of(questions_and_answers(), clock)[:5]

    for one in asked:
        weights = one.features.model.weights
        assert one.measure(one.prepare(), weights).any_1 == 1.0


def test_too_few_queries_are_refused(clock: SetClock) -> None:
    asked = asked_of(questions_and_answers(), clock)

    with pytest.raises(InvalidRequestError, match=str(LEAST_QUERIES)):
        tune(asked[: LEAST_QUERIES - 1], RankingWeights(), lambda _done: None)


def lines_of(evaluation: EvaluationSet) -> str:
    (corpus,) = evaluation.corpora
    memories = [{"memory": {"id": m.label, "content": m.memory.content}} for m in corpus.memories]
    queries = [{"query": q.text, "relevant": dict(q.relevant)} for q in corpus.queries]
    return "\n".join(json.dumps(line) for line in [*memories, *queries])


def run_tune(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, misled: float) -> tuple[str, Path]:
    file, saved = tmp_path / "own.jsonl", tmp_path / "weights.json"
    file.write_text(lines_of(questions_and_answers()), encoding="utf-8")
    embedder = FakeEmbedder()
    profile = embedder.profile
    monkeypatch.setattr(
        FakeEmbedder,
        "profile",
        replace(profile, weights=replace(profile.weights, question=misled)),
    )
    configure = composition.configure

    def configure_with_fakes(_settings: Settings, *, clock: SetClock) -> None:
        configure(folder=FakeFolder(clock=clock), embedder=embedder, clock=clock)

    monkeypatch.setattr("infra.local.evaluation.run.composition.configure", configure_with_fakes)
    command = ["eval", str(file), "--tune", "--save", str(saved), "--namespace", "work/boats"]
    result = CliRunner().invoke(main, command, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output, saved


def test_better_weights_become_those_of_a_namespace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output, saved = run_tune(tmp_path, monkeypatch, misled=0.3)

    assert f"OMOIDE_WEIGHTS={saved}" in output
    weights = WeightsFile(saved, model_id=FakeEmbedder().profile.model_id)
    assert weights.of("work/boats", RankingWeights()).question < 0.3
    assert weights.of("elsewhere", RankingWeights()) == RankingWeights()


def test_weights_that_are_no_better_are_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, saved = run_tune(tmp_path, monkeypatch, misled=-0.3)

    assert not saved.exists()
