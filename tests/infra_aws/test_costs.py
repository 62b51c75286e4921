"""The costs of the documentation are worked out, from what the stack has and the code asks."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from functions import composition
from functions.manifest import API_FUNCTIONS
from infra.aws.costs import ALARMS, COSTS, GET_UNITS, INDEX_UNITS, PRICED_ON, STORE_UNITS, table
from infra.aws.options import SearchMode
from infra.aws.search_domain import NODE_TYPE
from omoide.adapters.fake import FakeEmbedder, FakeEntropy
from omoide.settings import Settings
from tests.contract.folders import clock_at
from tests.contract.table_folder import TableFolder
from tests.infra_aws.synthesis import Synthesis
from tests.unit.api.api_desk import ApiDesk, principal
from tests.unit.dynamodb.wire import Wire

PAGE = Path(__file__).parents[2] / "docs" / "aws.md"
MARK = "<!-- Written by `python -m infra.aws.costs`; change the quantities there. -->\n"
DIMS = 384
SIXTY_TOKENS = " ".join(f"word{number}" for number in range(60))


@pytest.fixture
def folder() -> Iterator[TableFolder]:
    clock = clock_at()
    made = TableFolder(clock)
    embedder, entropy = FakeEmbedder(dims=DIMS), FakeEntropy(7)
    composition.configure(
        Settings.load({}), folder=made, embedder=embedder, clock=clock, entropy=entropy
    )
    yield made
    composition.configure()


@pytest.fixture
def desk(folder: TableFolder) -> ApiDesk:
    """Calls by a key, which are counted for its rate."""
    made = ApiDesk(folder=cast("Any", folder), embedder=FakeEmbedder(), clock=clock_at())
    made.principal = principal("write:team/a")
    return made


@pytest.fixture
def wire(folder: TableFolder) -> Iterator[Wire]:
    opened = Wire()
    yield opened
    opened.close()


def size_of(value: Any) -> int:
    """Bytes of an item, nearly as DynamoDB counts them."""
    if isinstance(value, dict):
        pairs = cast("dict[str, Any]", value).items()
        return sum(len(name) + size_of(one) for name, one in pairs)
    if isinstance(value, list):
        return sum(map(size_of, cast("list[Any]", value)))
    return len(value) if isinstance(value, (bytes, str)) else 1


def units(wire: Wire) -> tuple[int, int]:
    """Write and read units of the requests so far: a transaction writes for twice as many.

    An item with a key of the index by time costs one more when it is put and when it goes.
    """
    writes = reads = 0
    for name, request in wire.requests:
        if name == "TransactWriteItems":
            for part in request["TransactItems"]:
                ((kind, one),) = part.items()
                item = one.get("Item", {})
                is_pending = "PEND#" in str(one.get("Key", item.get("sk")))
                writes += 2 * max(1, math.ceil(size_of(item) / 1_024))
                writes += kind in {"Put", "Delete"} and is_pending
                writes += kind == "Update" and is_pending
        elif name == "BatchGetItem":
            reads += sum(len(one["Keys"]) for one in request["RequestItems"].values())
        else:
            writes += name in {"PutItem", "UpdateItem", "DeleteItem"}
            reads += name in {"GetItem", "Query"}
    wire.requests.clear()
    return writes, reads


def test_the_table_of_the_documentation_is_the_one_worked_out() -> None:
    _, _, written = PAGE.read_text(encoding="utf-8").partition(MARK)

    assert written.strip().startswith(table().strip())
    assert PRICED_ON in PAGE.read_text(encoding="utf-8")


def test_a_cost_is_what_its_parts_add_up_to() -> None:
    reads = next(cost for cost in COSTS if cost.name == "a million reads by id")

    by_hand = 3.50 + 0.20 + 0.05 * 0.5 * 13.3334 + 3 * 0.125
    assert reads.dollars == pytest.approx(by_hand)


def test_what_is_paid_while_idle_is_what_the_stack_has(usual: Synthesis, exact: Synthesis) -> None:
    kind = "AWS::CloudWatch::Alarm"

    assert len(usual.resources(kind)) == ALARMS[SearchMode.OPENSEARCH]
    assert len(exact.resources(kind)) == ALARMS[SearchMode.EXACT]
    assert NODE_TYPE == "t3.small.search"
    memory = {one.name: one.memory_mb for one in API_FUNCTIONS}
    assert (memory["store_memory"], memory["search_memories"], memory["get_memory"]) == (
        2_048,
        2_048,
        512,
    )


def test_the_units_of_the_table_are_those_the_code_asks_for(
    desk: ApiDesk, folder: TableFolder, wire: Wire
) -> None:
    desk.store("The first of the key.")
    wire.requests.clear()

    stored = desk.store(SIXTY_TOKENS)
    store = units(wire)
    desk.call("get_memory", path=desk.one(stored["id"]))
    get = units(wire)
    pending = folder.pending.of_namespace("team/a", 1).writes
    wire.requests.clear()
    folder.source.read([one.memory for one in pending])
    folder.pending.clear(pending)

    assert store == STORE_UNITS
    assert get == GET_UNITS
    assert units(wire) == INDEX_UNITS
