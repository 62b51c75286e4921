"""Faults of DynamoDB and of the way to it, and what the caller sees of them."""

import pytest
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
    EndpointConnectionError,
    NoCredentialsError,
    ReadTimeoutError,
)
from pynamodb.exceptions import PynamoDBException

from omoide.adapters.dynamodb.pauses import FIRST_S, LONGEST_S
from omoide.adapters.dynamodb.table_calls import ATTEMPTS
from omoide.adapters.fake import FakeClock
from omoide.api.errors import answer_error
from omoide.api.shapes import Shape
from omoide.domain.errors import (
    NotFoundError,
    OmoideError,
    UnavailableError,
    VersionConflictError,
)
from omoide.domain.memory_filter import MemoryFilter
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.use_log import Accessed
from tests.contract.samples import (
    NOW,
    creation_of,
    deletion_of,
    memory_of,
    operation_of,
    update_of,
)
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire

THROTTLED = ("ThrottlingException", "ProvisionedThroughputExceededException")
LOST = ReadTimeoutError(endpoint_url="https://dynamodb")


@pytest.mark.parametrize("code", [*THROTTLED, "RequestLimitExceeded", "InternalServerError"])
def test_a_throttled_read_is_sent_again(
    folder: TableFolder, wire: Wire, pauses: list[float], code: str
) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    wire.refuse("GetItem", code, times=2)

    assert folder.records.get("m1") == memory_of("m1")
    assert len(pauses) == 2


def test_pauses_are_random_within_bounds_that_double(
    folder: TableFolder, wire: Wire, pauses: list[float]
) -> None:
    wire.refuse("GetItem", THROTTLED[0], times=ATTEMPTS)

    with pytest.raises(UnavailableError):
        folder.records.get("m1")

    bounds = [min(LONGEST_S, FIRST_S * 2**attempt) for attempt in range(ATTEMPTS - 1)]
    shares = [pause / bound for pause, bound in zip(pauses, bounds, strict=True)]
    assert all(0 <= share < 1 for share in shares)
    assert len(set(shares)) == len(shares)


@pytest.mark.parametrize("operation", ["GetItem", "BatchGetItem", "Query", "TransactWriteItems"])
def test_throttling_without_end_is_unavailable_and_writes_nothing(
    folder: TableFolder, wire: Wire, operation: str
) -> None:
    wire.refuse(operation, THROTTLED[0], times=100)

    with pytest.raises(UnavailableError) as unavailable:
        folder.records.commit(creation_of(memory_of("m1")))
        folder.records.get("m1")
        folder.records.count("team/a")

    assert isinstance(unavailable.value.__cause__, PynamoDBException)
    assert wire.counts[operation] == ATTEMPTS
    if operation in ("BatchGetItem", "TransactWriteItems"):
        assert wire.items() == []


def test_unavailable_is_answered_with_503_and_when_to_try_again(
    folder: TableFolder, wire: Wire
) -> None:
    wire.cancel("TransactionConflict", times=100)

    with pytest.raises(UnavailableError) as unavailable:
        folder.records.commit(creation_of(memory_of("m1")))

    answer = answer_error(unavailable.value, request_id="r", shape=Shape.NATIVE)
    assert answer.status == 503
    assert answer.headers["Retry-After"] == "1"


@pytest.mark.parametrize("reason", ["TransactionConflict", "ThrottlingError"])
def test_a_cancelled_transaction_is_decided_again_on_what_is_stored_then(
    folder: TableFolder, wire: Wire, pauses: list[float], reason: str
) -> None:
    wire.cancel("None", reason, times=2)

    folder.records.commit(creation_of(memory_of("m1")))

    assert folder.records.get("m1") == memory_of("m1")
    assert wire.counts["TransactWriteItems"] == 3
    assert wire.counts["BatchGetItem"] == 3
    assert len(pauses) == 2


def test_a_transaction_without_answer_is_sent_again_as_the_same_one(
    folder: TableFolder, wire: Wire
) -> None:
    wire.lose("TransactWriteItems", LOST, times=2)

    folder.records.commit(creation_of(memory_of("m1")))

    sent = wire.of("TransactWriteItems")
    assert len(sent) == 3
    assert len({request["ClientRequestToken"] for request in sent}) == 1
    assert wire.counts["BatchGetItem"] == 1


def test_an_unreachable_table_is_unavailable(folder: TableFolder, wire: Wire) -> None:
    lost = EndpointConnectionError(endpoint_url="https://dynamodb")
    wire.lose("GetItem", lost, times=100)

    with pytest.raises(UnavailableError) as unavailable:
        folder.keys.get("k1")

    assert wire.counts["GetItem"] == ATTEMPTS
    assert unavailable.value.__cause__ is not None


