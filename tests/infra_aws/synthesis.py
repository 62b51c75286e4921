"""Templates of the stack, made without layers to build and without an account."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import aws_cdk as cdk
import cdk_nag

from functions.manifest import API_FUNCTIONS, ApiFunction, Function
from infra.aws.options import Options
from infra.aws.stack import OmoideStack
from infra.packaging.build import Package

Json = dict[str, Any]


def small_package(folder: Path) -> Package:
    """Folders that stand for the built layers."""
    names = ("core", "embedding", "functions")
    for name in names:
        (folder / name / "python").mkdir(parents=True, exist_ok=True)
        (folder / name / "python" / "module.py").write_text("", encoding="utf-8")
    return Package(
        core=folder / "core",
        embedding=folder / "embedding",
        functions=folder / "functions",
        model="tiny",
    )


class Synthesis:
    """One synthesised stack.

    Attributes:
        template: The CloudFormation template.
        findings: What cdk-nag found and nobody explained.
    """

    def __init__(
        self,
        folder: Path,
        choices: Mapping[str, str] | None = None,
        *,
        document: Mapping[str, Any] | None = None,
        functions: Sequence[ApiFunction] = API_FUNCTIONS,
        checks: bool = False,
    ) -> None:
        app = cdk.App(outdir=str(folder / "out"))
        options = Options.read((choices or {}).get)
        package = small_package(folder / "package")
        OmoideStack(app, options=options, package=package, document=document, functions=functions)
        if checks:
            cdk.Validations.of(app).add_plugins(cdk_nag.AwsSolutionsChecks(app))
        app.synth()
        file = folder / "out" / f"{options.name}.template.json"
        self.template = cast("Json", json.loads(file.read_text(encoding="utf-8")))
        self.report = folder / "out" / "validation-report.json"

    def resources(self, kind: str) -> dict[str, Json]:
        """The properties of every resource of a kind, by logical id."""
        return {
            name: cast("Json", one.get("Properties", {}))
            for name, one in self.template["Resources"].items()
            if one["Type"] == kind
        }

    def only(self, kind: str) -> Json:
        """The properties of the one resource of a kind."""
        (one,) = self.resources(kind).values()
        return one

    def statements(self) -> Iterator[tuple[str, Json]]:
        """Every statement of the roles, with the role's logical id."""
        for name, role in self.resources("AWS::IAM::Role").items():
            for policy in role.get("Policies", []):
                for statement in policy["PolicyDocument"]["Statement"]:
                    yield name, statement
        for name, policy in self.resources("AWS::IAM::Policy").items():
            for statement in policy["PolicyDocument"]["Statement"]:
                yield name, statement


def listed(value: Any) -> list[Any]:
    """IAM writes a list of one as the one."""
    return cast("list[Any]", value) if isinstance(value, list) else [value]


def function_of(stack: Synthesis, function: Function) -> Json:
    """The resource of a function of the manifest."""
    return next(
        one
        for one in stack.resources("AWS::Lambda::Function").values()
        if one["Handler"] == function.handler
    )
