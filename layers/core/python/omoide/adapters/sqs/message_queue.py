"""One queue and what its errors mean."""

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol, cast

from botocore.config import Config  # pyright: ignore[reportMissingTypeStubs]
from botocore.exceptions import (  # pyright: ignore[reportMissingTypeStubs]
    BotoCoreError,
    ClientError,
)
from botocore.session import Session  # pyright: ignore[reportMissingTypeStubs]

from omoide.domain.errors import UnavailableError

_MAX_BATCH = 10
_TIMEOUT_S = 3
_ATTEMPTS = 3


class SqsClient(Protocol):
    """What is used of the client of botocore."""

    def send_message_batch(self, **parameters: object) -> Mapping[str, Any]:
        """Send up to ten messages."""
        ...

    def receive_message(self, **parameters: object) -> Mapping[str, Any]:
        """Receive up to ten messages."""
        ...

    def delete_message_batch(self, **parameters: object) -> Mapping[str, Any]:
        """Delete up to ten messages."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message that was received.

    Attributes:
        receipt: What deletes it.
        body: Its text.
    """

    receipt: str
    body: str


class MessageQueue:
    """A queue. All methods raise `UnavailableError` when it cannot be reached.

    Args:
        url: The queue.
        client: Of botocore; one from the environment by default.
    """

    def __init__(self, url: str, client: SqsClient | None = None) -> None:
        self._url = url
        self._client = client or _client()

    def send(self, bodies: Sequence[str]) -> None:
        """Send messages."""
        for start in range(0, len(bodies), _MAX_BATCH):
            entries = [
                {"Id": str(place), "MessageBody": body}
                for place, body in enumerate(bodies[start : start + _MAX_BATCH])
            ]
            with _translated_errors():
                answer = self._client.send_message_batch(QueueUrl=self._url, Entries=entries)
            if answer.get("Failed"):
                raise UnavailableError("the queue did not take every message")

    def receive(self, limit: int) -> list[Message]:
        """Some messages, at most ten; they are hidden for the queue's visibility timeout."""
        with _translated_errors():
            answer = self._client.receive_message(
                QueueUrl=self._url,
                MaxNumberOfMessages=min(limit, _MAX_BATCH),
                WaitTimeSeconds=1,
            )
        messages: Sequence[Mapping[str, str]] = answer.get("Messages", ())
        return [Message(receipt=m["ReceiptHandle"], body=m["Body"]) for m in messages]

    def delete(self, receipts: Sequence[str]) -> None:
        """Delete messages that were received."""
        for start in range(0, len(receipts), _MAX_BATCH):
            entries = [
                {"Id": str(place), "ReceiptHandle": receipt}
                for place, receipt in enumerate(receipts[start : start + _MAX_BATCH])
            ]
            with _translated_errors():
                answer = self._client.delete_message_batch(QueueUrl=self._url, Entries=entries)
            if answer.get("Failed"):
                raise UnavailableError("the queue did not delete every message")


@contextmanager
def _translated_errors() -> Generator[None, None, None]:
    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise UnavailableError("the queue cannot be reached") from error


def _client() -> SqsClient:
    config = Config(
        connect_timeout=_TIMEOUT_S,
        read_timeout=_TIMEOUT_S,
        retries={"total_max_attempts": _ATTEMPTS, "mode": "standard"},
    )
    return cast("SqsClient", cast("Any", Session()).create_client("sqs", config=config))
