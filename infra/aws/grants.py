"""What each grant of the manifest allows, as statements of IAM policies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aws_cdk import aws_iam as iam

from functions.manifest import Grant
from omoide.adapters.dynamodb.table import Partition

INDEX_READ_ACTIONS = ("es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost")
INDEX_WRITE_ACTIONS = (*INDEX_READ_ACTIONS, "es:ESHttpDelete", "es:ESHttpPut")

_READ_ACTIONS = ("dynamodb:BatchGetItem", "dynamodb:GetItem", "dynamodb:Query")
_WRITE_ACTIONS = (
    "dynamodb:BatchWriteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:PutItem",
    "dynamodb:UpdateItem",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GrantedResources:
    """What grants can be about.

    Attributes:
        table_arn: The table of the records.
        due_index_arn: Its index by time.
        uses_queue_arn: The queue of accesses.
        faults_queue_arn: The queue of what cannot be indexed.
        index_arn: The OpenSearch domain; None without one.
    """

    table_arn: str
    due_index_arn: str
    uses_queue_arn: str
    faults_queue_arn: str
    index_arn: str | None


def statements(
    grants: Iterable[Grant], resources: GrantedResources
) -> Mapping[Grant, iam.PolicyStatement]:
    """Return the statements of some grants, by grant, in their order of declaration."""
    rules = _rules(resources)
    wanted = frozenset(grants)
    return {grant: rules[grant].statement() for grant in Grant if grant in wanted & rules.keys()}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rule:
    """What one grant allows.

    Attributes:
        actions: Of IAM.
        on: ARNs.
        partitions: Patterns of partition keys; with some it is about their items alone.
    """

    actions: tuple[str, ...]
    on: tuple[str, ...]
    partitions: tuple[str, ...] = ()

    def statement(self) -> iam.PolicyStatement:
        keys = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": list(self.partitions)}}
        return iam.PolicyStatement(
            actions=list(self.actions),
            resources=list(self.on),
            conditions=keys if self.partitions else None,
        )


def _rules(at: GrantedResources) -> Mapping[Grant, _Rule]:
    table = (at.table_arn,)
    get, put, update = (f"dynamodb:{name}Item" for name in ("Get", "Put", "Update"))
    keys, settings = (f"{Partition.API_KEY}*",), (f"{Partition.CONFIGURATION}*",)
    rates, memories = (f"{Partition.RATE}*",), (f"{Partition.NAMESPACE}*",)
    rules = {
        Grant.READ_RECORDS: _Rule(actions=_READ_ACTIONS, on=(at.table_arn, at.due_index_arn)),
        Grant.WRITE_RECORDS: _Rule(actions=_WRITE_ACTIONS, on=table),
        Grant.RECORD_USE: _Rule(actions=("sqs:SendMessage",), on=(at.uses_queue_arn,)),
        Grant.COUNT_USE: _Rule(actions=(put, update), on=table, partitions=memories),
        Grant.REMEMBER_SHOWN: _Rule(actions=(get, put), on=table, partitions=memories),
        Grant.KEEP_DEAD_LETTERS: _Rule(actions=("sqs:SendMessage",), on=(at.faults_queue_arn,)),
        Grant.READ_KEYS: _Rule(actions=(get, "dynamodb:Query"), on=table, partitions=keys),
        Grant.WRITE_KEYS: _Rule(actions=(get, put, update), on=table, partitions=keys),
        Grant.SIGN_CURSORS: _Rule(actions=(get, put), on=table, partitions=settings),
        Grant.LIMIT_RATE: _Rule(actions=(get, put, update), on=table, partitions=rates),
    }
    if at.index_arn is not None:
        index = (f"{at.index_arn}/*",)
        rules[Grant.SEARCH_INDEX] = _Rule(actions=INDEX_READ_ACTIONS, on=index)
        rules[Grant.WRITE_INDEX] = _Rule(actions=INDEX_WRITE_ACTIONS, on=index)
    return rules
