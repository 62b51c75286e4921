"""What the functions ask of the table is what their roles allow, item family by item family."""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import pytest

from functions import composition
from functions.manifest import API_FUNCTIONS, AUTHORIZER, BACKGROUND_FUNCTIONS, Function
from omoide.adapters.exact.kept_writes import NoIndexWriter
from omoide.adapters.fake import FakeClock, FakeEmbedder, FakeEntropy
from omoide.adapters.fake.following import FakeDeadLetters
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.settings import Settings
from tests.contract.folders import clock_at
from tests.contract.samples import DIMS
from tests.contract.table_folder import TableFolder
from tests.infra_aws.policies import LEADING_KEYS, asked_rights, is_allowed
from tests.infra_aws.synthesis import Json, Synthesis, function_of, listed
from tests.unit.api.api_desk import ApiDesk
from tests.unit.api.test_sample_events import prepared, sample
from tests.unit.dynamodb.wire import Wire

EVENTS = Path(__file__).resolve().parents[2] / "events"
FAMILIES = ("NS#", "LOC#", "OP#", "KEY#", "CFG", "RATE#")
ALWAYS_WITH_KEYS = {
    *("dynamodb:BatchGetItem", "dynamodb:DeleteItem", "dynamodb:GetItem"),
    *("dynamodb:PutItem", "dynamodb:Query", "dynamodb:UpdateItem"),
}
REACHED = {
    "get_memory": {"NS#", "LOC#"},
    "count_memories": {"NS#", "LOC#"},
    "list_memories": {"NS#", "LOC#", "CFG"},
    "search_memories": {"NS#", "LOC#", "RATE#"},
    "retrieve_context": {"NS#", "LOC#", "RATE#", "CFG"},
    "surface_memories": {"NS#", "LOC#", "RATE#", "CFG"},
    "store_memory": {"NS#", "LOC#", "OP#", "RATE#"},
    "delete_memory": {"NS#", "LOC#", "OP#", "RATE#"},
    "create_key": {"KEY#"},
    "list_keys": {"KEY#"},
    "revoke_key": {"KEY#"},
    "get_service": set[str](),
    "get_health": {"NS#", "LOC#"},
    "authenticate_key": {"KEY#"},
    "record_accesses": {"NS#", "LOC#"},
    "index_memories": {"NS#", "LOC#"},
    "redrive_pending": {"NS#", "LOC#"},
}
"""The families of items that a function's role reaches."""

ALL: tuple[Function, ...] = (*API_FUNCTIONS, AUTHORIZER, *BACKGROUND_FUNCTIONS)


class FollowedTable(TableFolder):
    """A table with what the functions in the background need."""

    def __init__(self, clock: FakeClock) -> None:
        super().__init__(clock)
        self.counters = self.uses
        self.writer = NoIndexWriter()
        self.dead_letters = FakeDeadLetters()


@pytest.fixture
def desk() -> Iterator[ApiDesk]:
    clock, embedder = clock_at(), FakeEmbedder(dims=DIMS)
    folder = FollowedTable(clock)
    composition.configure(
        Settings.load({}), folder=folder, embedder=embedder, clock=clock, entropy=FakeEntropy(7)
    )
    yield ApiDesk(folder=cast("Any", folder), embedder=embedder, clock=clock)
    composition.configure()


@pytest.fixture
def wire(desk: ApiDesk) -> Iterator[Wire]:
    opened = Wire()
    yield opened
    opened.close()


def on_table(stack: Synthesis, function: Function) -> list[Json]:
    """The statements of a function's role about items of the table."""
    role = function_of(stack, function)["Role"]["Fn::GetAtt"][0]
    return [
        statement
        for name, statement in stack.statements()
        if name == role and ALWAYS_WITH_KEYS & set(listed(statement["Action"]))
    ]


def run(desk: ApiDesk, wire: Wire, function: Function) -> None:
    """Do what a function is there for, on a table that holds what it is about."""
    if function.trigger == "api":
        (one,) = (known for known in API_FUNCTIONS if known is function)
        event = prepared(desk, sample(one))
        wire.requests.clear()
        assert desk.send(one.name, event).status < 300
        return
    desk.principal = LOCAL_PRINCIPAL
    made = desk.store("Mika drinks oolong.", namespace="team/support")
    key = desk.call("create_key", {"name": "x", "scopes": ["read:**"]}).json["token"]
    desk.clock.advance(minutes=2)
    text = (EVENTS / function.trigger / f"{function.name}.json").read_text(encoding="utf-8")
    text = text.replace("019b7a3c-8f00-7000-8000-000000000001", made["id"])
    event = json.loads(text.replace("omo_example", key))
    handler = import_module(function.handler.rpartition(".")[0]).handler
    wire.requests.clear()
    handler(event, None)


@pytest.mark.parametrize("function", ALL, ids=lambda function: function.name)
def test_a_role_allows_what_its_function_asks_of_the_table(
    desk: ApiDesk, wire: Wire, usual: Synthesis, function: Function
) -> None:
    run(desk, wire, function)

    allowed = on_table(usual, function)
    for name, request in wire.requests:
        for action, keys in asked_rights(name, request):
            assert is_allowed(allowed, action, keys), (action, keys)
    assert bool(wire.requests) == bool(allowed)


@pytest.mark.parametrize("function", ALL, ids=lambda function: function.name)
def test_a_role_reaches_no_other_families_of_items(usual: Synthesis, function: Function) -> None:
    allowed = on_table(usual, function)
    actions = {action for one in allowed for action in listed(one["Action"])}
    reached = {
        family
        for family in FAMILIES
        if any(is_allowed(allowed, action, frozenset({family + "x"})) for action in actions)
    }

    if function.name in REACHED:
        assert reached == REACHED[function.name]
    else:
        assert "KEY#" not in reached
        assert "CFG" not in reached


def test_no_right_on_items_comes_without_the_keys_it_is_about(
    usual: Synthesis, exact: Synthesis
) -> None:
    for role, statement in [*usual.statements(), *exact.statements()]:
        actions = [a for a in listed(statement["Action"]) if a.startswith("dynamodb:")]
        resources = json.dumps(statement["Resource"])
        if not actions or "/stream/" in resources or "/index/" in resources:
            continue
        assert set(actions) <= ALWAYS_WITH_KEYS, role
        keys: Any = statement["Condition"]["ForAllValues:StringLike"][LEADING_KEYS]
        assert all(len(pattern) > 1 for pattern in listed(keys)), role
