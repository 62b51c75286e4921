"""What the functions may do, and who may call them."""

import json

from functions.manifest import (
    API_FUNCTIONS,
    AUTHORIZER,
    BACKGROUND_FUNCTIONS,
    RULE_FUNCTIONS,
    Function,
)
from tests.infra_aws.synthesis import Synthesis, function_of, listed

ALL: tuple[Function, ...] = (*API_FUNCTIONS, AUTHORIZER, *BACKGROUND_FUNCTIONS)


def test_no_role_may_do_everything_or_touch_everything(usual: Synthesis, exact: Synthesis) -> None:
    seen = [*usual.statements(), *exact.statements()]

    assert seen
    for role, statement in seen:
        assert not [a for a in listed(statement["Action"]) if "*" in a], role
        assert "*" not in listed(statement["Resource"]), role


def test_functions_that_only_read_cannot_write(usual: Synthesis) -> None:
    role = function_of(usual, next(f for f in ALL if f.name == "get_memory"))["Role"]
    actions = {
        action
        for name, statement in usual.statements()
        if name == role["Fn::GetAtt"][0]
        for action in listed(statement["Action"])
    }

    assert actions == {
        "dynamodb:BatchGetItem",
        "dynamodb:GetItem",
        "dynamodb:Query",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    }


def test_the_authorizer_reads_keys_and_nothing_else(usual: Synthesis) -> None:
    role = function_of(usual, AUTHORIZER)["Role"]["Fn::GetAtt"][0]
    on_table = [
        statement
        for name, statement in usual.statements()
        if name == role and "dynamodb:GetItem" in listed(statement["Action"])
    ]

    assert len(on_table) == 1
    assert on_table[0]["Condition"] == {
        "ForAllValues:StringLike": {"dynamodb:LeadingKeys": ["KEY#*"]}
    }


def test_only_its_own_trigger_may_invoke_a_function(usual: Synthesis) -> None:
    functions = usual.resources("AWS::Lambda::Function")
    sources = {
        functions[p["FunctionName"]["Fn::GetAtt"][0]]["Handler"]: (
            p["Principal"].partition(".")[0],
            json.dumps(p["SourceArn"]),
        )
        for p in usual.resources("AWS::Lambda::Permission").values()
    }

    for function in API_FUNCTIONS:
        caller, source = sources.pop(function.handler)
        assert caller == "apigateway"
        assert '"/live/*"' in source
    caller, source = sources.pop(AUTHORIZER.handler)
    assert caller == "apigateway"
    assert '"/authorizers/*"' in source
    for rule_function in RULE_FUNCTIONS:
        assert sources.pop(rule_function.handler)[0] == "events"
    assert sources == {}
