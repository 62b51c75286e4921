"""What the template promises."""

import json
import re
from pathlib import Path
from typing import Any

from functions.manifest import (
    API_FUNCTIONS,
    AUTHORIZER,
    BACKGROUND_FUNCTIONS,
    QUEUE_FUNCTIONS,
    RULE_FUNCTIONS,
    STREAM_FUNCTIONS,
    ApiFunction,
    Function,
)
from infra.aws.api_document import committed_document
from tests.infra_aws.synthesis import Json, Synthesis, function_of, listed

MOST_RESOURCES = 450
ALL: tuple[Function, ...] = (*API_FUNCTIONS, AUTHORIZER, *BACKGROUND_FUNCTIONS)


def unexplained(stack: Synthesis) -> list[str]:
    report: Json = json.loads(stack.report.read_text(encoding="utf-8"))
    assert report["pluginReports"], "cdk-nag did not run"
    return [
        found["ruleName"]
        for plugin in report["pluginReports"]
        for found in plugin.get("violations", [])
    ]


def test_every_function_of_the_manifest_is_deployed_as_it_says(usual: Synthesis) -> None:
    deployed = usual.resources("AWS::Lambda::Function")

    assert len(deployed) == len(ALL)
    for function in ALL:
        made = function_of(usual, function)
        assert made["MemorySize"] == function.memory_mb
        assert made["Timeout"] == function.timeout_s
        assert (made["Runtime"], made["Architectures"]) == ("python3.13", ["arm64"])
        assert len(made["Layers"]) == (2 if function.needs_embedding else 1)
        assert made["Environment"]["Variables"]["OMOIDE_MODEL"] == "tiny"


def test_libraries_start_no_threads_and_call_nobody(usual: Synthesis) -> None:
    for function in usual.resources("AWS::Lambda::Function").values():
        variables = function["Environment"]["Variables"]
        assert variables["OPENBLAS_NUM_THREADS"] == "1"
        assert variables["ORT_DISABLE_TELEMETRY"] == "1"


def test_the_options_are_what_is_deployed(exact: Synthesis) -> None:
    functions = exact.resources("AWS::Lambda::Function").values()
    settings = exact.only("AWS::ApiGateway::Stage")["MethodSettings"][0]

    assert {(f["Runtime"], f["Architectures"][0]) for f in functions} == {("python3.12", "x86_64")}
    assert (settings["ThrottlingRateLimit"], settings["ThrottlingBurstLimit"]) == (7, 9)
    assert exact.only("AWS::SNS::Subscription")["Endpoint"] == "operator@example.com"
    assert all(
        alarm["AlarmActions"] for alarm in exact.resources("AWS::CloudWatch::Alarm").values()
    )
    tags = {tag["Key"]: tag["Value"] for tag in exact.only("AWS::DynamoDB::Table")["Tags"]}
    assert tags == {"project": "omoide", "search": "exact"}


