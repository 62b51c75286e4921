"""The addition to the emulator's Query picks what the Query would return, and no less."""

from types import SimpleNamespace
from typing import Any

import pytest

from infra.local.bench.seeking_table import SortedKeys, mend, picked

KEYS = ["A#1", "B#1", "B#2", "B#3", "B#4", "C#1"]
RANGE = {
    "KeyConditionExpression": "(#0 = :0 AND #1 BETWEEN :1 AND :2)",
    "ExpressionAttributeValues": {":0": {"S": "p"}, ":1": {"S": "B#"}, ":2": {"S": "B$"}},
}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ["B#1", "B#2", "B#3", "B#4"]),
        ({"Limit": 1}, ["B#1", "B#2", "B#3"]),
        ({"Limit": 1, "ScanIndexForward": False}, ["B#2", "B#3", "B#4"]),
        ({"ExclusiveStartKey": {"sk": {"S": "B#3"}}}, ["B#3", "B#4"]),
        (
            {"ExclusiveStartKey": {"sk": {"S": "B#2"}}, "ScanIndexForward": False},
            ["B#1", "B#2"],
        ),
    ],
)
def test_the_range_is_picked_with_some_to_spare(more: dict[str, Any], expected: list[str]) -> None:
    assert picked(RANGE | more, KEYS) == expected


def test_a_query_that_is_not_understood_sees_the_whole_partition() -> None:
    assert picked({"KeyConditionExpression": "#0 = :0"}, KEYS) == KEYS


class Service(SimpleNamespace):
    """Stands for the emulator's module: its query tells what it was given."""

    def __init__(self) -> None:
        self.table = {"TableName": "t", "items": {"p": {key: {"sk": key} for key in KEYS}}}
        super().__init__(_tables={"t": self.table})

    def _query(self, request: dict[str, Any]) -> list[str]:
        return list(self._tables.get(request["TableName"])["items"]["p"])

    def _set_item(self, table: Any, partition: str, key: str, item: Any) -> Any:
        former = table["items"][partition].get(key)
        table["items"][partition][key] = item
        return former

    def _remove_item(self, table: Any, partition: str, key: str) -> Any:
        return table["items"][partition].pop(key, None)


def test_the_mended_query_follows_every_write_and_leaves_the_tables_alone() -> None:
    service: Any = Service()
    tables = service._tables
    mend(service)
    request = {"TableName": "t", **RANGE}

    before = service._query(request)
    service._set_item(service.table, "p", "B#9", {})
    service._set_item(service.table, "p", "B#9", {})
    service._remove_item(service.table, "p", "B#2")
    service._remove_item(service.table, "p", "nowhere")
    after = service._query(request)

    assert before == ["B#1", "B#2", "B#3", "B#4"]
    assert after == ["B#1", "B#3", "B#4", "B#9"]
    assert service._tables is tables


def test_keys_of_a_partition_nobody_asked_for_are_not_kept() -> None:
    known = SortedKeys()

    known.added("t", "p", "x")
    known.removed("t", "p", "y")

    assert known.of("t", "p", {"b": {}, "a": {}}) == ["a", "b"]
