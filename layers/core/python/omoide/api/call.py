"""One request to a function: what a proxy event of API Gateway says, checked."""

import base64
import binascii
import re
from collections.abc import Mapping
from typing import Any, TypeVar, cast

from pydantic import BaseModel

from omoide.api.errors import MalformedBodyError, MalformedHeaderError, UnsupportedMediaTypeError
from omoide.api.json_body import JSON_LIMIT, read_object
from omoide.api.principals import from_authorizer
from omoide.api.shapes import Shape
from omoide.api.validation import validate, validate_query
from omoide.domain.errors import FieldProblem, InvalidRequestError, PayloadTooLargeError
from omoide.domain.limits import MAX_OPERATION_ID, text_problem
from omoide.domain.memory import JsonValue
from omoide.domain.principal import Principal

_Model = TypeVar("_Model", bound=BaseModel)

_IF_MATCH = re.compile(r'(?:W/)?"?([0-9]{1,15})"?')
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


class ApiCall:
    """A request, read as far as it is asked for.

    Attributes:
        request_id: Its id, in answers and logs.
        shape: The shape its answer has, also when it is an error; set once it is known.
    """

    __slots__ = ("_event", "_headers", "request_id", "shape")

    def __init__(self, event: Mapping[str, Any], request_id: str) -> None:
        self._event = event
        self._headers: dict[str, list[str]] | None = None
        self.request_id = request_id
        self.shape = Shape.NATIVE

    @property
    def principal(self) -> Principal:
        """Who asks.

        Raises:
            UnauthenticatedError: Nobody authorised the request.
        """
        context = cast("Mapping[str, Any]", self._event.get("requestContext") or {})
        return from_authorizer(context.get("authorizer"))

    def header(self, name: str) -> str | None:
        """A header field by its lower-case name.

        Raises:
            MalformedHeaderError: It is given more than once.
        """
        if self._headers is None:
            self._headers = _grouped_headers(self._event)
        values = self._headers.get(name, [])
        if len(values) > 1:
            raise MalformedHeaderError.repeated(name.title())
        return values[0] if values else None

    def read_object(
        self, *, limit: int = JSON_LIMIT, checks_strings: bool = True
    ) -> dict[str, JsonValue]:
        """Return the JSON object of the body.

        Args:
            limit: Bytes the body may have.
            checks_strings: See `omoide.api.json_body.read_object`.

        Raises:
            UnsupportedMediaTypeError: The body is of another type.
            PayloadTooLargeError: It is over the limit.
            MalformedBodyError: It is empty or not JSON.
            InvalidRequestError: It is JSON, but cannot be a request.
        """
        media_type = (self.header("content-type") or "").partition(";")[0].strip().lower()
        if media_type != "application/json":
            problem = "must be application/json"
            details = [FieldProblem(field="Content-Type", problem=problem)]
            raise UnsupportedMediaTypeError(f"Content-Type: {problem}", details=details)
        return read_object(self._body_text(limit), limit=limit, checks_strings=checks_strings)

    def read_body(
        self, model: type[_Model], body: Mapping[str, JsonValue], *, shape: Shape
    ) -> _Model:
        """Validate an object, and answer in this shape from now on.

        Raises:
            InvalidRequestError: It does not fit the model; names every field at fault. Or, in our
                own shape, there are query parameters.
        """
        self.shape = shape
        if shape is Shape.NATIVE and self.query:
            name = next(iter(self.query))
            raise InvalidRequestError.of(name, "is not a known query parameter")
        return validate(model, body)

    @property
    def query(self) -> dict[str, list[str]]:
        """The values of each query parameter, in order."""
        many = cast(
            "Mapping[str, list[str]] | None", self._event.get("multiValueQueryStringParameters")
        )
        if many:
            return {name: list(values) for name, values in many.items()}
        one = cast("Mapping[str, str] | None", self._event.get("queryStringParameters"))
        return {name: [value] for name, value in (one or {}).items()}

    def read_query(self, model: type[_Model]) -> _Model:
        """Validate the query parameters.

        Raises:
            InvalidRequestError: One is unknown, given twice, or has a wrong value.
        """
        return validate_query(model, self.query)

    def expected_version(self) -> int | None:
        """The version in ``If-Match``; None without one or with ``*``.

        Raises:
            InvalidRequestError: It is no version.
        """
        given = self.header("if-match")
        if given is None or given.strip() == "*":
            return None
        match = _IF_MATCH.fullmatch(given.strip())
        if match is None:
            raise InvalidRequestError.of("If-Match", "must be the version of the memory, a number")
        return int(match[1])

    def operation_id(self, in_body: str | None = None) -> str | None:
        """The idempotency key, from the body or the header ``Idempotency-Key``.

        Raises:
            InvalidRequestError: It is malformed, or the two differ.
        """
        in_header = self.header("idempotency-key")
        if in_header is None:
            return in_body
        problem = text_problem(in_header, limit=MAX_OPERATION_ID)
        if problem is not None:
            raise InvalidRequestError.of("Idempotency-Key", problem)
        if in_body is not None and in_body != in_header:
            raise InvalidRequestError.of("operation_id", "differs from the header Idempotency-Key")
        return in_header

    def _body_text(self, limit: int) -> str:
        body = self._event.get("body")
        if body is None:
            return ""
        if not self._event.get("isBase64Encoded"):
            return str(body)
        try:
            raw = base64.b64decode(body, validate=True)
        except (binascii.Error, ValueError):
            raise MalformedBodyError.of("body", "is not base64") from None
        if len(raw) > limit:
            problem = f"is larger than {limit >> 20} MiB"
            details = [FieldProblem(field="body", problem=problem)]
            raise PayloadTooLargeError(f"body: {problem}", details=details)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            problem = f"is not UTF-8: byte {error.start} cannot be read"
            raise MalformedBodyError.of("body", problem) from None


def _grouped_headers(event: Mapping[str, Any]) -> dict[str, list[str]]:
    """The values of each header field by its lower-case name."""
    many = cast("Mapping[str, list[str]]", event.get("multiValueHeaders") or {})
    one = cast("Mapping[str, Any]", event.get("headers") or {})
    given = many or {name: [str(value)] for name, value in one.items()}
    grouped: dict[str, list[str]] = {}
    for name, values in given.items():
        grouped.setdefault(name.lower(), []).extend(values)
    return grouped


def memory_id_of(text: str) -> str:
    """Return the id of a path in its canonical spelling.

    Raises:
        InvalidRequestError: It is not a UUID.
    """
    canonical = text.lower()
    if _UUID.fullmatch(canonical) is None:
        raise InvalidRequestError.of("memory_id", "must be a UUID")
    return canonical
