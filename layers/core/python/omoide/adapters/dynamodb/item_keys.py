"""The key of every item. ``#`` parts a key; inside of a part it is written ``%23``."""

import zlib
from typing import NamedTuple

from omoide.adapters.dynamodb.table import DUE_SHARDS, Partition

MEMORY, SCORING, HISTORY, PENDING = "MEM#", "VEC#", "HIST#", "PEND#"
NAMESPACE_ITEM = "META"
_TURN_DIGITS = 10
_VERSION_DIGITS = 10
_AFTER_DIGITS = ":"
"""The character after ``9``: every key that goes on with digits sorts before it."""

_AFTER_PARTS = "$"
"""The character after ``#``."""


class Key(NamedTuple):
    """Partition and sort key of an item."""

    pk: str
    sk: str


class KeyRange(NamedTuple):
    """Items of a partition whose sort keys lie between two keys that no item has."""

    pk: str
    low: str
    high: str


def memory_key(namespace: str, memory_id: str) -> Key:
    """The record."""
    return Key(_namespace(namespace), MEMORY + memory_id)


def memories_of(namespace: str) -> KeyRange:
    """The records of a namespace, in order of creation."""
    return _beginning_with(namespace, MEMORY)


def locator_key(memory_id: str) -> Key:
    """The namespace of an id."""
    return Key(Partition.LOCATOR + memory_id, "-")


def scoring_key(namespace: str, memory_id: str, revision: str) -> Key:
    """Scoring data under a model revision."""
    return Key(_namespace(namespace), f"{SCORING}{memory_id}#{_part(revision)}")


def turn_key(namespace: str, session_id: str, turn: int, memory_id: str) -> Key:
    """The place of a memory in its session."""
    return Key(_namespace(namespace), f"{_turn(session_id, turn)}#{memory_id}")


def session_key(namespace: str, session_id: str) -> Key:
    """Counts the changes of a session's turns."""
    return Key(_namespace(namespace), f"TURN#{_part(session_id)}")


def turns_below(namespace: str, session_id: str, turn: int) -> KeyRange:
    """The places before a turn."""
    return KeyRange(_namespace(namespace), f"TURN#{_part(session_id)}#", _turn(session_id, turn))


def turns_above(namespace: str, session_id: str, turn: int) -> KeyRange:
    """The places after a turn; -1 for all of a session."""
    high = f"TURN#{_part(session_id)}#{_AFTER_DIGITS}"
    return KeyRange(_namespace(namespace), _turn(session_id, turn + 1), high)


def turns_from(namespace: str, session_id: str, turn: int) -> KeyRange:
    """The places with a turn, and those after it."""
    return turns_above(namespace, session_id, turn - 1)


def history_key(namespace: str, memory_id: str, version: int) -> Key:
    """An earlier version."""
    return Key(_namespace(namespace), f"{HISTORY}{memory_id}#{str(version).zfill(_VERSION_DIGITS)}")


def history_of(namespace: str, memory_id: str) -> KeyRange:
    """The earlier versions of a memory, oldest first."""
    return _beginning_with(namespace, f"{HISTORY}{memory_id}#")


def fingerprint_key(namespace: str, fingerprint: str) -> Key:
    """Who holds a fingerprint."""
    return Key(_namespace(namespace), f"HASH#{fingerprint}")


def pending_key(namespace: str, memory_id: str) -> Key:
    """What the index has not taken of a memory yet."""
    return Key(_namespace(namespace), PENDING + memory_id)


def pending_of(namespace: str) -> KeyRange:
    """What the index has not taken of a namespace yet."""
    return _beginning_with(namespace, PENDING)


def counted_of(namespace: str) -> KeyRange:
    """The item of the namespace, then what is pending in it: nothing sorts between them."""
    return KeyRange(_namespace(namespace), NAMESPACE_ITEM, PENDING[:-1] + _AFTER_PARTS)


def namespace_key(namespace: str) -> Key:
    """Counters of a namespace."""
    return Key(_namespace(namespace), NAMESPACE_ITEM)


def use_key(namespace: str, memory_id: str) -> Key:
    """Access counters of a memory."""
    return Key(_namespace(namespace), f"ACC#{memory_id}")


def shown_key(namespace: str, session_id: str) -> Key:
    """What a session was shown without asking."""
    return Key(_namespace(namespace), f"SURF#{_part(session_id)}")


def operation_key(principal: str, name: str, key: str) -> Key:
    """An idempotent call."""
    return Key(f"{Partition.OPERATION}{_part(principal)}#{_part(name)}#{_part(key)}", "-")


def api_key_key(key_id: str) -> Key:
    """An API key. All are in one partition, to be listed without a scan."""
    return Key(Partition.API_KEY, key_id)


def signing_key() -> Key:
    """The secret of the installation."""
    return Key(Partition.CONFIGURATION, "signing")


def rate_key(kind: str, subject: str) -> Key:
    """The requests of the last minute of a subject."""
    return Key(f"{Partition.RATE}{kind}#{_part(subject)}", "-")


def due_partition(kind: str, shard: int) -> str:
    """A partition of the ``due`` index."""
    return f"DUE#{kind}#{shard}"


def due_shard(memory_id: str) -> int:
    """The shard of the ``due`` index that a memory is in."""
    return zlib.crc32(memory_id.encode()) % DUE_SHARDS


def namespace_of(pk: str) -> str:
    """The namespace of a partition key."""
    return pk.removeprefix(Partition.NAMESPACE)


def memory_id_of(sk: str) -> str:
    """The memory that a record, its scoring data or its pending item is of."""
    return sk.split("#")[1]


def _namespace(namespace: str) -> str:
    return Partition.NAMESPACE + namespace


def _turn(session_id: str, turn: int) -> str:
    return f"TURN#{_part(session_id)}#{str(turn).zfill(_TURN_DIGITS)}"


def _part(text: str) -> str:
    return text.replace("%", "%25").replace("#", "%23")


def _beginning_with(namespace: str, prefix: str) -> KeyRange:
    return KeyRange(_namespace(namespace), prefix, prefix[:-1] + _AFTER_PARTS)
