"""The parts of the benchmark whose faults would make its numbers lies."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from infra.local.bench.disk import disk_figures
from infra.local.bench.fill import PerturbedTexts, fill
from infra.local.bench.load import summarise
from infra.local.bench.remarks import remarks
from infra.local.bench.report import Latency, Report, Throughput, latency, measure
from infra.local.bench.spread import Share, Spread, fill_spread
from infra.local.bench.texts import passages, queries, real_texts
from infra.local.bench.write_stalls import write_stalls
from omoide.adapters.embedded import EmbeddedFolder, open_folder
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.adapters.fake.folder import FakeFolder
from omoide.adapters.system.clock import SystemClock, SystemEntropy
from omoide.domain.analysis import analyse
from omoide.domain.scoring_data import ScoringData
from omoide.ports.embedder import Passage
from omoide.ports.memory_records import MemoryChange


def test_texts_are_distinct_and_the_same_in_each_run():
    texts = real_texts(None, 1_500)

    assert len(set(texts)) == 1_500
    assert texts == real_texts(None, 1_500)


def test_texts_can_come_from_conversations(tmp_path: Path):
    turns = [{"speaker": "Ana", "text": f"This is what I said as number {n}."} for n in range(3)]
    conversations = [{"conversation": {"session_1": turns, "session_1_date_time": "x"}}]
    (tmp_path / "locomo_dev.json").write_text(json.dumps(conversations), encoding="utf-8")

    assert sorted(real_texts(tmp_path, 3)) == [
        f"Ana: This is what I said as number {n}." for n in range(3)
    ]


@pytest.mark.parametrize("tokens", [12, 60])
def test_queries_and_passages_have_the_length_asked_for_and_differ(tokens: int):
    embedder = FakeEmbedder()
    texts = real_texts(None, 600)

    for made in (
        queries(embedder, texts, 12, 1_500),
        passages(embedder, texts, tokens, 1_500),
    ):
        assert len(set(made)) == 1_500
    lengths = {embedder.count_tokens(text) for text in passages(embedder, texts, tokens, 30)}
    assert max(lengths) <= tokens
    assert min(lengths) >= tokens - max(1, tokens // 20)


def texts_of(embedder: FakeEmbedder, count: int) -> PerturbedTexts:
    texts = real_texts(None, count)
    return PerturbedTexts(
        embedder, texts, embedder.embed_passages([Passage(text=text) for text in texts])
    )


def opened_with(path: Path, embedder: FakeEmbedder) -> EmbeddedFolder:
    profile = embedder.profile
    return open_folder(
        path,
        revision=profile.revision,
        model_id=profile.model_id,
        dims=profile.dims,
        clock=SystemClock(),
        entropy=SystemEntropy(),
    )


def scorings_of(changes: Sequence[MemoryChange]) -> list[ScoringData]:
    return [change.scoring for change in changes if change.scoring is not None]


def test_perturbed_texts_stay_near_their_text_and_no_two_are_equal():
    embedder = FakeEmbedder()
    text = "The meeting is on the third floor."
    (original,) = embedder.embed_passages([Passage(text=text)])

    changes = PerturbedTexts(embedder, [text], [original]).changes("default", range(50))

    scorings = scorings_of(changes)
    vectors = np.concatenate([one.vectors for one in scorings]).astype(np.float32)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-3)
    cosines = vectors @ original.vectors[0]
    assert cosines.min() > 0.85 and cosines.max() < 0.99
    assert len({one.vectors.tobytes() for one in scorings}) == 50
    flipped = np.unpackbits(scorings[0].token_bits ^ original.token_bits).mean()
    assert 0.01 < flipped < 0.08


def test_the_terms_of_a_perturbed_text_are_those_of_its_content():
    changes = texts_of(FakeEmbedder(), 3).changes("default", range(5))

    for change, scoring in zip(changes, scorings_of(changes), strict=True):
        terms = analyse(change.memory.content)
        assert scoring.own_terms.keys.tolist() == terms.keys.tolist()
        assert scoring.memory_id == change.memory.id


def test_filling_commits_as_many_memories_as_said_and_goes_on_where_it_ended():
    folder = FakeFolder()
    texts = texts_of(FakeEmbedder(), 40)
    done: list[int] = []

    fill(folder.records, texts, begin=0, end=600, advanced=done.append)
    fill(folder.records, texts, begin=600, end=700, advanced=done.append)

    assert folder.records.count("default") == 700
    assert sum(done) == 700


def test_a_spread_has_a_tenth_in_one_namespace_and_the_rest_in_small_ones():
    spread = Spread(12_500)

    assert spread.large == Share(namespace="default", begin=0, end=1_250)
    assert [share.end - share.begin for share in spread.small] == [1_000] * 11 + [250]
    assert len({share.namespace for share in spread}) == 13
    assert all(before.end == after.begin for before, after in pairwise(spread))


def test_filling_a_spread_goes_on_where_an_interrupted_run_ended():
    folder = FakeFolder()
    texts = texts_of(FakeEmbedder(), 40)
    spread = Spread(2_400)
    fill(folder.records, texts, begin=0, end=150, advanced=lambda _: None)
    done: list[int] = []

    filled = fill_spread(folder.records, texts, spread, done.append)

    assert filled == 2_250
    assert sum(done) == 2_400
    counts = [folder.records.count(share.namespace) for share in spread]
    assert counts == [240, 1_000, 1_000, 160]


def test_writes_are_timed_at_rest_and_while_the_namespace_is_merged(tmp_path: Path):
    embedder = FakeEmbedder()
    texts = texts_of(embedder, 40)
    with opened_with(tmp_path, embedder) as folder:
        fill(folder.records, texts, begin=0, end=500, advanced=lambda _: None)

        latencies, figures = write_stalls(folder, texts, "default")

        assert latencies[0].count == 1_000
        beside = {figure.name: figure.value for figure in figures}["commits while merging"]
        assert folder.records.count("default") == 500 + beside
        write_stalls(folder, texts, "default")
        assert folder.records.count("rest") == 2_000
        assert beside == latencies[1].count > 0
        assert folder.verify() == ()


def test_the_disk_figures_count_records_and_segment_files(tmp_path: Path):
    embedder = FakeEmbedder()
    with opened_with(tmp_path, embedder) as folder:
        fill(folder.records, texts_of(embedder, 40), begin=0, end=500, advanced=lambda _: None)
        folder.compact("default")
        folder.compact("nothing was ever stored here")

    figures = {figure.name: figure.value for figure in disk_figures(tmp_path)}

    assert figures["segment files"] == 1
    assert figures["segment files on disk"] > 0.1
    assert figures["records on disk"] > 0.5


def test_the_first_tenth_of_the_calls_warms_up_and_is_not_counted():
    called: list[int] = []

    measured = measure("x", called.append, list(range(50)))

    assert called == list(range(50))
    assert measured.count == 45
    assert measured.ratio is None


def test_the_reference_is_called_in_turns_with_what_is_measured():
    called: list[str] = []

    measured = measure("x", called.append, ["a", "b"], lambda: called.append("reference"))

    assert called == ["a", "reference", "b", "reference"]
    assert measured.ratio is not None
    assert measured.ratio > 0


def test_a_latency_has_median_and_tail_and_knows_its_targets():
    one = latency("x", [float(n) for n in range(1, 101)])

    assert one.p50_ms == 50.5
    assert one.p99_ms == pytest.approx(99.01)
    assert replace(one, target_p50_ms=51.0).is_met
    assert not replace(one, target_p50_ms=50.0).is_met
    assert not replace(one, target_p50_ms=51.0, target_p99_ms=99.0).is_met


def test_throughput_is_the_median_of_the_seconds_after_the_ramp_without_the_last():
    entries: list[dict[str, object]] = [
        {
            "num_reqs_per_sec": {**{str(s): 1 for s in range(7)}, "7": 30, "8": 50, "9": 40},
            "response_times": {"10": 98, "200": 2},
            "num_failures": 1,
        },
        {
            "num_reqs_per_sec": {"7": 10, "8": 10, "9": 10, "10": 3},
            "response_times": {"10": 30},
            "num_failures": 0,
        },
    ]

    run = summarise("x", entries, 40.0)

    assert run.requests_per_s == 50
    assert (run.p50_ms, run.p99_ms) == (10.0, 200.0)
    assert (run.requests, run.errors) == (130, 1)
    assert not run.is_met


def test_the_report_says_which_targets_are_missed_and_what_limits():
    report = Report(model="m")
    report.latencies = [
        Latency(name="model", count=1, p50_ms=8.0, p99_ms=9.0),
        Latency(
            name="search, in-process, 10 memories",
            count=1,
            p50_ms=30.0,
            p99_ms=40.0,
            ratio=3.75,
            target_p50_ms=25.0,
        ),
    ]
    report.throughputs = [
        Throughput(
            name="caches off",
            requests_per_s=100,
            p50_ms=1,
            p99_ms=2,
            requests=9,
            errors=0,
            target_requests_per_s=70,
        )
    ]
    report.remarks = remarks(report, has_load=True)

    table = report.table()

    assert "MISSED" in table
    assert ">= 70 met, 0 errors" in table
    assert "27% of the median is the model; the search itself limits it" in table
    assert json.loads(json.dumps(report.as_json()))["throughputs"][0]["requests_per_s"] == 100
