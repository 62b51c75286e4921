"""Reading JSON that strangers sent.

What RFC 8259 leaves open is refused here, before any model sees it: names given twice, NaN and
Infinity, lone surrogates, NUL characters, nesting without end.
"""

import json
import re
from collections.abc import Iterator
from typing import NoReturn, cast

from omoide.api.errors import MalformedBodyError
from omoide.domain.errors import FieldProblem, InvalidRequestError, PayloadTooLargeError
from omoide.domain.memory import JsonValue

JSON_LIMIT = 1 << 20
"""Bytes of a JSON body."""

BATCH_LIMIT = 4 << 20
"""Bytes of the body of a batch."""

MAX_DEPTH = 64
"""Arrays and objects within each other, so that whatever walks a body may recurse."""

_SUSPECT = re.compile(r"\\u(?:0000|[dD][89a-fA-F])|[\ud800-\udfff]")
_SURROGATE = re.compile(r"[\ud800-\udfff]")


class _TwiceError(ValueError):
    pass


class _NotANumberError(ValueError):
    pass


def _unique(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    values = dict(pairs)
    if len(values) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise _TwiceError(name)
            seen.add(name)
    return values


def _refuse(name: str) -> NoReturn:
    raise _NotANumberError(name)


_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_constant=_refuse)


def read_object(
    text: str, *, limit: int = JSON_LIMIT, checks_strings: bool = True
) -> dict[str, JsonValue]:
    """Parse the body of a request.

    Args:
        text: The body.
        limit: Bytes of UTF-8 it may have.
        checks_strings: Whether one string that cannot be text refuses the whole; else the caller
            looks with `check_strings`.

    Returns:
        The object, its strings free of NUL and lone surrogates, its numbers finite unless they
        overflow a double.

    Raises:
        PayloadTooLargeError: It is over the limit.
        MalformedBodyError: It is empty or not JSON.
        InvalidRequestError: It is JSON, but not an object, or a string in it cannot be text.
    """
    check_size(text, limit)
    if not text.strip():
        raise MalformedBodyError.of("body", "is empty; send a JSON object")
    value = _parse(text.removeprefix("\ufeff"))
    if checks_strings and _SUSPECT.search(text):
        check_strings(value)
    if not isinstance(value, dict):
        raise InvalidRequestError.of("body", "must be a JSON object")
    return value


def check_size(text: str, limit: int) -> None:
    """Refuse a body of more than ``limit`` bytes of UTF-8.

    Raises:
        PayloadTooLargeError: It is larger.
    """
    size = len(text)
    if size <= limit < size * 4:
        size = len(text.encode("utf-8", "surrogatepass"))
    if size > limit:
        problem = f"is larger than {limit >> 20} MiB"
        details = [FieldProblem(field="body", problem=problem)]
        raise PayloadTooLargeError(f"body: {problem}", details=details)


def _parse(text: str) -> JsonValue:
    try:
        value = cast("JsonValue", _DECODER.decode(text))
    except json.JSONDecodeError as error:
        problem = f"is not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise MalformedBodyError.of("body", problem) from None
    except RecursionError:
        raise MalformedBodyError.of("body", f"is nested deeper than {MAX_DEPTH} levels") from None
    except _TwiceError as error:
        raise MalformedBodyError.of(str(error), "is given more than once") from None
    except _NotANumberError as error:
        field = next(_paths_of_constants(text), "body")
        raise MalformedBodyError.of(field, f"{error} is not a JSON number") from None
    except ValueError:
        raise MalformedBodyError.of("body", "holds a number with too many digits") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deep(value):
        raise MalformedBodyError.of("body", f"is nested deeper than {MAX_DEPTH} levels")
    return value


def _is_deep(value: JsonValue) -> bool:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [inner for outer in level for inner in _containers(outer)]
        if not level:
            return False
    return True


def _containers(value: JsonValue) -> Iterator[JsonValue]:
    if isinstance(value, dict | list):
        within = value.values() if isinstance(value, dict) else value
        yield from (one for one in within if isinstance(one, dict | list))


def _paths_of_constants(text: str) -> Iterator[str]:
    value = cast("JsonValue", json.loads(text))
    for path, leaf in _leaves(value):
        if isinstance(leaf, float) and leaf - leaf != 0:
            yield path


def check_strings(value: JsonValue) -> None:
    """Refuse NUL characters and lone surrogates, wherever they are.

    Raises:
        InvalidRequestError: There is one; names the field.
    """
    for path, leaf in _leaves(value):
        if not isinstance(leaf, str):
            continue
        if "\0" in leaf:
            raise InvalidRequestError.of(path, "holds a NUL character")
        if _SURROGATE.search(leaf):
            raise InvalidRequestError.of(path, "holds a lone surrogate, which is no character")


def _leaves(value: JsonValue) -> Iterator[tuple[str, JsonValue]]:
    """Every leaf with its path; the names of objects are leaves too, at their object's path."""
    waiting: list[tuple[str, JsonValue]] = [("", value)]
    while waiting:
        path, one = waiting.pop()
        if isinstance(one, dict):
            yield from ((path or "body", name) for name in one)
            waiting += ((f"{path}.{name}" if path else name, v) for name, v in one.items())
        elif isinstance(one, list):
            waiting += ((f"{path}.{i}" if path else str(i), v) for i, v in enumerate(one))
        else:
            yield path or "body", one
