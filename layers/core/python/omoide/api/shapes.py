"""Three request shapes on the same paths, told apart by their fields."""

from collections.abc import Mapping
from enum import StrEnum


class Shape(StrEnum):
    """Whose words a request uses, and its answer."""

    NATIVE = "native"
    MEMEX = "memex"
    DSE = "dse"


FIELD_NAMES: Mapping[Shape, Mapping[str, str]] = {
    Shape.DSE: {
        "content": "content_text",
        "importance": "importance_score",
        "status": "is_archived",
    }
}
"""What a shape calls our fields, where it has other names: errors name what was sent."""

DSE_ALONE = frozenset({"content_text", "importance_score", "is_archived"})
"""Fields that only DSE has."""

_NATIVE_RETRIEVAL = frozenset({"as_of", "filters", "timezone", "token_target"})
"""Fields of a retrieval that DSE does not have."""

_DSE_UPDATE = DSE_ALONE | {"summary", "confidence", "tags", "entities"}


def is_memex(fields: Mapping[str, object]) -> bool:
    """Whether the fields are memex's: ``agent_id`` and ``user_id`` without ``namespace``."""
    has_pair = fields.get("agent_id") is not None and fields.get("user_id") is not None
    return has_pair and fields.get("namespace") is None


def shape_of_store(fields: Mapping[str, object], shape_of_key: str) -> Shape:
    """The shape of a memory to be stored."""
    if is_memex(fields) and "content_text" not in fields:
        return Shape.MEMEX
    if "content_text" in fields:
        return Shape.DSE
    return Shape.DSE if shape_of_key == Shape.DSE and "content" not in fields else Shape.NATIVE


def shape_of_update(fields: Mapping[str, object], shape_of_key: str) -> Shape:
    """The shape of a change."""
    if DSE_ALONE & fields.keys():
        return Shape.DSE
    tells_nothing = fields.keys() <= _DSE_UPDATE
    return Shape.DSE if shape_of_key == Shape.DSE and tells_nothing else Shape.NATIVE


def shape_of_search(fields: Mapping[str, object]) -> Shape:
    """The shape of a search; DSE has none over HTTP."""
    return Shape.MEMEX if is_memex(fields) else Shape.NATIVE


def shape_of_retrieval(fields: Mapping[str, object], shape_of_key: str) -> Shape:
    """The shape of a retrieval: DSE's for its keys, unless a field is ours alone."""
    is_dse = shape_of_key == Shape.DSE and not _NATIVE_RETRIEVAL & fields.keys()
    return Shape.DSE if is_dse else Shape.NATIVE


def shape_of_key(shape: str) -> Shape:
    """The shape of a request that has no field to tell."""
    return Shape.DSE if shape == Shape.DSE else Shape.NATIVE
