"""Requests made from the OpenAPI document: never a 5xx, never an undocumented status."""

import json
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.e2e.running_server import CHECKOUT, RunningServer

EXAMPLES = 40
"""Requests per operation and mode."""

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

DOCUMENT: dict[str, Any] = json.loads(
    (CHECKOUT / "functions" / "openapi.json").read_text(encoding="utf-8")
)
SCHEMA = schemathesis.openapi.from_dict(DOCUMENT)
OPERATIONS = [
    (method.upper(), path)
    for path, methods in DOCUMENT["paths"].items()
    for method in methods
    if method in {"get", "post", "put", "patch", "delete"}
]


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_the_document_tells_every_answer(
    server: RunningServer, method: str, path: str, mode: GenerationMode
) -> None:
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=SCHEMA[path][method].as_strategy(generation_mode=mode))
    def send(case: Case) -> None:
        answer = case.call(base_url=server.base_url)
        case.validate_response(answer, checks=CHECKS)

    send()
