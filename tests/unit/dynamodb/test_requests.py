"""How many requests of which kind an operation makes: one transaction a write, never a scan."""

from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest

from omoide.adapters.dynamodb.table import TABLE
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeEntropy
from omoide.domain.errors import VersionConflictError
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.principal import LOCAL_PRINCIPAL, Right, Scope
from omoide.ports.rate_limiter import RequestKind
from omoide.ports.use_log import Accessed
from omoide.services.authenticate_key import AuthenticateKey
from omoide.services.count_memories import CountMemories
from omoide.services.delete_memory import DeleteMemory
from omoide.services.get_memory import GetMemory
from omoide.services.limit_requests import LimitRequests
from omoide.services.list_memories import ListMemories
from omoide.services.manage_keys import CreateKey, ListKeys, NewKey, RevokeKey
from omoide.services.memory_patch import MemoryPatch
from omoide.services.new_memory import NewMemory, Outcome
from omoide.services.store_memory import StoreMemory
from omoide.services.update_memory import UpdateMemory
from tests.contract.samples import DIMS, NOW, creation_of, memory_of, update_of
from tests.contract.table_folder import TableFolder
from tests.unit.dynamodb.wire import Wire

CONSISTENT = ("GetItem", "Query")
LARGE = np.zeros((40_000, DIMS // 8), dtype=np.uint8)


class Desk:
    """The services over a table."""

    def __init__(self, folder: TableFolder, clock: FakeClock) -> None:
        entropy, embedder = FakeEntropy(7), FakeEmbedder(dims=DIMS)
        limit = LimitRequests(limiter=folder.limiter)
        records, uses, keys = folder.records, folder.uses, folder.keys
        self.store = StoreMemory(
            records=records,
            lookups=records,
            uses=uses,
            embedder=embedder,
            limit=limit,
            clock=clock,
            entropy=entropy,
        )
        self.update = UpdateMemory(
            records=records,
            lookups=records,
            uses=uses,
            embedder=embedder,
            limit=limit,
            clock=clock,
        )
        self.delete = DeleteMemory(
            records=records, lookups=records, embedder=embedder, limit=limit, clock=clock
        )
        self.get = GetMemory(records=records, uses=uses, clock=clock)
        self.count = CountMemories(records=records)
        self.list = ListMemories(records=records, uses=uses, keys=keys, clock=clock)
        self.create_key = CreateKey(keys=keys, clock=clock, entropy=entropy)
        self.list_keys = ListKeys(keys=keys)
        self.revoke_key = RevokeKey(keys=keys, clock=clock)
        self.authenticate = AuthenticateKey(keys=keys)


@pytest.fixture
def desk(folder: TableFolder, clock: FakeClock) -> Desk:
    return Desk(folder, clock)


def use_everything(desk: Desk, folder: TableFolder, clock: FakeClock) -> None:
    who = LOCAL_PRINCIPAL
    new = NewMemory(content="Hanako likes tea.", session_id="s", speaker="Hanako")
    stored = desk.store(who, new, operation_id="op-1")
    desk.store(who, new, operation_id="op-1")
    again = desk.store(who, NewMemory(content="Hanako likes tea.", session_id="s", turn=0))
    assert again.outcome is Outcome.CREATED
    for text in ("And coffee.", "And water."):
        clock.advance(seconds=1)
        desk.store(who, NewMemory(content=text, session_id="s"))
    memory_id = stored.view.memory.id
    desk.update(who, memory_id, MemoryPatch(content="Hanako likes oolong."), expected_version=1)
    desk.get(who, memory_id)
    page = desk.list(who, None, MemoryFilter(), limit=2)
    assert page.total == 4
    desk.list(who, None, MemoryFilter(), limit=2, cursor=page.next_cursor)
    folder.uses.record(
        Accessed(namespace="default", memory_ids=(memory_id,), session="s", at=clock.now())
    )
    desk.delete(who, memory_id)
    assert desk.count(who, None).count == 3
    scopes = (Scope(right=Right.ADMIN, pattern="**"),)
    created = desk.create_key(who, NewKey(name="laptop", scopes=scopes))
    assert desk.authenticate(created.token).key_id == created.key.key_id
    folder.limiter.check("key", RequestKind.SEARCH, 10)
    desk.revoke_key(who, created.key.key_id)
    desk.list_keys(who)


def test_no_operation_scans_the_table(
    desk: Desk, folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    use_everything(desk, folder, clock)

    assert wire.counts["TransactWriteItems"] >= 5
    assert wire.counts["Scan"] == 0


def test_every_read_is_consistent(
    desk: Desk, folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    use_everything(desk, folder, clock)

    reads = [request for operation in CONSISTENT for request in wire.of(operation)]
    batches = [request["RequestItems"]["memories"] for request in wire.of("BatchGetItem")]
    assert len(reads) > 10
    assert all(request.get("ConsistentRead") is True for request in [*reads, *batches])


def test_every_item_tells_the_version_of_its_form(
    desk: Desk, folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    use_everything(desk, folder, clock)

    items = wire.items()
    kinds = {_kind(item["pk"]["S"], item["sk"]["S"]) for item in items}
    assert kinds == {
        *("NS#MEM", "NS#VEC", "NS#TURN", "NS#HASH", "NS#PEND"),
        *("LOC#", "OP#", "KEY#", "CFG", "RATE#"),
    }
    assert all(item["schema"]["N"] == "1" for item in items)
    passing = {"OP#", "RATE#"}
    for item in items:
        is_passing = _kind(item["pk"]["S"], item["sk"]["S"]) in passing
        assert (TABLE.ttl_attribute in item) == is_passing


def _kind(pk: str, sk: str) -> str:
    start = pk.split("#")[0]
    if start == "NS":
        return f"NS#{sk.split('#')[0]}"
    return f"{start}#" if "#" in pk else start


def test_a_store_is_one_transaction(desk: Desk, wire: Wire) -> None:
    new = NewMemory(content="Hanako likes tea.", session_id="s")

    desk.store(LOCAL_PRINCIPAL, new, operation_id="op-1")

    assert wire.counts["TransactWriteItems"] == 1
    assert wire.counts["PutItem"] == wire.counts["UpdateItem"] == wire.counts["DeleteItem"] == 0
    written = wire.of("TransactWriteItems")[0]["TransactItems"]
    keys = {_written_key(write) for write in written}
    assert {key.split("#")[0] for key in keys} >= {"MEM", "VEC", "HASH", "TURN", "PEND", "-"}


def _written_key(write: dict[str, dict[str, dict[str, dict[str, str]]]]) -> str:
    (request,) = write.values()
    return (request.get("Item") or request["Key"])["sk"]["S"]


def test_a_record_is_found_with_two_reads_and_many_with_one(
    folder: TableFolder, wire: Wire
) -> None:
    for i in range(3):
        folder.records.commit(creation_of(memory_of(f"m{i}")))
    wire.requests.clear()

    folder.records.get("m1")
    folder.records.get_many("team/a", ["m0", "m1", "m2", "m0", "unknown"])

    assert wire.counts == {"GetItem": 2, "BatchGetItem": 1}


def test_a_great_many_records_are_read_a_hundred_at_a_time(folder: TableFolder, wire: Wire) -> None:
    folder.records.commit_all([creation_of(memory_of(f"m{i}")) for i in (7, 150, 249)])
    wire.requests.clear()

    found = folder.records.get_many("team/a", [f"m{i}" for i in range(250)])

    asked = [request["RequestItems"]["memories"]["Keys"] for request in wire.of("BatchGetItem")]
    assert sorted(map(len, asked)) == [50, 100, 100]
    assert set(found) == {"m7", "m150", "m249"}


def test_a_count_does_not_read_the_memories(folder: TableFolder, wire: Wire) -> None:
    for i in range(3):
        folder.records.commit(creation_of(memory_of(f"m{i}")))
    folder.pending.clear(folder.pending.of_namespace("team/a", 10).writes)
    wire.requests.clear()

    assert folder.records.count("team/a") == 3

    assert wire.counts == {"Query": 1, "GetItem": 1}


def test_a_filtered_count_brings_no_items(folder: TableFolder, wire: Wire) -> None:
    for i in range(3):
        folder.records.commit(creation_of(memory_of(f"m{i}", pinned=i == 0)))
    wire.requests.clear()

    assert folder.records.count("team/a", MemoryFilter(pinned=True)) == 1

    assert [request["Select"] for request in wire.of("Query")] == ["COUNT"]


def test_a_page_looks_no_further_than_it_must(folder: TableFolder, wire: Wire) -> None:
    for i in range(9):
        at = NOW + timedelta(hours=i)
        folder.records.commit(creation_of(memory_of(f"m{i}", created_at=at)))
    wire.requests.clear()

    page = folder.records.page("team/a", MemoryFilter(), None, 3)

    assert [memory.id for memory in page.memories] == ["m8", "m7", "m6"]
    assert [request["Limit"] for request in wire.of("Query")] == [4]


def test_a_page_of_rare_memories_looks_on(folder: TableFolder, wire: Wire) -> None:
    for i in range(20):
        folder.records.commit(creation_of(memory_of(f"m{i:02d}", pinned=i % 10 == 0)))

    page = folder.records.page("team/a", MemoryFilter(pinned=True), None, 2)

    assert [memory.id for memory in page.memories] == ["m10", "m00"]
    assert page.next_position is None


def test_a_transaction_stays_small_however_often_a_memory_was_changed(
    folder: TableFolder, wire: Wire
) -> None:
    memory = memory_of("m1", fingerprint="f0", session_id="s", turn=1)
    folder.records.commit(creation_of(memory))
    for turn in range(2, 9):
        folder.records.commit(update_of(memory, turn=turn, fingerprint=f"f{turn}"))
        memory = folder.records.get("m1")

    sizes = [len(request["TransactItems"]) for request in wire.of("TransactWriteItems")]
    assert max(sizes) <= 12
    assert len(folder.records.history("m1")) == 7


def test_a_small_batch_is_one_transaction(folder: TableFolder, wire: Wire) -> None:
    memories = [memory_of(f"m{i}", session_id="s", turn=i, fingerprint=f"f{i}") for i in range(4)]

    folder.records.commit_all([creation_of(memory) for memory in memories])

    assert wire.counts["TransactWriteItems"] == 1
    assert folder.records.count("team/a") == 4
    assert folder.records.last_turn("team/a", "s") == 3


@pytest.mark.parametrize("count", [13, 60])
def test_a_batch_that_fits_into_no_transaction_is_refused_before_anything_is_written(
    folder: TableFolder, wire: Wire, count: int
) -> None:
    memories = [memory_of(f"m{i}", session_id="s", turn=i, fingerprint=f"f{i}") for i in range(50)]
    changes = [creation_of(memories[i % 50]) for i in range(count)]

    with pytest.raises(VersionConflictError, match="fit"):
        folder.records.commit_all([*changes, *(creation_of(m) for m in memories[count:])])

    assert wire.items() == []
    assert wire.counts["TransactWriteItems"] == 0


def test_a_batch_of_too_many_bytes_is_refused_before_it_is_sent(
    folder: TableFolder, wire: Wire
) -> None:
    changes = [creation_of(memory_of(f"m{i}", "茶" * 32_000 + str(i))) for i in range(12)]
    large = [
        replace(change, scoring=replace(change.scoring, token_bits=LARGE))
        for change in changes
        if change.scoring is not None
    ]

    with pytest.raises(VersionConflictError, match="fit"):
        folder.records.commit_all(large)

    assert wire.counts["TransactWriteItems"] == 0


def test_neighbours_are_found_with_one_query_whoever_is_passed_over(
    folder: TableFolder, wire: Wire
) -> None:
    for memory_id, turn in (("a", 1), ("b", 1), ("c", 3), ("d", 3)):
        folder.records.commit(creation_of(memory_of(memory_id, session_id="s", turn=turn)))
    wire.requests.clear()

    previous = folder.records.previous_turn("team/a", "s", 2, without=("b",))
    following = folder.records.next_turn("team/a", "s", 2, without={"c": None})

    assert [memory and memory.id for memory in (previous, following)] == ["a", "d"]
    assert wire.counts == {"Query": 2, "GetItem": 2}
