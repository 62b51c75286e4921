import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from functions import documents
from functions.api_docs import docs_page, openapi_json
from functions.openapi import build_document
from functions.operation_docs import OPERATION_DOCS
from tests.unit.api.api_desk import ApiDesk

DOCUMENT = build_document()


def schema_of(name: str, method: str, path: str) -> Any:
    body = DOCUMENT["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
    assert name in OPERATION_DOCS
    return Draft202012Validator({**body, "components": DOCUMENT["components"]})


STORE = schema_of("store_memory", "post", "/v1/memories")
SEARCH = schema_of("search_memories", "post", "/v1/memories/search")

STORES: list[dict[str, Any]] = [
    {"content": "x"},
    {"content": "x", "namespace": "a", "agent_id": "a", "user_id": "u"},
    {"agent_id": "a", "user_id": "u", "content": "x"},
    {"agent_id": "a", "user_id": "u", "content": "x", "extra": 1},
    {"content_text": "x"},
    {"content_text": "x", "agent_id": "a", "user_id": "u"},
    {},
    {"content": ""},
    {"content": " "},
    {"content": "x", "extra": 1},
    {"content": "x", "agent_id": "a"},
    {"content": "x", "importance": 1.5},
    {"agent_id": "a", "user_id": "u", "content": "x", "importance": 1.5},
    {"agent_id": "a", "user_id": "u", "content": "a" * 8_001},
    {"agent_id": "", "user_id": "u", "content": "x"},
    {"content": "x", "tags": ["a", ""]},
    {"content_text": ""},
]


@pytest.mark.parametrize("body", STORES, ids=lambda body: json.dumps(body)[:60])
def test_the_document_and_the_function_agree_on_what_can_be_stored(
    desk: ApiDesk, body: dict[str, Any]
) -> None:
    is_documented = STORE.is_valid(body)

    assert is_documented == (desk.call("store_memory", body).status == 201)


@pytest.mark.parametrize(
    "body",
    [
        {"query": "x"},
        {"query": "x", "top_k": 100, "explain": True, "filters": {"pinned": True}},
        {"agent_id": "a", "user_id": "u", "query": "x", "top_k": 50},
        {"agent_id": "a", "user_id": "u", "query": "x", "top_k": 51},
        {"query": "x", "top_k": 101},
        {"query": "x", "agent_id": "a"},
        {"query": "x", "filters": {"colour": "red"}},
        {},
    ],
    ids=json.dumps,
)
def test_the_document_and_the_function_agree_on_what_can_be_searched(
    desk: ApiDesk, body: dict[str, Any]
) -> None:
    assert SEARCH.is_valid(body) == (desk.call("search_memories", body).status == 200)


@pytest.mark.parametrize("name", [name for name, doc in OPERATION_DOCS.items() if doc.examples])
def test_examples_work(desk: ApiDesk, name: str) -> None:
    for body in OPERATION_DOCS[name].examples.values():
        path = desk.one(desk.store(f"For {body}.")["id"]) if name == "update_memory" else None

        assert desk.call(name, body, path=path).status in OPERATION_DOCS[name].answers


def test_schemas_are_schemas() -> None:
    for schema in DOCUMENT["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_the_page_holds_the_document_and_loads_nothing_from_elsewhere() -> None:
    page = docs_page().decode()

    assert json.loads(openapi_json())["info"]["title"] == "Omoide"
    assert '"operationId": "store_memory"' in page
    assert "SwaggerUIBundle" in page
    for loaded in ('<script src="', "<script src='", '<link rel="stylesheet"', "@import"):
        assert loaded not in page


def test_outdated_documents_are_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    page = tmp_path / "page.md"
    monkeypatch.setattr(documents, "ROOT", tmp_path)
    monkeypatch.setattr(documents, "DOCUMENTS", {page: lambda: "new"})

    missing = documents.main(["--check"])
    written = documents.main([])
    current = documents.main(["--check"])

    assert (missing, written, current) == (1, 0, 0)
    assert "page.md" in capsys.readouterr().err
    assert page.read_text() == "new"
