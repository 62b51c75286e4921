"""Pydantic models against requests; what does not fit is told field by field."""

import re
from collections.abc import Mapping
from typing import TypeVar, get_origin

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from omoide.domain.errors import FieldProblem, InvalidRequestError

_Model = TypeVar("_Model", bound=BaseModel)

_MAX_PROBLEMS = 32
_SUBJECT = re.compile(r"^(?:Input|List|String|Value|Dictionary) should")


def validate(model: type[_Model], fields: Mapping[str, object]) -> _Model:
    """Check an object against a model.

    Raises:
        InvalidRequestError: It does not fit; names every field at fault.
    """
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise _told(error, unknown="is not a known field") from None


def validate_query(model: type[_Model], query: Mapping[str, list[str]]) -> _Model:
    """Check query parameters against a model: lists take repeated parameters, the rest do not.

    Raises:
        InvalidRequestError: One is unknown, given twice, or has a wrong value.
    """
    lists = _list_fields(model)
    fields: dict[str, object] = {}
    for name, values in query.items():
        if any("\0" in value for value in values):
            raise InvalidRequestError.of(name, "holds a NUL character")
        if name in lists:
            fields[name] = values
        elif len(values) > 1:
            raise InvalidRequestError.of(name, "is given more than once")
        else:
            fields[name] = values[0]
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        raise _told(error, unknown="is not a known query parameter", depth=1) from None


def _list_fields(model: type[BaseModel]) -> frozenset[str]:
    return frozenset(
        name for name, field in model.model_fields.items() if get_origin(field.annotation) is list
    )


def _told(error: ValidationError, *, unknown: str, depth: int | None = None) -> InvalidRequestError:
    """Each field once; ``depth`` cuts its path, where a place in a list says nothing."""
    problems: dict[str, str] = {}
    for one in error.errors(include_url=False, include_input=False, include_context=False):
        path = ".".join(str(part) for part in one["loc"][:depth]) or "body"
        problems.setdefault(path, _problem(one, unknown))
    details = [FieldProblem(field=f, problem=p) for f, p in problems.items()][:_MAX_PROBLEMS]
    message = "; ".join(f"{one.field}: {one.problem}" for one in details[:3])
    more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    return InvalidRequestError(message + more, details=details)


def _problem(error: ErrorDetails, unknown: str) -> str:
    if error["type"] == "extra_forbidden":
        return unknown
    if error["type"] == "missing":
        return "is required"
    text = error["msg"].removeprefix("Value error, ")
    return _SUBJECT.sub("should", text)
