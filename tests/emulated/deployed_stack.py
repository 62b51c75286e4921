"""The AWS side of the deployed stack: its table, its functions, its queues, its index."""

import base64
import json
import os
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Any, TypeVar, cast

from opensearchpy import OpenSearch

from functions.manifest import Function
from infra.local.invoke import EVENTS, FUNCTIONS, Answer, deployed_name, invoke
from omoide.adapters.dynamodb.attributes import TimeAttribute
from omoide.adapters.dynamodb.item_keys import MEMORY, PENDING, SCORING, memory_id_of
from omoide.adapters.dynamodb.table import TABLE
from omoide.adapters.opensearch import connect
from omoide.adapters.opensearch.documents import routing_of

T = TypeVar("T")
Raw = Mapping[str, Mapping[str, Any]]

STACK = "Omoide"
ALIAS = "omoide"
PATIENCE_S = 60.0
PADDING = "=="
"""The node leaves it out; more than is needed does no harm."""

STREAM = FUNCTIONS["index_memories"]
RULE = FUNCTIONS["redrive_pending"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What a memory is ranked by.

    Attributes:
        version: Order of its writes, as the index counts them.
        payload: Its scoring data.
    """

    version: int
    payload: bytes


class DeployedStack:
    """What an operator of the account sees and may do."""

    def aws(self, service: str) -> Any:
        """A client of a service."""
        from botocore.session import Session  # pyright: ignore[reportMissingTypeStubs]

        return cast("Any", Session()).create_client(service)

    @cached_property
    def lambdas(self) -> Any:
        """AWS Lambda."""
        return self.aws("lambda")

    @cached_property
    def table(self) -> Any:
        """DynamoDB."""
        return self.aws("dynamodb")

    @cached_property
    def queues(self) -> Any:
        """SQS."""
        return self.aws("sqs")

    @cached_property
    def node(self) -> OpenSearch:
        """The index."""
        return connect(os.environ["OMOIDE_OPENSEARCH_URL"])

    def invoke(self, function: Function, event: object) -> Answer:
        """Call a function."""
        return invoke(self.lambdas, STACK, function, json.dumps(event).encode())

    def settings_of(self, function: Function) -> dict[str, str]:
        """The variables of a function."""
        name = deployed_name(self.lambdas, STACK, function)
        found = self.lambdas.get_function_configuration(FunctionName=name)
        return found["Environment"]["Variables"]

    @cached_property
    def dead_letters(self) -> str:
        """The queue of what cannot be indexed."""
        return self.settings_of(STREAM)["OMOIDE_DEAD_LETTERS"]

    @contextmanager
    def paused_indexer(self) -> Generator[None, None, None]:
        """Nothing is indexed meanwhile: neither from the stream nor by the clock."""
        self._change_mapping(Enabled=False)
        events, rule = self.aws("events"), self.rule["Name"]
        events.disable_rule(Name=rule)
        try:
            yield
        finally:
            events.enable_rule(Name=rule)
            self._change_mapping(Enabled=True)

    @contextmanager
    def deaf_stream(self, *, but: str) -> Generator[None, None, None]:
        """Changes are told to nobody meanwhile, and not later either, but those of a namespace."""
        keys = {"pk": {"S": [f"NS#{but}"]}}
        pattern = {"eventName": ["INSERT", "MODIFY"], "dynamodb": {"Keys": keys}}
        filters = self.mapping["FilterCriteria"]
        self._change_mapping(FilterCriteria={"Filters": [{"Pattern": json.dumps(pattern)}]})
        try:
            yield
        finally:
            self._change_mapping(FilterCriteria=filters)

    @contextmanager
    def limited(self, function: Function, processes: int) -> Generator[None, None, None]:
        """So many processes of a function at most; further requests are throttled meanwhile."""
        name = deployed_name(self.lambdas, STACK, function)
        self.lambdas.put_function_concurrency(
            FunctionName=name, ReservedConcurrentExecutions=processes
        )
        try:
            yield
        finally:
            self.lambdas.delete_function_concurrency(FunctionName=name)

    @property
    def mapping(self) -> Mapping[str, Any]:
        """What brings the stream to the indexer."""
        name = deployed_name(self.lambdas, STACK, STREAM)
        (found,) = self.lambdas.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]
        return found

    @property
    def rule(self) -> Mapping[str, Any]:
        """The clock that calls the function which mends what the stream has lost."""
        events, name = self.aws("events"), deployed_name(self.lambdas, STACK, RULE)
        for rule in events.list_rules()["Rules"]:
            targets = events.list_targets_by_rule(Rule=rule["Name"])["Targets"]
            if any(target["Arn"].endswith(f":{name}") for target in targets):
                return rule
        raise AssertionError(f"no rule calls {name}")

    def items(self, namespace: str, prefix: str = "") -> list[Raw]:
        """The items of a namespace whose sort key begins so."""
        pages = self.table.get_paginator("query").paginate(
            TableName=os.environ["OMOIDE_TABLE"],
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": f"NS#{namespace}"}},
            ConsistentRead=True,
        )
        items: list[Raw] = [item for page in pages for item in page["Items"]]
        return [item for item in items if item["sk"]["S"].startswith(prefix)]

    def set(self, item: Raw, name: str, value: Mapping[str, Any]) -> None:
        """Write one attribute of an item, behind the back of the product, unless it is gone."""
        with suppress(self.table.exceptions.ConditionalCheckFailedException):
            self.table.update_item(
                TableName=os.environ["OMOIDE_TABLE"],
                Key={"pk": item["pk"], "sk": item["sk"]},
                ConditionExpression="attribute_exists(pk)",
                UpdateExpression="SET #name = :value",
                ExpressionAttributeNames={"#name": name},
                ExpressionAttributeValues={":value": value},
            )

    def pending(self, namespace: str) -> list[Raw]:
        """What the index has not taken yet."""
        return self.items(namespace, PENDING)

    def mend(self, namespace: str) -> None:
        """Let what is pending look old, and let the clock's function look at it."""
        long_ago = {"S": TimeAttribute().serialize(datetime.now(UTC) - timedelta(minutes=2))}
        for item in self.pending(namespace):
            self.set(item, "written_at", long_ago)
            self.set(item, TABLE.due_index.sort_key, long_ago)
        event = json.loads((EVENTS / RULE.trigger / f"{RULE.name}.json").read_text("utf-8"))
        assert not self.invoke(RULE, event).failed
        self.await_index(namespace)

    def await_index(self, namespace: str, patience_s: float = PATIENCE_S) -> None:
        """Wait until the index has taken every write."""
        eventually(lambda: len(self.pending(namespace)), lambda count: count == 0, patience_s)

    def recorded(self, namespace: str) -> dict[str, Scored]:
        """What the records say of every memory that is to be found."""
        live = {
            memory_id_of(item["sk"]["S"])
            for item in self.items(namespace, MEMORY)
            if "hidden" not in item
        }
        scored = {memory_id_of(item["sk"]["S"]): item for item in self.items(namespace, SCORING)}
        return {
            memory_id: Scored(
                version=int(scored[memory_id]["index_version"]["N"]),
                payload=bytes(scored[memory_id]["data"]["B"]),
            )
            for memory_id in live
        }

    def indexed(self, namespace: str) -> dict[str, Scored]:
        """What the index holds of a namespace."""
        self.node.indices.refresh(index=ALIAS)
        body = {
            "size": 10_000,
            "version": True,
            "stored_fields": "_none_",
            "docvalue_fields": ["memory_id", "payload"],
            "query": {"term": {"namespace": namespace}},
        }
        found = self.node.search(index=ALIAS, body=body, params={"routing": routing_of(namespace)})
        hits: Sequence[Mapping[str, Any]] = found["hits"]["hits"]
        return {
            hit["fields"]["memory_id"][0]: Scored(
                version=hit["_version"],
                payload=base64.urlsafe_b64decode(hit["fields"]["payload"][0] + PADDING),
            )
            for hit in hits
        }

    @contextmanager
    def soon_shown_letters(self) -> Generator[None, None, None]:
        """A letter that was taken and not removed is shown again after a second."""
        shown = {"QueueUrl": self.dead_letters, "AttributeNames": ["VisibilityTimeout"]}
        former = self.queues.get_queue_attributes(**shown)["Attributes"]
        soon = {"VisibilityTimeout": "1"}
        self.queues.set_queue_attributes(QueueUrl=self.dead_letters, Attributes=soon)
        try:
            yield
        finally:
            self.queues.set_queue_attributes(QueueUrl=self.dead_letters, Attributes=former)

    def letters(self) -> list[dict[str, Any]]:
        """The dead letters, which stay where they are."""
        answer = self.queues.receive_message(
            QueueUrl=self.dead_letters, MaxNumberOfMessages=10, VisibilityTimeout=0
        )
        return [json.loads(message["Body"]) for message in answer.get("Messages", ())]

    def _change_mapping(self, **what: object) -> None:
        self.lambdas.update_event_source_mapping(UUID=self.mapping["UUID"], **what)


def eventually(
    look: Callable[[], T], is_right: Callable[[T], bool], patience_s: float = PATIENCE_S
) -> T:
    """Look again and again until it is right, as long as background work may take."""
    deadline = time.monotonic() + patience_s
    while not is_right(seen := look()):
        assert time.monotonic() < deadline, f"still: {seen!r}"
        time.sleep(0.2)
    return seen
