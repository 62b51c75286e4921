"""The parts of the benchmark whose faults would make its numbers lies."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from infra.local.bench.fill import PerturbedEncodings, fill
from infra.local.bench.load import summarise
from infra.local.bench.remarks import remarks
from infra.local.bench.report import Latency, Report, Throughput, latency, measure
from infra.local.bench.texts import passages, queries, real_texts
from omoide.adapters.fake.embedder import FakeEmbedder
from omoide.adapters.fake.folder import FakeFolder
from omoide.ports.embedder import Passage


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


def test_perturbed_encodings_stay_near_their_text_and_no_two_are_equal():
    embedder = FakeEmbedder()
    original = embedder.embed_passages([Passage(text="The meeting is on the third floor.")])
    perturbed = PerturbedEncodings(embedder, original)

    moved = perturbed.embed_passages([Passage(text="whatever")] * 50)

    vectors = np.concatenate([one.vectors for one in moved])
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    cosines = vectors @ original[0].vectors[0]
    assert cosines.min() > 0.85 and cosines.max() < 0.99
    assert len({one.vectors.tobytes() for one in moved}) == 50
    flipped = np.unpackbits(moved[0].token_bits ^ original[0].token_bits).mean()
    assert 0.01 < flipped < 0.08


def test_filling_commits_as_many_memories_as_said_and_goes_on_where_it_ended():
    folder, embedder = FakeFolder(), FakeEmbedder()
    texts = real_texts(None, 40)
    encodings = PerturbedEncodings(
        embedder, embedder.embed_passages([Passage(text=text) for text in texts])
    )
    done: list[int] = []

    fill(folder.records, encodings, texts, begin=0, end=600, advanced=done.append)
    fill(folder.records, encodings, texts, begin=600, end=700, advanced=done.append)

    assert folder.records.count("default") == 700
    assert sum(done) == 700


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
