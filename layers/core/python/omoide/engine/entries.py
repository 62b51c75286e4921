"""A part made of entries that come from the records one by one."""

from collections.abc import Sequence

from omoide.domain.errors import IncompatibleDataError
from omoide.engine.codec import Body, decode
from omoide.engine.part import LivePart
from omoide.engine.tail import StoredRow, Tail


class UnreadableScoringError(Exception):
    """Scoring data that this program cannot read."""


def check_scoring(scoring: bytes) -> None:
    """Read scoring data once.

    Raises:
        UnreadableScoringError: A newer program wrote it, or it is damaged.
    """
    try:
        decode(scoring, memory_id="", namespace="")
    except IncompatibleDataError as error:
        raise UnreadableScoringError(str(error)) from error
    except (ValueError, IndexError, OverflowError) as error:
        raise UnreadableScoringError("the scoring data is damaged") from error


def readable(scored: Sequence[tuple[str, bytes]]) -> list[tuple[str, bytes]]:
    """Return those memory ids and scoring data that can be read."""
    return [(memory_id, blob) for memory_id, blob in scored if _is_readable(blob)]


def part_of(
    scored: Sequence[tuple[str, bytes]],
    *,
    revision: str,
    dims: int,
    bodies: Sequence[Body] | None = None,
) -> LivePart:
    """Return the rows of scoring data, in the order given.

    Args:
        scored: Memory ids with their scoring data, all of them readable.
        revision: Rows of another revision get no vectors.
        dims: Length of a vector.
        bodies: Of each, where they were read before.
    """
    tail = Tail(revision=revision, dims=dims)
    tail.extend(
        [
            StoredRow(
                vid=place + 1,
                memory_id=memory_id,
                blob=blob,
                body=None if bodies is None else bodies[place],
            )
            for place, (memory_id, blob) in enumerate(scored)
        ]
    )
    return LivePart.of(tail.snapshot())


def _is_readable(blob: bytes) -> bool:
    try:
        check_scoring(blob)
    except UnreadableScoringError:
        return False
    return True
