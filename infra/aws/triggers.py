"""What calls the functions nobody waits for: the stream of the table, queues and the clock."""

from collections.abc import Mapping
from typing import cast

from aws_cdk import Duration
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_events as events
from aws_cdk import aws_events_targets as targets
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_

from functions.manifest import Function, Queue, QueueFunction, RuleFunction, StreamFunction
from infra.aws.queues import WorkQueue
from omoide.adapters.dynamodb.table import TABLE

_STREAM_TRIES = 10
_STREAM_AGE = Duration.hours(2)


class Triggers:
    """Connects functions of the manifest with what calls them.

    Args:
        table: The table whose stream is followed.
        queues: Every queue.
    """

    def __init__(self, table: dynamodb.ITable, queues: Mapping[Queue, WorkQueue]) -> None:
        self._table = table
        self._queues = queues

    @property
    def stream_arn(self) -> str:
        """Every stream the table will have: a restored table gets a new one."""
        return f"{self._table.table_arn}/stream/*"

    def permission(self, function: Function) -> iam.PolicyStatement | None:
        """What the role of a function needs so that Lambda can fetch its work."""
        match function:
            case StreamFunction():
                names = ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")
                actions = [f"dynamodb:{name}" for name in names]
                resource = self.stream_arn
            case QueueFunction():
                names = ("ChangeMessageVisibility", "DeleteMessage", "GetQueueAttributes")
                actions = [f"sqs:{name}" for name in (*names, "ReceiveMessage")]
                resource = self._queues[function.queue].queue.queue_arn
            case _:
                return None
        return iam.PolicyStatement(actions=actions, resources=[resource])

    def connect(self, function: Function, deployed: lambda_.Function) -> None:
        """Let the trigger call the function; the API calls its own."""
        match function:
            case StreamFunction():
                self._follow(function, deployed)
            case QueueFunction():
                self._work_off(function, deployed)
            case RuleFunction():
                self._call_regularly(function, deployed)
            case _:
                return

    def _follow(self, function: StreamFunction, deployed: lambda_.Function) -> None:
        keys = {TABLE.sort_key: {"S": [{"prefix": one} for one in function.item_prefixes]}}
        pattern = {"eventName": ["INSERT", "MODIFY"], "dynamodb": {"Keys": keys}}
        lambda_.EventSourceMapping(
            deployed,
            "Stream",
            target=cast("lambda_.IFunction", deployed),
            event_source_arn=cast("str", self._table.table_stream_arn),
            starting_position=lambda_.StartingPosition.TRIM_HORIZON,
            batch_size=function.batch_size,
            max_batching_window=Duration.seconds(function.batch_window_s),
            bisect_batch_on_error=True,
            report_batch_item_failures=True,
            retry_attempts=_STREAM_TRIES,
            max_record_age=_STREAM_AGE,
            filters=[lambda_.FilterCriteria.filter(pattern)],
        )

    def _work_off(self, function: QueueFunction, deployed: lambda_.Function) -> None:
        lambda_.EventSourceMapping(
            deployed,
            "Queue",
            target=cast("lambda_.IFunction", deployed),
            event_source_arn=self._queues[function.queue].queue.queue_arn,
            batch_size=function.batch_size,
            max_batching_window=Duration.seconds(function.batch_window_s),
            report_batch_item_failures=True,
        )

    def _call_regularly(self, function: RuleFunction, deployed: lambda_.Function) -> None:
        rule = events.Rule(
            deployed,
            "Rule",
            description=f"Omoide: {function.name}",
            schedule=events.Schedule.rate(Duration.minutes(function.every_minutes)),
        )
        target = targets.LambdaFunction(cast("lambda_.IFunction", deployed), retry_attempts=0)
        rule.add_target(cast("events.IRuleTarget", target))
