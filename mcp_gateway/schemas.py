"""JSON schemas of tools, in the plain form every MCP client reads."""

from typing import cast

from pydantic import BaseModel

JsonObject = dict[str, object]

_DEFINITIONS = "#/$defs/"


def plain_schema(model: type[BaseModel]) -> JsonObject:
    """Return the schema of a tool's arguments or structured answer.

    References are written out and optional members shown by their type alone: some clients
    read neither ``$ref`` nor a union with null. A null argument is accepted all the same and
    means absent; absent members of an answer are left out.
    """
    schema = cast("JsonObject", model.model_json_schema(mode="validation"))
    definitions = cast("dict[str, JsonObject]", schema.pop("$defs", {}))
    return cast("JsonObject", _simplify(schema, definitions))


def _simplify(node: object, definitions: dict[str, JsonObject]) -> object:
    if isinstance(node, list):
        return [_simplify(item, definitions) for item in cast("list[object]", node)]
    if not isinstance(node, dict):
        return node
    node = _without_null(cast("JsonObject", node))
    reference = node.get("$ref")
    if isinstance(reference, str):
        node = {**definitions[reference.removeprefix(_DEFINITIONS)], **node}
        del node["$ref"]
    return {
        key: _simplify(value, definitions)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str))
    }


def _without_null(node: JsonObject) -> JsonObject:
    choices = node.get("anyOf")
    if not isinstance(choices, list):
        return node
    real = [choice for choice in cast("list[object]", choices) if choice != {"type": "null"}]
    rest = {
        key: value
        for key, value in node.items()
        if key != "anyOf" and not (key == "default" and value is None)
    }
    if len(real) == 1:
        return {**cast("JsonObject", real[0]), **rest}
    return {**rest, "anyOf": real}
