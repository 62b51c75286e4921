"""The limits of every field of a memory, enforced in one place."""

import json
import math
import re
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import chain
from zoneinfo import ZoneInfo

from omoide.domain.errors import FieldProblem, InvalidRequestError, PayloadTooLargeError
from omoide.domain.memory import JsonValue, Memory
from omoide.domain.namespace import encode_component

MAX_CONTENT = 32_768
MAX_SUMMARY = 500
MAX_TAGS, MAX_TAG = 64, 128
MAX_ENTITIES, MAX_ENTITY = 128, 256
MAX_METADATA_BYTES, MAX_METADATA_DEPTH = 16_384, 16
MAX_ORIGIN, MAX_ORIGIN_BYTES = 256, 512
MAX_TURN = 2**31
MAX_SHORT_TEXT = 256
MAX_OPERATION_ID = 256
MAX_QUERY = 2_000
MAX_BATCH = 100
MAX_PAGE = 200
NO_TIME_ZONE = "is not an IANA time zone, such as Asia/Tokyo"
"""Said of a name that `is_time_zone` refuses."""

ORIGIN_FIELDS = ("source_id", "agent_id", "user_id", "session_id", "speaker")

_MAX_INTEGER = 2**63
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")
_MAX_LANGUAGE = 35
_SURROGATE = re.compile("[\ud800-\udfff]")

Check = Callable[[Memory], str | None]


def check_memory(memory: Memory) -> None:
    """Refuse a record with a field outside its limits.

    Raises:
        PayloadTooLargeError: The content is longer than 32,768 characters.
        InvalidRequestError: Fields are wrong; its details name each of them.
    """
    if len(memory.content) > MAX_CONTENT:
        raise content_too_large("content")
    found = [(field, check(memory)) for field, check in _CHECKS.items()]
    problems = [FieldProblem(field=f, problem=p) for f, p in found if p is not None]
    if problems:
        message = "; ".join(f"{p.field}: {p.problem}" for p in problems)
        raise InvalidRequestError(message, details=problems)


def content_too_large(field: str) -> PayloadTooLargeError:
    """The refusal of a text that only ingesting it as a document can take."""
    problem = f"is longer than {MAX_CONTENT:,} characters; ingest it (POST /v1/memories/ingest)"
    return PayloadTooLargeError(
        f"{field}: {problem}", details=[FieldProblem(field=field, problem=problem)]
    )


def check_operation_id(operation_id: str | None) -> None:
    """Refuse an operation id that cannot be kept.

    Raises:
        InvalidRequestError: It is empty, too long, or holds unstorable characters.
    """
    if operation_id is None:
        return
    problem = text_problem(operation_id, limit=MAX_OPERATION_ID)
    if problem is not None:
        raise InvalidRequestError.of("operation_id", problem)


def text_problem(text: str, *, limit: int) -> str | None:
    """What is wrong with a text of 1..``limit`` characters, or None."""
    if not text.strip():
        return "must not be empty"
    if len(text) > limit:
        return f"is longer than {limit:,} characters"
    if "\x00" in text:
        return "holds a NUL character"
    if _SURROGATE.search(text):
        return "holds a lone surrogate"
    return None


def as_utc(value: datetime, *, field: str) -> datetime:
    """The instant in UTC with milliseconds; a naive time is taken as UTC.

    Raises:
        InvalidRequestError: It falls outside the years 1 to 9999; names ``field``.
    """
    aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    try:
        instant = aware.astimezone(UTC)
    except OverflowError:
        raise InvalidRequestError.of(field, "is outside the years 1 to 9999") from None
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def metadata_problem(metadata: JsonValue) -> str | None:
    """What is wrong with a JSON value that shall be kept as metadata, or None."""
    level: list[JsonValue] = [metadata]
    for _ in range(MAX_METADATA_DEPTH):
        problem = next(filter(None, map(_value_problem, level)), None)
        if problem is not None:
            return problem
        level = list(chain.from_iterable(map(_children, level)))
        if not level:
            break
    else:
        return f"is nested deeper than {MAX_METADATA_DEPTH} levels"
    size = len(json.dumps(metadata, ensure_ascii=False, separators=(",", ":")).encode())
    if size > MAX_METADATA_BYTES:
        return f"is longer than {MAX_METADATA_BYTES:,} bytes of JSON"
    return None


