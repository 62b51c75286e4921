"""What the operator should hear of."""

from typing import cast

from aws_cdk import Duration
from aws_cdk import aws_cloudwatch as cloudwatch
from aws_cdk import aws_cloudwatch_actions as actions
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_opensearchservice as opensearch
from aws_cdk import aws_sns as sns
from aws_cdk import aws_sns_subscriptions as subscriptions
from aws_cdk import aws_sqs as sqs
from constructs import Construct

from infra.aws.http_api import HttpApi
from infra.aws.queues import WorkQueue

_PERIOD = Duration.minutes(5)
_LARGEST_AGE_S = 900
_LEAST_FREE_MIB = 2_048
_SLOW_MS = 5_000


class Alarms(Construct):
    """Alarms, and whom they tell."""

    def __init__(self, scope: Construct, construct_id: str, *, email: str) -> None:
        super().__init__(scope, construct_id)
        self._topic: sns.Topic | None = None
        if email:
            self._topic = sns.Topic(self, "Topic", enforce_ssl=True)
            by_mail = cast("sns.ITopicSubscription", subscriptions.EmailSubscription(email))
            self._topic.add_subscription(by_mail)

    def watch_api(self, http: HttpApi) -> None:
        """Errors of ours, and slowness."""
        errors = http.api.metric_server_error(period=_PERIOD)
        self._alarm("ApiErrors", errors, above=5, why="The API answers 5xx.")
        latency = http.api.metric_latency(period=_PERIOD, statistic="p95")
        self._alarm("ApiSlow", latency, above=_SLOW_MS, why="One answer in 20 takes over 5 s.")

    def watch_queue(self, name: str, queue: WorkQueue) -> None:
        """Work that waits, and work that failed."""
        age = queue.queue.metric_approximate_age_of_oldest_message(period=_PERIOD)
        self._alarm(f"{name}Old", age, above=_LARGEST_AGE_S, why="Messages wait over 15 min.")
        self.watch_dead_letters(name, queue.dead)

    def watch_dead_letters(self, name: str, queue: sqs.Queue) -> None:
        """Anything in a dead-letter queue."""
        waiting = queue.metric_approximate_number_of_messages_visible(period=_PERIOD)
        self._alarm(f"{name}Dead", waiting, above=0, why="Messages could not be worked off.")

    def watch_background(self, name: str, function: lambda_.Function) -> None:
        """A function that fails while nobody waits for its answer."""
        errors = function.metric_errors(period=_PERIOD)
        label = "".join(part.title() for part in name.split("_"))
        self._alarm(f"{label}Fails", errors, above=3, why=f"{name} fails again and again.")

    def watch_stream(self, name: str, function: lambda_.Function) -> None:
        """A function that falls behind the changes of the table."""
        behind = function.metric("IteratorAge", period=_PERIOD, statistic="Maximum")
        label = "".join(part.title() for part in name.split("_"))
        why = f"{name} is over 15 min behind the table."
        self._alarm(f"{label}Behind", behind, above=_LARGEST_AGE_S * 1_000, why=why)

    def watch_table(self, table: dynamodb.ITable) -> None:
        """Requests that DynamoDB throttles."""
        throttled = cloudwatch.Metric(
            namespace="AWS/DynamoDB",
            metric_name="ThrottledRequests",
            dimensions_map={"TableName": table.table_name},
            statistic="Sum",
            period=_PERIOD,
        )
        self._alarm("TableThrottled", throttled, above=10, why="DynamoDB throttles requests.")

    def watch_domain(self, domain: opensearch.CfnDomain, account: str) -> None:
        """A red index, and a disk that fills."""
        dimensions = {"DomainName": domain.ref, "ClientId": account}
        red = self._domain_metric("ClusterStatus.red", "Maximum", dimensions)
        self._alarm("IndexRed", red, above=0, why="The OpenSearch index is not complete.")
        free = self._domain_metric("FreeStorageSpace", "Minimum", dimensions)
        self._alarm(
            "IndexFull",
            free,
            above=_LEAST_FREE_MIB,
            why="Less than 2 GiB are free on the OpenSearch node.",
            comparison=cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
        )

    @staticmethod
    def _domain_metric(name: str, statistic: str, dimensions: dict[str, str]) -> cloudwatch.Metric:
        return cloudwatch.Metric(
            namespace="AWS/ES",
            metric_name=name,
            statistic=statistic,
            dimensions_map=dimensions,
            period=_PERIOD,
        )

    def _alarm(
        self,
        name: str,
        metric: cloudwatch.IMetric,
        *,
        above: float,
        why: str,
        comparison: cloudwatch.ComparisonOperator = (
            cloudwatch.ComparisonOperator.GREATER_THAN_THRESHOLD
        ),
    ) -> None:
        alarm = cloudwatch.Alarm(
            self,
            name,
            metric=metric,
            threshold=above,
            evaluation_periods=1,
            comparison_operator=comparison,
            treat_missing_data=cloudwatch.TreatMissingData.NOT_BREACHING,
            alarm_description=why,
        )
        if self._topic is not None:
            action = actions.SnsAction(cast("sns.ITopic", self._topic))
            alarm.add_alarm_action(cast("cloudwatch.IAlarmAction", action))
