"""The REST API in front of the functions."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from aws_cdk import Aws, RemovalPolicy, Stack
from aws_cdk import aws_apigateway as apigateway
from aws_cdk import aws_iam as iam
from aws_cdk import aws_logs as logs
from constructs import Construct

from functions.manifest import ApiFunction, Function
from infra.aws.api_document import api_document
from infra.aws.findings import accept
from infra.aws.fleet import Fleet
from infra.aws.options import Options

STAGE = "live"

_LOGGED = {
    "request_id": "$context.requestId",
    "time": "$context.requestTimeEpoch",
    "method": "$context.httpMethod",
    "route": "$context.resourcePath",
    "status": "$context.status",
    "key_id": "$context.authorizer.principalId",
    "latency_ms": "$context.responseLatency",
    "function_ms": "$context.integrationLatency",
    "authorizer_ms": "$context.authorizer.latency",
    "refused": "$context.error.responseType",
}

_ACCOUNT_POLICY = (
    "arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs"
)
_REASONS = {
    "APIG2": "The functions validate every request and name each field at fault.",
    "APIG3": "A firewall has a monthly price; keys, rate limits and the throttle hold without.",
    f"IAM4[Policy::{_ACCOUNT_POLICY}]": "The one policy API Gateway's account role can have.",
}


class HttpApi(Construct):
    """One API from the committed OpenAPI document, its authorizer and its stage."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        options: Options,
        fleet: Fleet,
        document: Mapping[str, Any],
        functions: Sequence[ApiFunction],
        authorizer: Function,
    ) -> None:
        super().__init__(scope, construct_id)
        self._fleet = fleet
        body = api_document(document, functions, authorizer, self._uri)
        self.api = apigateway.SpecRestApi(
            self,
            "Api",
            rest_api_name=Stack.of(self).stack_name,
            api_definition=apigateway.ApiDefinition.from_inline(body),
            endpoint_types=[apigateway.EndpointType.REGIONAL],
            cloud_watch_role=True,
            cloud_watch_role_removal_policy=RemovalPolicy.RETAIN,
            deploy_options=self._stage(options),
        )
        for function in functions:
            self._permit(function, f"{STAGE}/*")
        self._permit(authorizer, "authorizers/*")
        accept(self, _REASONS)

    def _stage(self, options: Options) -> apigateway.StageOptions:
        access_log = logs.LogGroup(
            self,
            "AccessLog",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )
        line = ", ".join(f'"{name}": "{variable}"' for name, variable in _LOGGED.items())
        return apigateway.StageOptions(
            stage_name=STAGE,
            throttling_rate_limit=options.requests_per_second,
            throttling_burst_limit=options.burst,
            metrics_enabled=False,
            logging_level=apigateway.MethodLoggingLevel.ERROR,
            data_trace_enabled=False,
            access_log_destination=apigateway.LogGroupLogDestination(access_log),
            access_log_format=apigateway.AccessLogFormat.custom(f"{{{line}}}"),
        )

    def _uri(self, function: Function) -> str:
        arn = self._fleet.functions[function.name].function_arn
        return (
            f"arn:{Aws.PARTITION}:apigateway:{Aws.REGION}:lambda:path/2015-03-31/functions/"
            f"{arn}/invocations"
        )

    def _permit(self, function: Function, caller: str) -> None:
        source = (
            f"arn:{Aws.PARTITION}:execute-api:{Aws.REGION}:{Aws.ACCOUNT_ID}:"
            f"{self.api.rest_api_id}/{caller}"
        )
        gateway = cast("iam.IPrincipal", iam.ServicePrincipal("apigateway.amazonaws.com"))
        self._fleet.functions[function.name].add_permission(
            "Api", principal=gateway, source_arn=source
        )
