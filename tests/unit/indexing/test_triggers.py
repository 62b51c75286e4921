"""Batches of streams and queues reach their services, and failures are told as Lambda wants it."""

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from functions import composition
from functions.manifest import BACKGROUND_FUNCTIONS, Function
from omoide.adapters.dynamodb.item_keys import memory_key, pending_key, turn_key
from omoide.adapters.exact import ExactMemoryIndex
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeFolder
from omoide.adapters.fake.following import FollowedFolder
from omoide.api.triggers.access_queue import record_messages
from omoide.api.triggers.table_stream import changed_memories
from omoide.domain.errors import UnavailableError
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.use_log import Accessed
from omoide.services.record_accesses import accessed_of, message_of
from omoide.settings import SettingError, Settings
from tests.contract.samples import NOW, creation_of, memory_of

EVENTS = Path(__file__).resolve().parents[3] / "events"
MEMORY_ID = "019b7a3c-8f00-7000-8000-000000000001"
NAMESPACE = "team/support"
ACCESSED = Accessed(namespace=NAMESPACE, memory_ids=(MEMORY_ID, "m2"), session="s 1", at=NOW)


@pytest.fixture
def folder() -> Iterator[FollowedFolder]:
    clock = FakeClock(NOW)
    made = FollowedFolder(clock=clock)
    composition.configure(Settings.load({}), folder=made, embedder=FakeEmbedder(), clock=clock)
    made.records.commit(creation_of(memory_of(MEMORY_ID, namespace=NAMESPACE)))
    clock.advance(minutes=2)
    yield made
    composition.configure()


def call(function: Function) -> dict[str, Any]:
    """Give a function its sample event."""
    sample = EVENTS / function.trigger / f"{function.name}.json"
    module, _, name = function.handler.rpartition(".")
    handler = getattr(import_module(module), name)
    return handler(json.loads(sample.read_text(encoding="utf-8")), None)


def by_name(name: str) -> Function:
    return next(function for function in BACKGROUND_FUNCTIONS if function.name == name)


def change_of(key: Sequence[str], name: str = "INSERT", number: str = "1") -> dict[str, Any]:
    keys = {"pk": {"S": key[0]}, "sk": {"S": key[1]}}
    return {"eventName": name, "dynamodb": {"Keys": keys, "SequenceNumber": number}}


def test_the_stream_indexes_what_was_written(folder: FollowedFolder) -> None:
    answer = call(by_name("index_memories"))

    assert answer == {"batchItemFailures": []}
    assert folder.writer.indexed == {MEMORY_ID: 1}
    assert folder.followed.pending == {}


def test_a_batch_comes_again_while_the_index_is_down(folder: FollowedFolder) -> None:
    folder.writer.is_down = True

    answer = call(by_name("index_memories"))

    assert answer == {"batchItemFailures": [{"itemIdentifier": "111"}]}
    assert len(folder.followed.pending) == 1


def test_the_rule_indexes_what_the_stream_has_lost(folder: FollowedFolder) -> None:
    answer = call(by_name("redrive_pending"))

    assert answer == {"redriven": 1}
    assert folder.writer.indexed == {MEMORY_ID: 1}


def test_the_queue_counts_accesses(folder: FollowedFolder) -> None:
    answers = [call(by_name("record_accesses")) for _ in range(2)]

    assert answers == [{"batchItemFailures": []}] * 2
    assert folder.uses.get_many(NAMESPACE, [MEMORY_ID])[MEMORY_ID].access_count == 1


def test_keys_of_the_table_are_read_as_it_writes_them() -> None:
    written = [pending_key("a/#%23 b", "m1"), memory_key("team", "m2")]
    others = [turn_key("team", "s", 1, "m3"), ("LOC#m4", "-"), ("KEY#k", "PEND#x")]

    found = changed_memories({"Records": [change_of(key) for key in [*written, *others]]})

    assert found == [
        MemoryRef(namespace="a/#%23 b", memory_id="m1"),
        MemoryRef(namespace="team", memory_id="m2"),
    ]


def test_what_was_removed_needs_no_indexing() -> None:
    event = {"Records": [change_of(pending_key("team", "m1"), name="REMOVE")]}

    assert changed_memories(event) == []


def test_a_message_tells_of_accesses() -> None:
    assert accessed_of(message_of(ACCESSED)) == ACCESSED


def test_only_messages_that_fail_come_again() -> None:
    seen: list[Accessed] = []

    def record(accesses: Sequence[Accessed]) -> None:
        if accesses[0].session == "busy":
            raise UnavailableError
        seen.extend(accesses)

    busy = Accessed(namespace="n", memory_ids=("m",), session="busy", at=NOW)
    bodies = [message_of(ACCESSED), "{}", "no json", message_of(busy), '{"namespace": 1}']
    records = [{"messageId": str(i), "body": body} for i, body in enumerate(bodies)]

    answer = record_messages({"Records": records}, record)

    assert seen == [ACCESSED]
    assert [f["itemIdentifier"] for f in answer["batchItemFailures"]] == ["1", "2", "3", "4"]


def test_a_data_folder_has_no_index_that_follows_it() -> None:
    composition.configure(Settings.load({}), folder=FakeFolder(), embedder=FakeEmbedder())

    with pytest.raises(SettingError, match="OMOIDE_TABLE"):
        composition.reindex()

    composition.configure()


def test_requests_to_a_domain_need_a_region(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    variables = {"OMOIDE_TABLE": "omoide", "OMOIDE_OPENSEARCH_URL": "https://search.example"}
    composition.configure(Settings.load(variables), embedder=FakeEmbedder())

    with pytest.raises(SettingError, match="AWS_REGION"):
        composition.index()

    composition.configure()


def test_without_an_address_of_opensearch_searches_are_exact() -> None:
    composition.configure(Settings.load({"OMOIDE_TABLE": "omoide"}), embedder=FakeEmbedder())

    assert isinstance(composition.index(), ExactMemoryIndex)
    with pytest.raises(SettingError, match="OMOIDE_OPENSEARCH_URL"):
        composition.reindex()

    composition.configure()


def test_letters_need_a_queue() -> None:
    composition.configure(Settings.load({"OMOIDE_TABLE": "omoide"}), embedder=FakeEmbedder())

    with pytest.raises(SettingError, match="OMOIDE_DEAD_LETTERS"):
        composition.redrive_dead_letters()

    composition.configure()
