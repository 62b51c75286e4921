"""What goes wrong behind the API is mended: poisoned records, events that are lost."""

import os
import subprocess
import sys
from dataclasses import replace

from omoide.adapters.dynamodb.item_keys import SCORING, memory_id_of
from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack, Raw, eventually

GARBAGE = {"B": b"not what a memory is ranked by"}


def scoring_item(stack: DeployedStack, namespace: str, memory_id: str) -> Raw:
    items = stack.items(namespace, SCORING)
    return next(item for item in items if memory_id_of(item["sk"]["S"]) == memory_id)


def redrive(stack: DeployedStack) -> subprocess.CompletedProcess[str]:
    """`omoide redrive`, as an operator of the account runs it."""
    command = [sys.executable, "-m", "infra.local.cli", "redrive", "--json"]
    settings = {"OMOIDE_DEAD_LETTERS": stack.dead_letters}
    return subprocess.run(
        command, env=os.environ | settings, capture_output=True, text=True, check=False
    )


def test_a_poisoned_record_holds_up_nobody_and_is_mended_by_a_redrive(
    api: DeployedApi, stack: DeployedStack
) -> None:
    with stack.paused_indexer():
        ids = [api.store(f"Bottle {number} holds plum wine.") for number in range(5)]
        poisoned = scoring_item(stack, api.namespace, ids[2])
        stack.set(poisoned, "data", GARBAGE)

    eventually(lambda: len(stack.pending(api.namespace)), lambda count: count == 1)
    eventually(stack.letters, lambda letters: ids[2] in [letter["id"] for letter in letters])
    indexed = stack.indexed(api.namespace).keys()
    answer = api.search("plum wine", top_k=100)
    with stack.soon_shown_letters():
        in_vain = redrive(stack)
        stack.set(poisoned, "data", poisoned["data"])
        eventually(stack.letters, lambda letters: letters != [])
        mended = redrive(stack)

    assert indexed == set(ids) - {ids[2]}
    assert answer["degraded"] is True
    assert {one["id"] for one in answer["results"]} >= set(ids) - {ids[2]}
    assert (in_vain.returncode, ids[2] in in_vain.stdout) == (1, True), in_vain
    assert mended.returncode == 0, mended
    assert stack.pending(api.namespace) == []
    assert stack.letters() == []
    assert stack.indexed(api.namespace) == stack.recorded(api.namespace)
    assert set(api.found("plum wine", top_k=100)) == set(ids)


def test_an_event_that_the_stream_has_dropped_is_mended_by_the_clock(
    api: DeployedApi, stack: DeployedStack
) -> None:
    later = replace(api, namespace=f"{api.namespace}/later")
    with stack.deaf_stream(but=later.namespace):
        kept = api.store("The spare key hangs in the cellar.")
        gone = api.store("The spare key hangs in the attic.")
        api.delete(gone)
        seen_at_once = api.found("spare key")
        later.store("Told after the others.")
        stack.await_index(later.namespace)

    assert seen_at_once == [kept]
    assert len(stack.pending(api.namespace)) == 2
    assert stack.indexed(api.namespace) == {}

    stack.mend(api.namespace)

    assert stack.indexed(api.namespace) == stack.recorded(api.namespace)
    assert stack.indexed(api.namespace).keys() == {kept}


def test_the_clock_is_set_to_mend_each_minute(stack: DeployedStack) -> None:
    assert stack.rule["ScheduleExpression"] == "rate(1 minute)"
    assert stack.rule["State"] == "ENABLED"


def test_the_indexer_is_set_to_look_again_at_what_failed_and_at_memories_alone(
    stack: DeployedStack,
) -> None:
    mapping = stack.mapping

    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BisectBatchOnFunctionError"] is True
    (pattern,) = mapping["FilterCriteria"]["Filters"]
    assert all(prefix in pattern["Pattern"] for prefix in ("PEND#", "INSERT", "MODIFY"))
