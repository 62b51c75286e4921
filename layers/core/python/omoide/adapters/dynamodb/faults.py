"""What DynamoDB's errors mean to us."""

from typing import Any, cast

import botocore.exceptions as vendor  # pyright: ignore[reportMissingTypeStubs]
from pynamodb.exceptions import PynamoDBException, TransactWriteError

from omoide.domain.errors import OmoideError, UnavailableError

VENDOR_ERRORS = (PynamoDBException, vendor.BotoCoreError)

_REFUSED = "ConditionalCheckFailedException"
_CANCELLED = "TransactionCanceledException"
_TRANSIENT = frozenset(
    {
        "InternalServerError",
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "ReplicatedWriteConflictException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
_UNFIT = frozenset({"ValidationError", "TransactionIdempotencyParameterMismatch"})
"""Reasons within a cancelled transaction that another attempt does not mend."""


class RefusedError(OmoideError):
    """Another write came between, or was at the same items: decide again on what is stored."""


def is_transient(error: Exception) -> bool:
    """Whether the same request may succeed a moment later."""
    cause = _cause(error)
    return (
        isinstance(cause, (vendor.HTTPClientError, vendor.ConnectionError))
        or code_of(error) in _TRANSIENT
    )


def is_refusal(error: Exception) -> bool:
    """Whether the write must be decided again on what is stored now."""
    code = code_of(error)
    if code != _CANCELLED:
        return code == _REFUSED
    reasons = error.cancellation_reasons if isinstance(error, TransactWriteError) else []
    return not any(reason is not None and reason.code in _UNFIT for reason in reasons)


def code_of(error: Exception) -> str:
    """DynamoDB's name of the error, or the name of its class."""
    cause = _cause(error)
    if isinstance(cause, vendor.ClientError):
        response: dict[str, dict[str, str]] = cast("Any", cause).response
        return response.get("Error", {}).get("Code", "")
    return type(cause).__name__


def in_our_words(error: Exception) -> OmoideError:
    """The error to raise from one that another attempt did not mend; it names no item."""
    code = code_of(error)
    if is_transient(error) or code in {"AccessDeniedException", "ResourceNotFoundException"}:
        return UnavailableError(f"the records cannot be reached ({code}); try again")
    if isinstance(_cause(error), vendor.BotoCoreError):
        return UnavailableError(f"the records cannot be reached ({code})")
    return OmoideError(f"the records refuse a request ({code})")


def _cause(error: Exception) -> Exception:
    if isinstance(error, PynamoDBException) and error.cause is not None:
        return error.cause
    return error
