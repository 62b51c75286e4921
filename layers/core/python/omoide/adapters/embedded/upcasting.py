"""Bringing stored items of older programs up to the present form, one version at a time."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from omoide.domain.errors import IncompatibleDataError
from omoide.domain.memory import SCHEMA_VERSION, JsonValue

Document = dict[str, JsonValue]
Upcaster = Callable[[Document], Document]


class ItemKind(StrEnum):
    """What is stored as a document."""

    MEMORY = "memory"
    API_KEY = "api_key"


UPCASTERS: Mapping[tuple[ItemKind, int], Upcaster] = {}
"""Each takes a document of the given schema version to the next one. None is needed yet."""


def upcast(
    kind: ItemKind,
    schema: int,
    document: Document,
    *,
    upcasters: Mapping[tuple[ItemKind, int], Upcaster] = UPCASTERS,
    target: int = SCHEMA_VERSION,
) -> Document:
    """Return the document in the present form.

    Args:
        kind: What it is.
        schema: The version it was written under.
        document: As it was stored.
        upcasters: The known steps.
        target: The present version.

    Raises:
        IncompatibleDataError: It was written by a newer program, or no step leads up.
    """
    if schema > target:
        raise IncompatibleDataError(
            f"a stored {kind} has schema version {schema}, this program reads up to {target}:"
            " update the program"
        )
    for version in range(schema, target):
        step = upcasters.get((kind, version))
        if step is None:
            raise IncompatibleDataError(f"no way from schema version {version} of a {kind}")
        document = step(document)
    return document
