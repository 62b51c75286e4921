"""Requests made from the OpenAPI document: never a 5xx, never an undocumented status."""

import importlib
import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.e2e.running_server import CHECKOUT, RunningServer

EXAMPLES = 25
"""Requests per operation and mode."""

fuzzing: Any = importlib.import_module("schemathesis")
openapi_checks: Any = importlib.import_module("schemathesis.specs.openapi.checks")

CHECKS = [
    importlib.import_module("schemathesis.checks").not_a_server_error,
    openapi_checks.status_code_conformance,
    openapi_checks.content_type_conformance,
    openapi_checks.response_schema_conformance,
]

SLOW_IS_FINE = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]

DOCUMENT: dict[str, Any] = json.loads(
    (CHECKOUT / "functions" / "openapi.json").read_text(encoding="utf-8")
)
SCHEMA = fuzzing.openapi.from_dict(DOCUMENT)
OPERATIONS = [
    (method.upper(), path, mode)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
    for mode in fuzzing.GenerationMode
    if mode.is_positive or operation.get("parameters") or operation.get("requestBody")
]
"""What takes no input has nothing to be got wrong."""


@pytest.mark.parametrize(("method", "path", "mode"), OPERATIONS)
def test_the_document_tells_every_answer(
    server: RunningServer, method: str, path: str, mode: Any
) -> None:
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=SLOW_IS_FINE,
    )
    @given(case=SCHEMA[path][method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        answer = case.call(base_url=server.base_url)
        case.validate_response(answer, checks=CHECKS)

    send()
