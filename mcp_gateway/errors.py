"""What a tool call can end with besides an answer, and how an agent is told."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import ValidationError

_HINTS = {
    "CONFLICT": "Get the memory again and repeat the change with its present version.",
    "IDEMPOTENCY_MISMATCH": "Use a new operation_id for a new request.",
    "UNAUTHENTICATED": "Configure this server with a valid key.",
    "UNAVAILABLE": "Try again later; with an operation_id a repeated write is safe.",
}

_PROBLEMS = {"extra_forbidden": "is not an argument of this tool", "missing": "is required"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldError:
    """What is wrong with one argument."""

    field: str
    problem: str


class ApiError(Exception):
    """A refusal, with the stable code of the API.

    Attributes:
        code: Such as ``VALIDATION_ERROR``.
        message: One sentence for a person.
        details: The arguments at fault.
        retry_after_s: Seconds to wait, when the API named them.
    """

    def __init__(
        self,
        *,
        code: str,
        message: str,
        details: Sequence[FieldError] = (),
        retry_after_s: int | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = tuple(details)
        self.retry_after_s = retry_after_s

    @classmethod
    def of_arguments(cls, error: ValidationError) -> "ApiError":
        """The refusal of arguments that do not fit a tool's schema; repeats no value."""
        details = [
            FieldError(
                field=".".join(str(part) for part in problem["loc"]) or "arguments",
                problem=_PROBLEMS.get(problem["type"], problem["msg"].removeprefix("Input ")),
            )
            for problem in error.errors(
                include_url=False, include_context=False, include_input=False
            )
        ]
        return cls(
            code="VALIDATION_ERROR", message="the arguments do not fit this tool", details=details
        )


def describe_error(error: ApiError) -> str:
    """Return the text of a tool error: code, message, every field with its problem, what to do."""
    lines = [f"{error.code}: {error.message}" if error.message else error.code]
    problems = [f"{detail.field}: {detail.problem}" for detail in error.details]
    lines += [f"- {problem}" for problem in problems if problem not in error.message]
    if error.retry_after_s is not None:
        lines.append(f"Try again in {error.retry_after_s} s.")
    elif hint := _HINTS.get(error.code):
        lines.append(hint)
    return "\n".join(lines)