def _children(value: JsonValue) -> Sequence[JsonValue]:
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else ()


def _value_problem(value: JsonValue) -> str | None:
    if isinstance(value, str):
        return text_problem(f"{value}.", limit=MAX_METADATA_BYTES + 1)
    if isinstance(value, float) and not math.isfinite(value):
        return "holds a number that is not finite"
    if isinstance(value, int) and not -_MAX_INTEGER <= value < _MAX_INTEGER:
        return "holds an integer of more than 64 bits"
    return None


def _optional_text(field: str, limit: int) -> Check:
    def check(memory: Memory) -> str | None:
        text: str | None = getattr(memory, field)
        return None if text is None else text_problem(text, limit=limit)

    return check


def _origin(field: str) -> Check:
    def check(memory: Memory) -> str | None:
        text: str | None = getattr(memory, field)
        if text is None:
            return None
        problem = text_problem(text, limit=MAX_ORIGIN)
        if problem is None and len(encode_component(text).encode()) > MAX_ORIGIN_BYTES:
            return f"is longer than {MAX_ORIGIN_BYTES} bytes, percent-encoded"
        return problem

    return check


def _texts(field: str, count: int, limit: int) -> Check:
    def check(memory: Memory) -> str | None:
        texts: tuple[str, ...] = getattr(memory, field)
        if len(texts) > count:
            return f"holds more than {count} entries"
        problems = (text_problem(text, limit=limit) for text in texts)
        return next((f"an entry {problem}" for problem in problems if problem), None)

    return check


def _between(field: str, low: float, high: float) -> Check:
    def check(memory: Memory) -> str | None:
        number: float | None = getattr(memory, field)
        is_fit = number is None or low <= number <= high
        return None if is_fit else f"must lie between {low:g} and {high:g}"

    return check


def _turn(memory: Memory) -> str | None:
    if memory.turn is None:
        return None
    if memory.session_id is None:
        return "needs a session_id"
    return None if 0 <= memory.turn <= MAX_TURN else f"must lie between 0 and {MAX_TURN}"


def _language(memory: Memory) -> str | None:
    tag = memory.language
    is_fit = tag is None or (len(tag) <= _MAX_LANGUAGE and _LANGUAGE.fullmatch(tag) is not None)
    return None if is_fit else "is not a BCP-47 language tag"


def _timezone(memory: Memory) -> str | None:
    if memory.timezone is None or is_time_zone(memory.timezone):
        return None
    return NO_TIME_ZONE


@lru_cache(maxsize=512)
def is_time_zone(name: str) -> bool:
    """Whether the text is a zone of the IANA database."""
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def _event_end(memory: Memory) -> str | None:
    is_fit = memory.event_end is None or memory.event_end >= memory.event_time
    return None if is_fit else "lies before event_time"


def _invalidated_at(memory: Memory) -> str | None:
    is_fit = memory.invalidated_at is None or memory.invalidated_at >= memory.event_time
    return None if is_fit else "lies before event_time"


def _expires_at(memory: Memory) -> str | None:
    is_fit = memory.expires_at is None or memory.expires_at > memory.created_at
    return None if is_fit else "must lie after the creation of the memory"


_CHECKS: dict[str, Check] = {
    "content": _optional_text("content", MAX_CONTENT),
    "summary": _optional_text("summary", MAX_SUMMARY),
    "language": _language,
    "tags": _texts("tags", MAX_TAGS, MAX_TAG),
    "entities": _texts("entities", MAX_ENTITIES, MAX_ENTITY),
    "metadata": lambda memory: metadata_problem(dict(memory.metadata)),
    "importance": _between("importance", 0, 1),
    "confidence": _between("confidence", 0, 1),
    "valence": _between("valence", -1, 1),
    "arousal": _between("arousal", 0, 1),
    "mood": _optional_text("mood", MAX_SHORT_TEXT),
    "archive_reason": _optional_text("archive_reason", MAX_SUMMARY),
    **{field: _origin(field) for field in ORIGIN_FIELDS},
    "turn": _turn,
    "timezone": _timezone,
    "event_end": _event_end,
    "invalidated_at": _invalidated_at,
    "expires_at": _expires_at,
}
