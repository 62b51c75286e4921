"""An evaluation goes through the services and compares settings on one pool."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest

from functions import composition
from infra.local.evaluation.evaluation_set import EvaluationSet
from infra.local.evaluation.locomo import CATEGORIES, read_locomo
from infra.local.evaluation.measuring import Advanced, SetClock
from infra.local.evaluation.metrics import Measures
from infra.local.evaluation.report import Report, Row
from infra.local.evaluation.run import measure_set
from infra.local.evaluation.settings_compared import WHOLE
from infra.local.evaluation.targets import missed
from omoide.adapters.fake import FakeEmbedder, FakeFolder
from omoide.domain.candidates import NominationRequest, Pool
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.ports.memory_index import MemoryIndex

CONVERSATION = {
    "sample_id": "one",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bob",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ann", "dia_id": "D1:1", "text": "Where is the boat?"},
            {"speaker": "Bob", "dia_id": "D1:2", "text": "In Kiel.", "blip_caption": "a boat"},
        ],
        "session_2_date_time": "9:00 am on 9 May, 2023",
        "session_2": [{"speaker": "Ann", "dia_id": "D2:1", "text": "Slugs ate my\nlettuce."}],
    },
    "qa": [
        {"question": "Where is the boat?", "evidence": ["D1:2"], "category": 4},
        {"question": "Who ate the lettuce?", "evidence": ["D2:1; D9:9"], "category": 1},
        {"question": "What colour is the boat?", "evidence": ["D1:2"], "category": 5},
        {"question": "Nothing to see", "evidence": ["D"], "category": 3},
    ],
}


def silent(_label: str, _length: int) -> nullcontext[Advanced]:
    return nullcontext(lambda _done: None)


@pytest.fixture
def clock() -> Iterator[SetClock]:
    shown = SetClock()
    composition.configure(folder=FakeFolder(clock=shown), embedder=FakeEmbedder(), clock=shown)
    yield shown
    composition.close()
    composition.configure()


@pytest.fixture
def locomo(tmp_path: Path) -> EvaluationSet:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([CONVERSATION]), encoding="utf-8")
    return read_locomo(path)


def test_a_conversation_is_read_turn_by_turn(locomo: EvaluationSet) -> None:
    (corpus,) = locomo.corpora

    texts = [m.memory.content for m in corpus.memories]
    assert texts == [
        "Ann: Where is the boat?",
        "Bob: In Kiel. [shares a boat]",
        "Ann: Slugs ate my lettuce.",
    ]
    assert [(m.memory.session_id, m.memory.turn) for m in corpus.memories] == [
        ("session_1", 0),
        ("session_1", 1),
        ("session_2", 0),
    ]
    assert [q.relevant for q in corpus.queries] == [{"D1:2": 1}, {"D2:1": 1}, {"D1:2": 1}]


def test_every_setting_is_measured_on_every_query(clock: SetClock, locomo: EvaluationSet) -> None:
    report = measure_set(locomo, clock, silent, with_parts=True)

    rows = {row.name: row for row in report.compared}
    assert report.memories == 3
    assert rows[WHOLE].count == 2
    assert rows["without late"].count == 2
    assert {"late alone", "mode lexical", "rank fusion of the arms"} <= rows.keys()
    assert report.group(CATEGORIES[5]).recall_10 == 1.0
    assert report.overall.recall_10 == 1.0
    assert report.overall.recall_50 == 1.0


def test_the_table_and_the_json_tell_the_same(clock: SetClock, locomo: EvaluationSet) -> None:
    report = measure_set(locomo, clock, silent, with_parts=False)

    table, told = report.table(), report.as_json()

    assert "recall@10" in table
    assert "100.0" in table
    assert told["groups"] == [
        {"name": r.name, "queries": r.count, **{f: getattr(r.measures, f) for f in FIELDS}}
        for r in report.groups
    ]


FIELDS = (
    "recall_10",
    "any_1",
    "any_5",
    "any_10",
    "mrr_10",
    "ndcg_10",
    "recall_50",
    "violations",
    "low_confidence",
)


def test_asking_leaves_no_trace_of_use(clock: SetClock, locomo: EvaluationSet) -> None:
    measure_set(locomo, clock, silent, with_parts=False)

    listed = composition.list_memories()(
        LOCAL_PRINCIPAL, f"evaluation/{locomo.name}/one", MemoryFilter()
    )
    assert len(listed.views) == 3
    assert {view.use for view in listed.views} == {None}


class CountingIndex:
    def __init__(self, index: MemoryIndex) -> None:
        self._index = index
        self.asked = 0

    def nominate(self, request: NominationRequest) -> Pool:
        self.asked += 1
        return self._index.nominate(request)


def test_settings_that_ask_the_same_share_one_pool(
    clock: SetClock, locomo: EvaluationSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    counting = CountingIndex(composition.folder().index)
    monkeypatch.setattr(composition.folder(), "index", counting)

    report = measure_set(locomo, clock, silent, with_parts=True)

    assert counting.asked == 4 * locomo.query_count
    assert len(report.compared) > counting.asked


def test_a_missed_target_is_told() -> None:
    def measured(any_1: float) -> Report:
        row = Row(name="all", count=15, measures=Measures(any_1=any_1))
        return Report(name="korean", model="m", memories=15, groups=(row,), compared=(row,))

    assert missed([measured(0.8)]) == []
    assert len(missed([measured(0.79)])) == 1
    assert "any_1" in missed([measured(0.79)])[0]
