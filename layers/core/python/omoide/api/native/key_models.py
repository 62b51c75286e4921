"""What a request says of keys."""

from typing import Annotated, Literal

from pydantic import Field

from omoide.api.fields import Namespace
from omoide.api.native.store_models import NativeModel
from omoide.services.manage_keys import MAX_NAME, MAX_SCOPES

ScopeText = Annotated[
    str,
    Field(
        json_schema_extra={"pattern": r"^(read|write|admin):[^\s*]+(/\*\*)?$", "minLength": 1},
        examples=["write:team/a/**"],
    ),
]


class KeyRequest(NativeModel):
    """A key to be made."""

    name: Annotated[str, Field(min_length=1, max_length=MAX_NAME, pattern=r"\S")]
    scopes: Annotated[list[ScopeText], Field(min_length=1, max_length=MAX_SCOPES)] = Field(
        description="`read`, `write` or `admin`, a colon, and a pattern of namespaces: `*` is one "
        "segment, a trailing `**` any number of them."
    )
    default_namespace: Namespace | None = Field(
        default=None,
        description="Meant by its requests that name none. When absent: what a scope that may "
        "write begins with, else `default`, else what a scope begins with.",
    )
    shape: Literal["native", "dse"] | None = Field(
        default=None, description="Shape of requests that no field tells; native when absent."
    )
