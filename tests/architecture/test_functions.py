"""Adding an operation takes several steps; here the forgotten one is named."""

import ast
import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from functions.documents import DOCUMENTS, ROOT
from functions.manifest import (
    API_FUNCTIONS,
    BACKGROUND_FUNCTIONS,
    ApiFunction,
    Function,
    Route,
    RuleFunction,
)
from functions.operation_docs import OPERATION_DOCS
from omoide.api.shapes import Shape

FUNCTIONS = ROOT / "functions" / "api"
NAMES = [function.name for function in API_FUNCTIONS]
DOCUMENT: dict[str, Any] = json.loads((ROOT / "functions" / "openapi.json").read_text("utf-8"))
HANDLERS = sorted(FUNCTIONS.glob("*/handler.py"))
BACKGROUND = [(function.trigger, function.name) for function in BACKGROUND_FUNCTIONS]
BACKGROUND_HANDLERS = sorted(
    path
    for trigger in ("queue", "scheduled", "stream")
    for path in (ROOT / "functions" / trigger).glob("*/handler.py")
)
LONGEST_S = 900
LIMIT_MB, LIMIT_S = 10_240, 29


def test_names_and_routes_are_given_once() -> None:
    routes = [route for function in API_FUNCTIONS for route in function.routes]

    assert len(set(NAMES)) == len(NAMES)
    assert len(set(routes)) == len(routes)


def test_every_function_of_the_manifest_has_a_folder_and_the_other_way_round() -> None:
    assert sorted(path.parent.name for path in HANDLERS) == sorted(NAMES)


def test_every_function_has_a_sample_event_and_the_other_way_round() -> None:
    samples = [path.stem for path in (ROOT / "events" / "api").glob("*.json")]

    assert sorted(samples) == sorted(NAMES)


def test_every_function_is_described_and_the_other_way_round() -> None:
    assert sorted(OPERATION_DOCS) == sorted(NAMES)


def test_every_route_is_an_operation_of_the_openapi_document() -> None:
    documented = {
        Route(method=method.upper(), path=path)
        for path, methods in DOCUMENT["paths"].items()
        for method in methods
    }

    assert documented == {route for function in API_FUNCTIONS for route in function.routes}


def test_every_function_is_on_the_operations_page_and_the_other_way_round() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")

    assert re.findall(r"^### (\w+)$", page, re.MULTILINE) == NAMES
    for function in API_FUNCTIONS:
        assert all(f"`{route.method} {route.path}`" in page for route in function.routes)


@pytest.mark.parametrize("path", list(DOCUMENTS), ids=lambda path: path.name)
def test_a_generated_document_is_up_to_date(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == DOCUMENTS[path](), "run `make docs`"


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda function: function.name)
def test_a_handler_is_where_the_manifest_says_and_takes_its_routes(function: ApiFunction) -> None:
    module, _, name = function.handler.rpartition(".")
    handler = import_module(module)
    source = (FUNCTIONS / function.name / "handler.py").read_text(encoding="utf-8")

    assert callable(getattr(handler, name))
    for route in function.routes:
        rule = re.sub(r"\{(\w+)\}", r"<\1>", route.path)
        assert f'"{rule}"' in source
        assert route.method in source or f"app.{route.method.lower()}(" in source


def test_every_background_function_has_a_folder_and_the_other_way_round() -> None:
    folders = [(path.parent.parent.name, path.parent.name) for path in BACKGROUND_HANDLERS]

    assert sorted(folders) == sorted(BACKGROUND)


def test_every_background_function_has_a_sample_event_and_the_other_way_round() -> None:
    samples = [
        (trigger, path.stem)
        for trigger in ("queue", "scheduled", "stream")
        for path in (ROOT / "events" / trigger).glob("*.json")
    ]

    assert sorted(samples) == sorted(BACKGROUND)


@pytest.mark.parametrize("function", BACKGROUND_FUNCTIONS, ids=lambda function: function.name)
def test_a_background_function_is_where_the_manifest_says(function: Function) -> None:
    module, _, name = function.handler.rpartition(".")

    assert callable(getattr(import_module(module), name))


@pytest.mark.parametrize("function", BACKGROUND_FUNCTIONS, ids=lambda function: function.name)
def test_a_background_function_can_be_deployed(function: Function) -> None:
    assert 128 <= function.memory_mb <= LIMIT_MB
    assert 1 <= function.timeout_s <= LONGEST_S
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", function.name)
    assert not isinstance(function, RuleFunction) or function.every_minutes >= 1


@pytest.mark.parametrize(
    "path", [*HANDLERS, *BACKGROUND_HANDLERS], ids=lambda path: path.parent.name
)
def test_a_handler_neither_branches_nor_catches(path: Path) -> None:
    branching = (ast.If, ast.IfExp, ast.Try, ast.For, ast.While, ast.Match, ast.BoolOp, ast.With)

    found = [type(n).__name__ for n in ast.walk(ast.parse(path.read_text("utf-8")))]

    assert not {kind.__name__ for kind in branching} & set(found)


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda function: function.name)
def test_a_function_can_be_deployed(function: ApiFunction) -> None:
    assert 128 <= function.memory_mb <= LIMIT_MB
    assert 1 <= function.timeout_s <= LIMIT_S
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", function.name)
    assert function.needs_embedding == (function.memory_mb > 512)


@pytest.mark.parametrize("function", API_FUNCTIONS, ids=lambda function: function.name)
def test_an_operation_documents_what_it_can_answer(function: ApiFunction) -> None:
    for route in function.routes:
        operation = DOCUMENT["paths"][route.path][route.method.lower()]
        statuses = set(operation["responses"])

        assert operation["summary"].endswith(".")
        assert ("401" in statuses) != function.is_public
        assert "403" in statuses
        assert {"400", "413", "415", "422"} <= statuses or "requestBody" not in operation
        assert ("404" in statuses) or "{" not in route.path


def test_bodies_of_several_shapes_have_an_example_of_each() -> None:
    for name, doc in OPERATION_DOCS.items():
        shapes = {Shape(shape.lower()) for shape in doc.examples}

        assert len(shapes) == len(doc.body), name


def test_every_reference_in_the_openapi_document_leads_somewhere() -> None:
    references = set(re.findall(r'"#/components/(\w+)/(\w+)"', json.dumps(DOCUMENT)))

    assert references
    for kind, name in references:
        assert name in DOCUMENT["components"][kind]
