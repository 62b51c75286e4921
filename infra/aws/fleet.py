"""The Lambda functions, looped from the manifest, with one role per set of grants."""

from collections.abc import Mapping
from typing import cast

from aws_cdk import Duration, RemovalPolicy
from aws_cdk import aws_iam as iam
from aws_cdk import aws_lambda as lambda_
from aws_cdk import aws_logs as logs
from constructs import Construct

from functions.manifest import Function, Grant
from infra.aws.findings import accept
from infra.aws.grants import GrantedResources, statements
from infra.aws.options import Options
from infra.aws.triggers import Triggers
from infra.packaging.build import Package
from infra.packaging.target import Architecture
from infra.packaging.variables import RUNTIME_VARIABLES

_ARCHITECTURES = {
    Architecture.ARM64: lambda_.Architecture.ARM_64,
    Architecture.X86_64: lambda_.Architecture.X86_64,
}

_REASONS = {"L1": "The runtime is chosen with -c python; the layers are built for it."}

_Class = tuple[frozenset[Grant], str]
"""What a role is for: grants, and what its functions fetch their work from, if they do."""


class Fleet(Construct):
    """Every function of the stack, with what they share."""

    def __init__(
        self,
        scope: Construct,
        construct_id: str,
        *,
        options: Options,
        package: Package,
        resources: GrantedResources,
        triggers: Triggers,
        environment: Mapping[str, str],
    ) -> None:
        super().__init__(scope, construct_id)
        self._options = options
        self._resources = resources
        self._triggers = triggers
        self._environment = {**RUNTIME_VARIABLES, **environment}
        self._roles: dict[_Class, iam.Role] = {}
        self.functions: dict[str, lambda_.Function] = {}
        self._runtime = lambda_.Runtime(f"python{options.python}", lambda_.RuntimeFamily.PYTHON)
        self._code = lambda_.Code.from_asset(str(package.functions))
        self._core = self._layer("Core", str(package.core))
        self._embedding = self._layer("Embedding", str(package.embedding))
        self.log_group = logs.LogGroup(
            self,
            "Log",
            retention=logs.RetentionDays.ONE_MONTH,
            removal_policy=RemovalPolicy.DESTROY,
        )

    def roles_with(self, *grants: Grant) -> list[iam.Role]:
        """The roles made so far that allow one of these."""
        wanted = frozenset(grants)
        return [role for kind, role in self._roles.items() if kind[0] & wanted]

    def add(self, function: Function) -> lambda_.Function:
        """Make one function of the manifest."""
        layers = [self._core, self._embedding] if function.needs_embedding else [self._core]
        name = "".join(part.title() for part in function.name.split("_"))
        made = lambda_.Function(
            self,
            name,
            description=f"Omoide: {function.name}",
            runtime=self._runtime,
            architecture=_ARCHITECTURES[self._options.architecture],
            code=self._code,
            handler=function.handler,
            layers=list(layers),
            memory_size=function.memory_mb,
            timeout=Duration.seconds(function.timeout_s),
            environment=self._environment,
            log_group=self.log_group,
            role=self._role(function).without_policy_updates(),
        )
        accept(made, _REASONS)
        self.functions[function.name] = made
        self._triggers.connect(function, made)
        return made

    def _role(self, function: Function) -> iam.Role:
        """The role of its class: functions of the same grants whose work is fetched alike."""
        fetches = self._triggers.permission(function)
        kind = (function.grants, function.trigger if fetches is not None else "")
        role = self._roles.get(kind)
        if role is None:
            role = self._roles[kind] = self._make_role(function, fetches)
        return role

    def _make_role(self, function: Function, fetches: iam.PolicyStatement | None) -> iam.Role:
        names = [grant for grant in Grant if grant in function.grants]
        label = "".join(part.title() for name in names for part in name.split("_")) or "Nothing"
        allowed = {
            grant.replace("_", "-"): statement
            for grant, statement in statements(function.grants, self._resources).items()
        }
        allowed["log"] = iam.PolicyStatement(
            actions=["logs:CreateLogStream", "logs:PutLogEvents"],
            resources=[self.log_group.log_group_arn],
        )
        if fetches is not None:
            allowed["fetch"] = fetches
        return iam.Role(
            self,
            f"May{label}" + ("" if fetches is None else f"From{function.trigger.title()}"),
            assumed_by=cast("iam.IPrincipal", iam.ServicePrincipal("lambda.amazonaws.com")),
            description=f"Omoide functions that {', '.join(names) or 'touch nothing'}"[:1_000],
            inline_policies={
                name: iam.PolicyDocument(statements=[one]) for name, one in allowed.items()
            },
        )

    def _layer(self, name: str, folder: str) -> lambda_.LayerVersion:
        return lambda_.LayerVersion(
            self,
            name,
            description=f"Omoide: {name.lower()}",
            code=lambda_.Code.from_asset(folder),
            compatible_runtimes=[self._runtime],
            compatible_architectures=[_ARCHITECTURES[self._options.architecture]],
        )
