"""What each grant of the manifest allows, as statements of IAM policies."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from aws_cdk import aws_iam as iam

from functions.manifest import Grant
from omoide.adapters.dynamodb.table import Partition

INDEX_READ_ACTIONS = ("es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost")
INDEX_WRITE_ACTIONS = (*INDEX_READ_ACTIONS, "es:ESHttpDelete", "es:ESHttpPut")

_GET, _GET_MANY = "dynamodb:GetItem", "dynamodb:BatchGetItem"
_PUT, _UPDATE, _DELETE = "dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem"
_QUERY = "dynamodb:Query"


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

    A request passes when one statement allows all its keys, so a statement names every partition
    that one request may touch. There is no further condition that a key is told at all: each of
    the actions that are granted on the table always tells one, and a scan, which does not, is
    granted to nobody.

    Attributes:
        actions: Of IAM. A transaction needs those of its parts; it has none of its own.
        on: ARNs.
        partitions: How partition keys begin; with some it is about their items alone.
    """

    actions: tuple[str, ...]
    on: tuple[str, ...]
    partitions: tuple[Partition, ...] = ()

    def statement(self) -> iam.PolicyStatement:
        patterns = [f"{one}*" for one in self.partitions]
        keys = {"ForAllValues:StringLike": {"dynamodb:LeadingKeys": patterns}}
        return iam.PolicyStatement(
            actions=list(self.actions),
            resources=list(self.on),
            conditions=keys if self.partitions else None,
        )


def _rules(at: GrantedResources) -> Mapping[Grant, _Rule]:
    return _table_rules(at.table_arn) | _other_rules(at)


def _table_rules(arn: str) -> dict[Grant, _Rule]:
    table = (arn,)
    keys, settings = (Partition.API_KEY,), (Partition.CONFIGURATION,)
    memories, rates = (Partition.NAMESPACE,), (Partition.RATE,)
    records = (Partition.NAMESPACE, Partition.LOCATOR)
    return {
        Grant.READ_RECORDS: _Rule(actions=(_GET_MANY, _GET, _QUERY), on=table, partitions=records),
        Grant.WRITE_RECORDS: _Rule(
            actions=(_GET_MANY, _DELETE, _GET, _PUT, _UPDATE),
            on=table,
            partitions=(*records, Partition.OPERATION),
        ),
        Grant.CLEAR_PENDING: _Rule(actions=(_DELETE, _UPDATE), on=table, partitions=memories),
        Grant.COUNT_USE: _Rule(actions=(_PUT,), on=table, partitions=memories),
        Grant.REMEMBER_SHOWN: _Rule(actions=(_GET, _PUT), on=table, partitions=memories),
        Grant.READ_KEYS: _Rule(actions=(_GET, _QUERY), on=table, partitions=keys),
        Grant.WRITE_KEYS: _Rule(actions=(_PUT,), on=table, partitions=keys),
        Grant.SIGN_CURSORS: _Rule(actions=(_GET, _PUT), on=table, partitions=settings),
        Grant.LIMIT_RATE: _Rule(actions=(_GET, _UPDATE), on=table, partitions=rates),
    }


def _other_rules(at: GrantedResources) -> dict[Grant, _Rule]:
    rules = {
        Grant.FIND_OVERDUE: _Rule(actions=(_QUERY,), on=(at.due_index_arn,)),
        Grant.RECORD_USE: _Rule(actions=("sqs:SendMessage",), on=(at.uses_queue_arn,)),
        Grant.KEEP_DEAD_LETTERS: _Rule(actions=("sqs:SendMessage",), on=(at.faults_queue_arn,)),
    }
    if at.index_arn is not None:
        index = (f"{at.index_arn}/*",)
        rules[Grant.SEARCH_INDEX] = _Rule(actions=INDEX_READ_ACTIONS, on=index)
        rules[Grant.WRITE_INDEX] = _Rule(actions=INDEX_WRITE_ACTIONS, on=index)
    return rules
