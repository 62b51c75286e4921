"""The table as data: what deployment creates, tests create, and the adapter relies on."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

DUE_SHARDS = 8
"""Partitions of the ``due`` index per kind."""


class Partition(StrEnum):
    """How the partition keys of the items begin; what a function may touch is granted by these."""

    NAMESPACE = "NS#"
    LOCATOR = "LOC#"
    OPERATION = "OP#"
    API_KEY = "KEY#"
    CONFIGURATION = "CFG"
    RATE = "RATE#"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexDescription:
    """A global secondary index over two text attributes, projecting the keys alone.

    Attributes:
        name: Its name.
        partition_key: Attribute; items without it are not in the index.
        sort_key: Attribute.
    """

    name: str
    partition_key: str
    sort_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDescription:
    """One table on demand; its keys are texts.

    Attributes:
        partition_key: Attribute.
        sort_key: Attribute.
        ttl_attribute: Seconds since 1970 after which DynamoDB drops an item.
        stream_view: What the stream tells of a change.
        due_index: Finds what is due, by kind and time.
    """

    partition_key: str = "pk"
    sort_key: str = "sk"
    ttl_attribute: str = "ttl"
    stream_view: str = "NEW_AND_OLD_IMAGES"
    due_index: IndexDescription = IndexDescription(
        name="due", partition_key="due_pk", sort_key="due_sk"
    )

    def creation(self, name: str) -> dict[str, Any]:
        """Arguments of the DynamoDB operation ``CreateTable``; TTL is switched on apart."""
        index = self.due_index
        texts = (self.partition_key, self.sort_key, index.partition_key, index.sort_key)
        return {
            "TableName": name,
            "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [
                {"AttributeName": text, "AttributeType": "S"} for text in texts
            ],
            "KeySchema": _key_schema(self.partition_key, self.sort_key),
            "GlobalSecondaryIndexes": [
                {
                    "IndexName": index.name,
                    "KeySchema": _key_schema(index.partition_key, index.sort_key),
                    "Projection": {"ProjectionType": "KEYS_ONLY"},
                }
            ],
            "StreamSpecification": {"StreamEnabled": True, "StreamViewType": self.stream_view},
        }


TABLE = TableDescription()
"""The only table there is."""


def _key_schema(partition_key: str, sort_key: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": partition_key, "KeyType": "HASH"},
        {"AttributeName": sort_key, "KeyType": "RANGE"},
    ]
