"""Findings of cdk-nag that are decisions, each with its reason."""

from collections.abc import Mapping
from typing import cast

from aws_cdk import Acknowledgment, Stack, Validations
from constructs import IConstruct

_PACK = "AwsSolutions"


def accept(scope: IConstruct, reasons: Mapping[str, str]) -> None:
    """Record why findings below a construct are accepted.

    Args:
        scope: The construct and everything in it.
        reasons: By the id of the rule, such as ``OS3``, and for rules that find several things
            the one that is meant, in brackets.
    """
    Validations.of(scope).acknowledge(
        *(
            Acknowledgment(id=f"{_PACK}::{_PACK}-{rule}", reason=reason)
            for rule, reason in reasons.items()
        )
    )


def shown(stack: Stack, rule: str) -> str:
    """Return a rule with its tokens written as cdk-nag writes references.

    Args:
        stack: What the tokens belong to.
        rule: May hold ARNs of resources of the stack.
    """
    resolved = stack.resolve(rule)
    parts = [resolved] if isinstance(resolved, str) else resolved["Fn::Join"][1]
    return "".join(part if isinstance(part, str) else _reference(part) for part in parts)


def _reference(part: Mapping[str, object]) -> str:
    (target,) = part.values()
    name = target if isinstance(target, str) else ".".join(cast("list[str]", target))
    return f"<{name}>"
