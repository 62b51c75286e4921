"""The OpenAPI document, assembled from the manifest and the models.

`functions.documents` writes it.
"""

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, cast

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from functions.manifest import API_FUNCTIONS, ApiFunction, Route
from functions.operation_docs import OPERATION_DOCS, Model, OperationDoc
from omoide import __version__
from omoide.api.native.memory_model import ErrorAnswer

OPENAPI_FILE = Path(__file__).with_name("openapi.json")

Json = dict[str, Any]

_REF = "#/components/schemas/{model}"
_JSON = "application/json"
_DONE = {200: "Done.", 201: "Made.", 204: "Done; nothing to say.", 503: "A part is down."}
_ERRORS = {
    400: "The body cannot be read.",
    401: "A valid key is needed.",
    403: "The key does not allow this, or the request comes from another web site.",
    404: "There is no such thing, or it is not visible to the caller.",
    409: "Somebody else was faster, or the operation id was used for another request.",
    413: "The body or a text is too large.",
    415: "The body is of another type than JSON.",
    422: "A field is wrong; `details` names it.",
    429: "Too many requests; `Retry-After` tells when to come back.",
    503: "A part is down or busy; try again.",
}
_RETRIED = (429, 503)
_HEADERS: dict[str, Json] = {
    "Idempotency-Key": {
        "description": "Makes the request safe to repeat for 24 hours.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 256, "pattern": r"\S"},
    },
    "If-Match": {
        "description": "The version that was seen.",
        "schema": {"type": "string", "pattern": r'^([0-9]{1,15}|"[0-9]{1,15}"|\*)$'},
    },
}
_PATH_PARAMETERS: dict[str, Json] = {
    "memory_id": {"type": "string", "format": "uuid"},
    "key_id": {"type": "string", "pattern": r"^[A-Za-z0-9_-]{1,64}$"},
}


@cache
def build_document() -> Json:
    """Return the document as JSON objects."""
    paths: dict[str, Json] = {}
    for function in API_FUNCTIONS:
        for route in function.routes:
            paths.setdefault(route.path, {})[route.method.lower()] = _operation(function, route)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Omoide",
            "version": __version__,
            "summary": "Long-term memory for AI agents.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "http://127.0.0.1:8000"}],
        "security": [{"key": []}, {}],
        "tags": [
            {"name": "memories", "description": "Store, find and change memories."},
            {"name": "keys", "description": "Who may do what."},
            {"name": "service", "description": "What this is, and how it is."},
        ],
        "paths": paths,
        "components": {
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
            "responses": {f"Error{status}": _error(status) for status in _ERRORS},
            "schemas": _schemas(),
        },
    }


def document_text() -> str:
    """The document as it is committed."""
    return json.dumps(build_document(), ensure_ascii=False, indent=1) + "\n"


def _operation(function: ApiFunction, route: Route) -> Json:
    doc = OPERATION_DOCS[function.name]
    is_alias = route.method != function.method or route.path != function.path
    operation: Json = {
        "operationId": f"{function.name}_{route.method.lower()}" if is_alias else function.name,
        "summary": doc.summary,
        "tags": [doc.tag],
    }
    if doc.description:
        operation["description"] = doc.description
    if function.is_public:
        operation["security"] = [{}]
    parameters = [*_path_parameters(route), *_header_parameters(doc), *_query_parameters(doc)]
    if parameters:
        operation["parameters"] = parameters
    if doc.body:
        operation["requestBody"] = {
            "required": True,
            "content": {
                _JSON: {
                    "schema": _one_of(doc.body),
                    "examples": {name: {"value": body} for name, body in doc.examples.items()},
                }
            },
        }
    operation["responses"] = _responses(doc)
    return operation


def _responses(doc: OperationDoc) -> Json:
    responses: Json = {}
    for status, models in doc.answers.items():
        answer: Json = {"description": _DONE[status]}
        if models:
            answer["content"] = {_JSON: {"schema": _one_of(models)}}
        responses[str(status)] = answer
    for status in doc.errors:
        responses[str(status)] = {"$ref": f"#/components/responses/Error{status}"}
    return dict(sorted(responses.items()))


def _error(status: int) -> Json:
    answer: Json = {
        "description": _ERRORS[status],
        "content": {_JSON: {"schema": _reference(ErrorAnswer)}},
    }
    if status in _RETRIED:
        retry = {"description": "Seconds to wait.", "schema": {"type": "integer", "minimum": 1}}
        answer["headers"] = {"Retry-After": retry}
    return answer


def _path_parameters(route: Route) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": _PATH_PARAMETERS[name]}
        for name in re.findall(r"\{(\w+)\}", route.path)
    ]


def _header_parameters(doc: OperationDoc) -> list[Json]:
    return [{"name": name, "in": "header", **_HEADERS[name]} for name in doc.headers]


def _query_parameters(doc: OperationDoc) -> list[Json]:
    """One parameter for each field; what not every shape needs is not required."""
    parameters: dict[str, Json] = {}
    for model in doc.query:
        schema = model.model_json_schema(ref_template=_REF)
        for name, field in cast("dict[str, Json]", schema.get("properties", {})).items():
            parameter: Json = {"name": name, "in": "query", "schema": _without_null(field)}
            if "description" in field:
                parameter["description"] = field["description"]
            parameters[name] = parameter
    return list(parameters.values())


def _without_null(schema: Json) -> Json:
    kept = {k: v for k, v in schema.items() if k not in {"description", "title", "default"}}
    choices = [choice for choice in kept.pop("anyOf", []) if choice != {"type": "null"}]
    return {**kept, **choices[0]} if len(choices) == 1 else kept


def _one_of(models: tuple[Model, ...]) -> Json:
    references = [_reference(model) for model in models]
    return references[0] if len(references) == 1 else {"oneOf": references}


def _reference(model: type[BaseModel]) -> Json:
    return {"$ref": _REF.format(model=model.__name__)}


def _schemas() -> Json:
    models = dict.fromkeys([*_models(), ErrorAnswer])
    _, together = models_json_schema([(model, "validation") for model in models], ref_template=_REF)
    return {name: _untitled(one) for name, one in sorted(together["$defs"].items())}


def _models() -> Iterable[Model]:
    for doc in OPERATION_DOCS.values():
        yield from doc.body
        yield from doc.query
        for models in doc.answers.values():
            yield from models


def _untitled(schema: object) -> object:
    """Titles that repeat the name of their field say nothing."""
    if isinstance(schema, dict):
        items = cast("Json", schema).items()
        return {k: _untitled(v) for k, v in items if k != "title" or not isinstance(v, str)}
    if isinstance(schema, list):
        return [_untitled(one) for one in cast("list[object]", schema)]
    return schema
