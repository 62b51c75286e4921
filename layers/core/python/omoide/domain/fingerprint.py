"""When two texts are the same memory."""

import hashlib
import json
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime

from omoide.domain.memory import Memory, MemoryType

_CLOSING = ".。!…،,、;:।۔։።"
_MAX_FOLDINGS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Sameness:
    """Everything in which two memories must agree to be one.

    Attributes:
        memory_type: The type.
        speaker: Who said it.
        event_time: When it happened, if the caller said so.
        session_id: The caller's session.
        turn: The caller's turn; None when the turn was assigned.
        content: The text, compared in its normalised form.
    """

    memory_type: MemoryType
    speaker: str | None
    event_time: datetime | None
    session_id: str | None
    turn: int | None
    content: str


def normalise(text: str) -> str:
    """The form in which texts are compared; normalising twice changes nothing.

    NFKC and case folded, one space for any run of white space, closing punctuation dropped. A
    closing question mark stays, for a question is not its own answer, and so does a text that
    is nothing but punctuation.
    """
    for _ in range(_MAX_FOLDINGS):
        folded = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
        bare = folded.rstrip(_CLOSING + " ") or folded
        if bare == text:
            break
        text = bare
    return text


def fingerprint(sameness: Sameness) -> str:
    """SHA-256 of what makes memories the same, 64 hexadecimal digits."""
    event_time = sameness.event_time
    parts = [
        sameness.memory_type.value,
        sameness.speaker,
        None if event_time is None else event_time.astimezone(UTC).isoformat("T", "milliseconds"),
        sameness.session_id,
        sameness.turn,
        normalise(sameness.content),
    ]
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()


def renewed(old: Memory, new: Memory) -> str | None:
    """The fingerprint of a memory after a change.

    Whether the caller once gave time and turn is not recorded; the variant that yields the old
    fingerprint tells. A time or turn that the change itself sets was given by the caller.

    Args:
        old: The record before, with its fingerprint.
        new: The record after.

    Returns:
        The new fingerprint; None when deduplication is off for the memory.
    """
    if old.fingerprint is None or _compared(old) == _compared(new):
        return old.fingerprint
    timed, placed = _given_by_caller(old)
    return fingerprint(
        _sameness(
            new,
            is_timed=timed or new.event_time != old.event_time,
            is_placed=placed or new.turn != old.turn,
        )
    )


def _compared(memory: Memory) -> Sameness:
    return _sameness(memory, is_timed=True, is_placed=True)


def _given_by_caller(memory: Memory) -> tuple[bool, bool]:
    for is_timed in (False, True):
        for is_placed in (False, True):
            variant = _sameness(memory, is_timed=is_timed, is_placed=is_placed)
            if fingerprint(variant) == memory.fingerprint:
                return is_timed, is_placed
    return True, True


def _sameness(memory: Memory, *, is_timed: bool, is_placed: bool) -> Sameness:
    return Sameness(
        memory_type=memory.memory_type,
        speaker=memory.speaker,
        event_time=memory.event_time if is_timed else None,
        session_id=memory.session_id,
        turn=memory.turn if is_placed else None,
        content=memory.content,
    )