def test_the_records_are_kept_encrypted_and_restorable(usual: Synthesis) -> None:
    table = usual.only("AWS::DynamoDB::Table")
    (resource,) = (r for r in usual.template["Resources"].values() if r["Properties"] is table)

    assert table["BillingMode"] == "PAY_PER_REQUEST"
    assert table["SSESpecification"] == {"SSEEnabled": True}
    assert table["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert table["StreamSpecification"] == {"StreamViewType": "NEW_AND_OLD_IMAGES"}
    assert table["TimeToLiveSpecification"]["Enabled"] is True
    assert table["DeletionProtectionEnabled"] is True
    assert resource["DeletionPolicy"] == "Retain"


def test_data_goes_with_the_stack_only_when_that_was_asked_for(exact: Synthesis) -> None:
    (table,) = (
        r for r in exact.template["Resources"].values() if r["Type"] == "AWS::DynamoDB::Table"
    )

    assert table["DeletionPolicy"] == "Delete"
    assert table["Properties"]["DeletionProtectionEnabled"] is False


def test_a_table_that_is_there_is_taken_with_its_stream(tmp_path: Path) -> None:
    stream = "arn:aws:dynamodb:eu-west-1:123456789012:table/kept/stream/2026-11-30T00:00:00.000"
    stack = Synthesis(tmp_path, {"table": "kept", "table_stream": stream, "search": "exact"})

    assert stack.resources("AWS::DynamoDB::Table") == {}
    assert function_of(stack, AUTHORIZER)["Environment"]["Variables"]["OMOIDE_TABLE"] == "kept"
    streams = [
        mapping["EventSourceArn"]
        for mapping in stack.resources("AWS::Lambda::EventSourceMapping").values()
        if isinstance(mapping["EventSourceArn"], str)
    ]
    assert streams == [stream]
    on_items = [s for _, s in stack.statements() if "dynamodb:PutItem" in listed(s["Action"])]
    assert on_items
    assert all("table/kept" in json.dumps(one["Resource"]) for one in on_items)


def test_the_domain_is_one_small_encrypted_node_for_the_functions_alone(usual: Synthesis) -> None:
    domain = usual.only("AWS::OpenSearchService::Domain")
    (statement,) = domain["AccessPolicies"]["Statement"]

    assert domain["ClusterConfig"]["InstanceCount"] == 1
    assert domain["EncryptionAtRestOptions"] == {"Enabled": True}
    assert domain["NodeToNodeEncryptionOptions"] == {"Enabled": True}
    assert domain["DomainEndpointOptions"]["EnforceHTTPS"] is True
    roles = [one["Fn::GetAtt"][0] for one in statement["Principal"]["AWS"]]
    assert roles
    assert set(roles) <= set(usual.resources("AWS::IAM::Role"))


def test_exact_search_needs_no_domain(exact: Synthesis) -> None:
    assert exact.resources("AWS::OpenSearchService::Domain") == {}
    assert "es:ESHttp" not in json.dumps(list(exact.statements()))
    variables = function_of(exact, API_FUNCTIONS[0])["Environment"]["Variables"]
    assert "OMOIDE_OPENSEARCH_URL" not in variables


def test_an_opensearch_of_ones_own_takes_the_place_of_the_domain(tmp_path: Path) -> None:
    stack = Synthesis(tmp_path, {"opensearch_url": "http://127.0.0.1:9200"})

    assert stack.resources("AWS::OpenSearchService::Domain") == {}
    variables = function_of(stack, API_FUNCTIONS[0])["Environment"]["Variables"]
    assert variables["OMOIDE_OPENSEARCH_URL"] == "http://127.0.0.1:9200"
    assert "es:ESHttp" not in json.dumps(list(stack.statements()))


def test_functions_of_the_api_with_the_same_grants_share_a_role(usual: Synthesis) -> None:
    together = (*API_FUNCTIONS, AUTHORIZER, *RULE_FUNCTIONS)
    roles = {one.name: function_of(usual, one)["Role"]["Fn::GetAtt"][0] for one in together}

    for one in together:
        for other in together:
            assert (one.grants == other.grants) == (roles[one.name] == roles[other.name])


def test_the_stream_wakes_its_functions_for_their_items_and_not_for_removals(
    usual: Synthesis,
) -> None:
    mappings = {
        m["FunctionName"]["Ref"]: m
        for m in usual.resources("AWS::Lambda::EventSourceMapping").values()
    }
    named = {m["Handler"]: n for n, m in usual.resources("AWS::Lambda::Function").items()}

    for function in STREAM_FUNCTIONS:
        mapping = mappings[named[function.handler]]
        (given,) = mapping["FilterCriteria"]["Filters"]
        assert mapping["EventSourceArn"]["Fn::GetAtt"][1] == "StreamArn"
        assert mapping["BatchSize"] == function.batch_size
        assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
        assert json.loads(given["Pattern"]) == {
            "eventName": ["INSERT", "MODIFY"],
            "dynamodb": {"Keys": {"sk": {"S": [{"prefix": p} for p in function.item_prefixes]}}},
        }
    for function in QUEUE_FUNCTIONS:
        mapping = mappings[named[function.handler]]
        queue = usual.resources("AWS::SQS::Queue")[mapping["EventSourceArn"]["Fn::GetAtt"][0]]
        assert queue["VisibilityTimeout"] >= 6 * function.timeout_s
        assert mapping["MaximumBatchingWindowInSeconds"] == function.batch_window_s


def test_the_clock_calls_what_the_manifest_says_and_nothing_else(usual: Synthesis) -> None:
    functions = usual.resources("AWS::Lambda::Function")
    rules = {
        functions[rule["Targets"][0]["Arn"]["Fn::GetAtt"][0]]["Handler"]: rule["ScheduleExpression"]
        for rule in usual.resources("AWS::Events::Rule").values()
    }

    assert rules == {
        one.handler: "rate(1 minute)"
        if one.every_minutes == 1
        else f"rate({one.every_minutes} minutes)"
        for one in RULE_FUNCTIONS
    }


def test_logs_are_kept_for_a_while(usual: Synthesis) -> None:
    groups = usual.resources("AWS::Logs::LogGroup").values()

    assert [group["RetentionInDays"] for group in groups] == [30, 30]
    assert all(f["LoggingConfig"] for f in usual.resources("AWS::Lambda::Function").values())


def test_what_fails_five_times_is_kept_and_somebody_is_told(usual: Synthesis) -> None:
    queues = usual.resources("AWS::SQS::Queue")
    working = {name: q for name, q in queues.items() if "RedrivePolicy" in q}
    dead = {q["RedrivePolicy"]["deadLetterTargetArn"]["Fn::GetAtt"][0] for q in working.values()}
    watched = {
        dimension["Value"]["Fn::GetAtt"][0]
        for alarm in usual.resources("AWS::CloudWatch::Alarm").values()
        for dimension in alarm["Dimensions"]
        if dimension["Name"] == "QueueName"
    }

    assert {q["RedrivePolicy"]["maxReceiveCount"] for q in working.values()} == {5}
    assert set(queues) - set(working) >= dead
    assert all(queues[name]["MessageRetentionPeriod"] == 14 * 86_400 for name in dead)
    assert watched == set(queues)


def test_a_function_nobody_waits_for_cannot_fail_unheard(usual: Synthesis) -> None:
    functions = usual.resources("AWS::Lambda::Function")
    watched = {
        functions[dimension["Value"]["Ref"]]["Handler"]
        for alarm in usual.resources("AWS::CloudWatch::Alarm").values()
        if alarm["MetricName"] == "Errors"
        for dimension in alarm["Dimensions"]
    }

    assert watched == {one.handler for one in BACKGROUND_FUNCTIONS}


def test_nothing_in_the_template_belongs_to_an_account(usual: Synthesis) -> None:
    text = json.dumps({k: v for k, v in usual.template.items() if k != "Parameters"})

    assert re.search(r"(?<!\d)\d{12}(?!\d)", text) is None
    assert "us-east-1" not in text


def test_every_finding_of_cdk_nag_is_explained(usual: Synthesis, exact: Synthesis) -> None:
    assert unexplained(usual) == []
    assert unexplained(exact) == []


def test_seventy_functions_fit_in_one_stack(tmp_path: Path) -> None:
    functions = tuple(
        ApiFunction(
            name=f"operation_{number}",
            method="POST",
            path=f"/v1/operations/{number}",
            needs_embedding=number % 2 == 0,
            grants=API_FUNCTIONS[number % len(API_FUNCTIONS)].grants,
        )
        for number in range(70)
    )
    paths: dict[str, Any] = {
        one.path: {"post": {"operationId": one.name, "parameters": []}} for one in functions
    }
    document = {**committed_document(), "paths": paths}

    stack = Synthesis(tmp_path, document=document, functions=functions, checks=True)

    assert len(stack.resources("AWS::Lambda::Function")) == 71 + len(BACKGROUND_FUNCTIONS)
    assert len(stack.template["Resources"]) < MOST_RESOURCES
    assert len(json.dumps(stack.template)) < 1_000_000
    assert unexplained(stack) == []
