"""Types of request fields that several shapes share.

Types and ranges are stated here, so that OpenAPI tells them; what needs a look at several fields
or at bytes is checked once, by `omoide.domain.limits`.
"""

import re
from datetime import UTC, date, datetime, time
from typing import Annotated, Any, cast

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema

from omoide.domain.limits import (
    MAX_CONTENT,
    MAX_ENTITIES,
    MAX_ENTITY,
    MAX_OPERATION_ID,
    MAX_ORIGIN,
    MAX_QUERY,
    MAX_SHORT_TEXT,
    MAX_SUMMARY,
    MAX_TAG,
    MAX_TAGS,
    MAX_TURN,
    NO_TIME_ZONE,
    is_time_zone,
)
from omoide.domain.memory import (
    ContentType,
    JsonValue,
    Layer,
    MemorySubtype,
    MemoryType,
    SourceType,
    Status,
    VerificationStatus,
)

NOT_BLANK = r"\S"

_TIME = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?"
)


def read_time(value: object) -> object:
    """Read RFC 3339: a time without a zone is UTC, a date is its midnight; to the millisecond.

    Raises:
        ValueError: It is no such text.
    """
    if value is None or isinstance(value, datetime):
        return value
    if not isinstance(value, str) or _TIME.fullmatch(value) is None:
        raise ValueError("must be an RFC 3339 time such as 2026-05-01T09:30:00.000Z")
    try:
        if len(value) == 10:
            return datetime.combine(date.fromisoformat(value), time(), UTC)
        moment = datetime.fromisoformat(value.upper())
        zoned = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise ValueError("is not a time that exists") from None
    return zoned.replace(microsecond=zoned.microsecond // 1000 * 1000)


def show_time(moment: datetime | None) -> str | None:
    """RFC 3339 UTC with milliseconds and ``Z``."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def check_text(value: str) -> str:
    """Refuse a text of white space alone.

    Raises:
        ValueError: It is one.
    """
    if not value.strip():
        raise ValueError("must not be empty")
    return value


def _check_zone(value: str) -> str:
    if not is_time_zone(value):
        raise ValueError(NO_TIME_ZONE)
    return value


def _check_object(value: object) -> dict[str, JsonValue]:
    if not isinstance(value, dict):
        raise ValueError("should be a JSON object")
    return cast("dict[str, JsonValue]", value)


Timestamp = Annotated[
    datetime,
    BeforeValidator(read_time),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
Zone = Annotated[
    str,
    AfterValidator(_check_zone),
    WithJsonSchema({"type": "string", "examples": ["Asia/Tokyo"], "maxLength": 64}),
]
Metadata = Annotated[
    dict[str, Any],
    BeforeValidator(_check_object),
    WithJsonSchema({"type": "object", "additionalProperties": True}),
]
Content = Annotated[
    str,
    AfterValidator(check_text),
    WithJsonSchema(
        {"type": "string", "minLength": 1, "maxLength": MAX_CONTENT, "pattern": NOT_BLANK}
    ),
]
"""Its length is checked later: too long is another answer (413) than wrong (422)."""

Namespace = Annotated[
    str,
    Field(
        min_length=1,
        max_length=1_100,
        description="Where it is kept; the default namespace of the key when absent.",
        examples=["team/a"],
    ),
]
_PATTERN = Field(min_length=1, json_schema_extra={"pattern": NOT_BLANK})
Origin = Annotated[str, _PATTERN, Field(max_length=MAX_ORIGIN), AfterValidator(check_text)]
ShortText = Annotated[str, _PATTERN, Field(max_length=MAX_SHORT_TEXT), AfterValidator(check_text)]
Summary = Annotated[str, _PATTERN, Field(max_length=MAX_SUMMARY), AfterValidator(check_text)]
Query = Annotated[str, _PATTERN, Field(max_length=MAX_QUERY), AfterValidator(check_text)]
Tag = Annotated[str, _PATTERN, Field(max_length=MAX_TAG), AfterValidator(check_text)]
Entity = Annotated[str, _PATTERN, Field(max_length=MAX_ENTITY), AfterValidator(check_text)]
OperationId = Annotated[
    str, _PATTERN, Field(max_length=MAX_OPERATION_ID), AfterValidator(check_text)
]
Tags = Annotated[list[Tag], Field(max_length=MAX_TAGS)]
Entities = Annotated[list[Entity], Field(max_length=MAX_ENTITIES)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Signed = Annotated[float, Field(ge=-1, le=1, allow_inf_nan=False)]
Turn = Annotated[int, Field(ge=0, le=MAX_TURN)]
Language = Annotated[str, Field(max_length=35, pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")]
AnyMemoryType = Annotated[MemoryType, Field(strict=False)]
AnyMemorySubtype = Annotated[MemorySubtype, Field(strict=False)]
AnyContentType = Annotated[ContentType, Field(strict=False)]
AnySourceType = Annotated[SourceType, Field(strict=False)]
AnyVerificationStatus = Annotated[VerificationStatus, Field(strict=False)]
AnyLayer = Annotated[Layer, Field(strict=False)]
AnyStatus = Annotated[Status, Field(strict=False)]