def test_without_credentials_nothing_is_tried_twice(folder: TableFolder, wire: Wire) -> None:
    wire.lose("GetItem", NoCredentialsError())

    with pytest.raises(UnavailableError, match="NoCredentialsError"):
        folder.records.get("m1")

    assert wire.counts["GetItem"] == 1


def test_a_right_that_is_missing_is_told_at_once(folder: TableFolder, wire: Wire) -> None:
    wire.refuse("GetItem", "AccessDeniedException")

    with pytest.raises(UnavailableError, match="AccessDeniedException"):
        folder.records.get("m1")

    assert wire.counts["GetItem"] == 1


def test_a_table_that_is_missing_is_told(folder: TableFolder, wire: Wire) -> None:
    wire.drop_table()

    with pytest.raises(UnavailableError, match="ResourceNotFoundException"):
        folder.records.get("m1")


@pytest.mark.parametrize("is_transaction", [True, False])
def test_what_dynamodb_does_not_accept_is_no_reason_to_try_again(
    folder: TableFolder, wire: Wire, is_transaction: bool
) -> None:
    if is_transaction:
        wire.cancel("ValidationError")
    else:
        wire.refuse("TransactWriteItems", "ValidationException")

    with pytest.raises(OmoideError) as refused:
        folder.records.commit(creation_of(memory_of("m1", "a secret")))

    assert not isinstance(refused.value, UnavailableError)
    assert "secret" not in str(refused.value)
    assert wire.counts["TransactWriteItems"] == 1


def test_keys_that_were_left_out_are_asked_for_again(
    folder: TableFolder, wire: Wire, pauses: list[float]
) -> None:
    for memory_id in ("m1", "m2"):
        folder.records.commit(creation_of(memory_of(memory_id)))
    left = {"memories": {"Keys": [{"pk": {"S": "NS#team/a"}, "sk": {"S": "MEM#m2"}}]}}
    wire.answer("BatchGetItem", {"Responses": {"memories": []}, "UnprocessedKeys": left})

    assert set(folder.records.get_many("team/a", ["m1", "m2"])) == {"m2"}
    assert len(pauses) == 1


def test_keys_that_are_always_left_out_are_unavailable(folder: TableFolder, wire: Wire) -> None:
    left = {"memories": {"Keys": [{"pk": {"S": "NS#team/a"}, "sk": {"S": "MEM#m1"}}]}}
    answer = {"Responses": {}, "UnprocessedKeys": left}
    wire.answer("BatchGetItem", answer, times=100)

    with pytest.raises(UnavailableError):
        folder.records.get_many("team/a", ["m1"])

    assert wire.counts["BatchGetItem"] == ATTEMPTS


def test_every_port_tells_that_the_table_cannot_be_reached(
    folder: TableFolder, wire: Wire, clock: FakeClock
) -> None:
    operations = ("GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem")
    for operation in operations:
        wire.refuse(operation, THROTTLED[0], times=1_000)
    accessed = Accessed(namespace="team/a", memory_ids=("m1",), session="s", at=NOW)

    for call in (
        lambda: folder.records.record_operation(operation_of()),
        lambda: folder.records.page("team/a", MemoryFilter(), None, 10),
        lambda: folder.records.find_fingerprint("team/a", "f"),
        lambda: folder.records.last_turn("team/a", "s"),
        lambda: folder.uses.record(accessed),
        lambda: folder.uses.get_many("team/a", ["m1"]),
        lambda: folder.keys.all(),
        lambda: folder.keys.signing_secret(),
        lambda: folder.limiter.check("key", RequestKind.WRITE, 1),
        lambda: folder.pending.of_namespace("team/a", 10),
        lambda: folder.pending.overdue(clock.now(), 10),
        lambda: folder.source.newest("team/a", 10),
    ):
        with pytest.raises(UnavailableError):
            call()


def test_a_conflict_is_still_a_conflict_after_a_throttled_read(
    folder: TableFolder, wire: Wire
) -> None:
    folder.records.commit(creation_of(memory_of("m1")))
    wire.refuse("BatchGetItem", THROTTLED[0])

    with pytest.raises(VersionConflictError):
        folder.records.commit(update_of(memory_of("m1", version=7)))


def test_what_a_deletion_could_not_erase_does_not_fail_it(folder: TableFolder, wire: Wire) -> None:
    memory = memory_of("m1")
    folder.records.commit(creation_of(memory))
    folder.records.commit(update_of(memory, content="Two."))
    wire.refuse("Query", THROTTLED[0], times=100)

    folder.records.commit(deletion_of(folder.records.get("m1")))

    with pytest.raises(NotFoundError):
        folder.records.get("m1")
