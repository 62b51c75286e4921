"""Everything of one deployment."""

from collections.abc import Mapping, Sequence
from typing import Any

from aws_cdk import CfnOutput, Duration, Stack, Tags
from constructs import Construct

from functions.manifest import (
    API_FUNCTIONS,
    AUTHORIZER,
    BACKGROUND_FUNCTIONS,
    STREAM_FUNCTIONS,
    ApiFunction,
    Grant,
    Queue,
)
from infra.aws.alarms import Alarms
from infra.aws.api_document import committed_document
from infra.aws.findings import accept, shown
from infra.aws.fleet import Fleet
from infra.aws.grants import INDEX_WRITE_ACTIONS, GrantedResources
from infra.aws.http_api import HttpApi
from infra.aws.options import Options
from infra.aws.queues import WorkQueue, dead_letter_queue
from infra.aws.search_domain import SearchDomain
from infra.aws.table import records_table
from infra.aws.triggers import Triggers
from infra.packaging.build import Package
from omoide.adapters.dynamodb.table import TABLE

_HIDDEN_FOR = Duration.minutes(5)
_FINDING = "IAM5[Resource::{at}]"


class OmoideStack(Stack):
    """Table, index, queues, functions and the API in front of them."""

    def __init__(
        self,
        scope: Construct,
        *,
        options: Options,
        package: Package,
        document: Mapping[str, Any] | None = None,
        functions: Sequence[ApiFunction] = API_FUNCTIONS,
    ) -> None:
        super().__init__(scope, options.name, description="Omoide, long-term memory for AI agents")
        self._options = options
        self._table = records_table(self, options)
        self._queues = {
            queue: WorkQueue(self, f"{queue.title()}Queue", hidden_for=_HIDDEN_FOR)
            for queue in Queue
        }
        self._faults = dead_letter_queue(self, "IndexFaults")
        self._triggers = Triggers(self._table, self._queues)
        self._search = self._domain()
        self._fleet = self._make_fleet(package)
        for function in (*functions, AUTHORIZER, *BACKGROUND_FUNCTIONS):
            self._fleet.add(function)
        self._http = HttpApi(
            self,
            "Http",
            options=options,
            fleet=self._fleet,
            document=committed_document() if document is None else document,
            functions=functions,
            authorizer=AUTHORIZER,
        )
        self._admit_roles()
        self._explain()
        self._watch()
        self._tell()

    def _domain(self) -> SearchDomain | None:
        if not self._options.has_domain:
            return None
        return SearchDomain(self, "Search", domain_name=f"{self._options.name.lower()}-index")

    def _make_fleet(self, package: Package) -> Fleet:
        resources = GrantedResources(
            table_arn=self._table.table_arn,
            due_index_arn=f"{self._table.table_arn}/index/{TABLE.due_index.name}",
            uses_queue_arn=self._queues[Queue.USES].queue.queue_arn,
            faults_queue_arn=self._faults.queue_arn,
            index_arn=self._search.arn if self._search else None,
        )
        return Fleet(
            self,
            "Functions",
            options=self._options,
            package=package,
            resources=resources,
            triggers=self._triggers,
            environment=self._environment(package),
        )

    def _environment(self, package: Package) -> dict[str, str]:
        environment = {
            "OMOIDE_TABLE": self._table.table_name,
            "OMOIDE_USES_QUEUE": self._queues[Queue.USES].queue.queue_url,
            "OMOIDE_DEAD_LETTERS": self._faults.queue_url,
            "OMOIDE_MODEL": package.model,
        }
        url = self._search.url if self._search else self._options.opensearch_url
        return environment | ({"OMOIDE_OPENSEARCH_URL": url} if url else {})

    def _admit_roles(self) -> None:
        if self._search is None:
            return
        roles = self._fleet.roles_with(Grant.SEARCH_INDEX, Grant.WRITE_INDEX)
        self._search.admit(roles, INDEX_WRITE_ACTIONS)

    def _explain(self) -> None:
        accept(self._faults, {"SQS3": "It is a dead-letter queue: the indexer fills it itself."})
        reasons = {
            _FINDING.format(at=self._triggers.stream_arn): "The streams of one table: a table that "
            "is restored in place gets another stream."
        }
        if self._search is not None:
            reasons[_FINDING.format(at=f"{self._search.arn}/*")] = (
                "The paths of one OpenSearch domain, whose own policy names the roles too."
            )
        accept(self._fleet, {shown(self, rule): why for rule, why in reasons.items()})

    def _watch(self) -> None:
        alarms = Alarms(self, "Alarms", email=self._options.alarm_email)
        alarms.watch_api(self._http)
        for name, queue in self._queues.items():
            alarms.watch_queue(name.title(), queue)
        alarms.watch_dead_letters("IndexFaults", self._faults)
        for function in BACKGROUND_FUNCTIONS:
            alarms.watch_background(function.name, self._fleet.functions[function.name])
        for function in STREAM_FUNCTIONS:
            alarms.watch_stream(function.name, self._fleet.functions[function.name])
        alarms.watch_table(self._table)
        if self._search is not None:
            alarms.watch_domain(self._search.domain, self.account)

    def _tell(self) -> None:
        Tags.of(self).add("project", "omoide")
        Tags.of(self).add("search", self._options.search.value)
        CfnOutput(self, "Url", value=self._http.api.url, description="Address of the API")
        CfnOutput(self, "ApiId", value=self._http.api.rest_api_id)
        CfnOutput(self, "TableName", value=self._table.table_name)
