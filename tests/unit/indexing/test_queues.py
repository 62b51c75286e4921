"""Queues of SQS: accesses and dead letters go through them, and a queue that is down is told."""

from collections.abc import Iterator
from typing import Any, cast

import boto3  # pyright: ignore[reportMissingTypeStubs]
import pytest
from moto import mock_aws

from omoide.adapters.fake import FakeFolder
from omoide.adapters.sqs import MessageQueue, QueuedDeadLetters, QueuedUseLog
from omoide.domain.errors import UnavailableError
from omoide.ports.dead_letters import DeadLetter
from omoide.ports.index_writer import Unindexable
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.use_log import Accessed
from omoide.services.record_accesses import accessed_of
from tests.contract.samples import NOW, creation_of, memory_of

ACCESSED = Accessed(namespace="team/a", memory_ids=("m1",), session="s", at=NOW)


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "testing")
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with mock_aws():
        yield cast("Any", boto3).client("sqs", region_name="us-east-1")


@pytest.fixture
def queue(client: Any) -> MessageQueue:
    return MessageQueue(client.create_queue(QueueName="test")["QueueUrl"], client)


@pytest.fixture
def missing_queue(client: Any) -> MessageQueue:
    return MessageQueue("https://sqs.us-east-1.amazonaws.com/123456789012/missing", client)


def fault_of(number: int) -> Unindexable:
    memory = MemoryRef(namespace="team/a", memory_id=f"m{number}")
    return Unindexable(memory=memory, version=number, reason="the scoring data is damaged")


def test_accesses_are_told_to_the_queue_and_read_from_the_counters(queue: MessageQueue) -> None:
    folder = FakeFolder()
    folder.records.commit(creation_of(memory_of("m1")))
    uses = QueuedUseLog(queue, folder.uses)

    uses.record(ACCESSED)

    assert uses.get_many("team/a", ["m1"]) == {}
    (message,) = queue.receive(10)
    assert accessed_of(message.body) == ACCESSED
    folder.uses.record(ACCESSED)
    assert uses.get_many("team/a", ["m1"])["m1"].access_count == 1


def test_a_search_does_not_fail_with_the_queue_of_accesses(missing_queue: MessageQueue) -> None:
    QueuedUseLog(missing_queue, FakeFolder().uses).record(ACCESSED)

    with pytest.raises(UnavailableError):
        missing_queue.receive(1)


def test_dead_letters_are_kept_until_they_are_removed(queue: MessageQueue) -> None:
    letters = QueuedDeadLetters(queue)
    letters.send([fault_of(i) for i in range(23)])

    taken: list[DeadLetter] = []
    while found := letters.take(10):
        taken += found
        letters.remove(found)

    assert {letter.fault.version for letter in taken} == set(range(23))
    assert all(letter.fault == fault_of(letter.fault.version) for letter in taken)


def test_a_letter_is_hidden_while_someone_deals_with_it(queue: MessageQueue) -> None:
    letters = QueuedDeadLetters(queue)
    letters.send([fault_of(1)])

    first, second = letters.take(10), letters.take(10)

    assert len(first) == 1
    assert second == []


def test_letters_that_cannot_be_kept_are_told(missing_queue: MessageQueue) -> None:
    with pytest.raises(UnavailableError):
        QueuedDeadLetters(missing_queue).send([fault_of(1)])
