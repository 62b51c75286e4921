"""The items of the table. All carry the version of their form in ``schema``."""

from pynamodb.attributes import (
    BinaryAttribute,
    BooleanAttribute,
    JSONAttribute,
    UnicodeAttribute,
    UnicodeSetAttribute,
)
from pynamodb.models import Model

from omoide.adapters.dynamodb.attributes import (
    FloatAttribute,
    IntAttribute,
    TextsAttribute,
    TimeAttribute,
)
from omoide.domain.memory import SCHEMA_VERSION


class Item(Model):
    """What all items have."""

    pk = UnicodeAttribute(hash_key=True)
    sk = UnicodeAttribute(range_key=True)
    schema = IntAttribute(default_for_new=SCHEMA_VERSION)


class MemoryItem(Item):
    """A record, and an earlier version of one.

    Attributes:
        hidden: Present where reads show nothing: a tombstone or an invisible record.
        index_version: Grows with every write of the record or of its scoring data.
        scoring_revision: Model revision of its scoring data, if it has any.
    """

    hidden = BooleanAttribute(null=True)
    index_version = IntAttribute(null=True)
    scoring_revision = UnicodeAttribute(null=True)

    id = UnicodeAttribute()
    version = IntAttribute()
    content = UnicodeAttribute()
    created_at = TimeAttribute()
    updated_at = TimeAttribute()
    stored_at = TimeAttribute()
    event_time = TimeAttribute()

    summary = UnicodeAttribute(null=True)
    content_type = UnicodeAttribute()
    language = UnicodeAttribute(null=True)
    tags = TextsAttribute()
    entities = TextsAttribute()
    metadata = JSONAttribute(null=True)

    memory_type = UnicodeAttribute()
    memory_subtype = UnicodeAttribute(null=True)
    layer = UnicodeAttribute(null=True)

    importance = FloatAttribute()
    confidence = FloatAttribute()
    confidence_basis = UnicodeAttribute(null=True)
    corroborating_sources = TextsAttribute()
    contradicting_sources = TextsAttribute()
    confidence_updated_at = TimeAttribute(null=True)
    verification_status = UnicodeAttribute()
    last_verified_at = TimeAttribute(null=True)

    valence = FloatAttribute(null=True)
    arousal = FloatAttribute(null=True)
    mood = UnicodeAttribute(null=True)

    status = UnicodeAttribute()
    pinned = BooleanAttribute()
    resolved = BooleanAttribute()
    archived_at = TimeAttribute(null=True)
    archive_reason = UnicodeAttribute(null=True)

    source_type = UnicodeAttribute(null=True)
    source_id = UnicodeAttribute(null=True)
    agent_id = UnicodeAttribute(null=True)
    user_id = UnicodeAttribute(null=True)
    session_id = UnicodeAttribute(null=True)
    speaker = UnicodeAttribute(null=True)
    turn = IntAttribute(null=True)

    event_end = TimeAttribute(null=True)
    invalidated_at = TimeAttribute(null=True)
    expires_at = TimeAttribute(null=True)
    last_activated_at = TimeAttribute(null=True)

    superseded_by = UnicodeAttribute(null=True)
    supersedes = TextsAttribute()
    parent_id = UnicodeAttribute(null=True)
    related_ids = TextsAttribute()

    trigger_type = UnicodeAttribute(null=True)
    trigger_at = TimeAttribute(null=True)
    trigger_condition = UnicodeAttribute(null=True)
    recurrence = UnicodeAttribute(null=True)
    timezone = UnicodeAttribute(null=True)
    next_due_at = TimeAttribute(null=True)
    triggered_at = TimeAttribute(null=True)
    trigger_count = IntAttribute()
    acknowledged_at = TimeAttribute(null=True)

    visible = BooleanAttribute()
    deleted_at = TimeAttribute(null=True)
    fingerprint = UnicodeAttribute(null=True)


class LocatorItem(Item):
    """Where an id is."""

    namespace = UnicodeAttribute()


class ScoringItem(Item):
    """Scoring data as `omoide.engine.codec` encodes it."""

    data = BinaryAttribute(legacy_encoding=False)
    version = IntAttribute()
    index_version = IntAttribute()
    revision = UnicodeAttribute()


class TurnItem(Item):
    """The place of a live memory in its session."""

    memory_id = UnicodeAttribute()
    version = IntAttribute()
    turn = IntAttribute()


class SessionItem(Item):
    """Counts the changes of a session's turns: who saw the same count saw the same turns."""

    changes = IntAttribute()


class FingerprintItem(Item):
    """The memory that holds a fingerprint."""

    memory_id = UnicodeAttribute()


class OperationItem(Item):
    """An idempotent call and its outcome."""

    principal = UnicodeAttribute()
    name = UnicodeAttribute()
    key = UnicodeAttribute()
    request_hash = UnicodeAttribute()
    memory_id = UnicodeAttribute()
    outcome = UnicodeAttribute()
    expires_at = TimeAttribute()
    ttl = IntAttribute()


class PendingItem(Item):
    """What the index has not taken of a memory yet.

    Attributes:
        count_delta: What these writes change of the number of live memories.
        token: Another one with every write.
        is_deletion: Whether the last write deleted the memory.
        due_pk: Absent from what was set aside.
    """

    version = IntAttribute()
    count_delta = IntAttribute()
    token = UnicodeAttribute()
    is_deletion = BooleanAttribute()
    written_at = TimeAttribute()
    due_pk = UnicodeAttribute(null=True)
    due_sk = TimeAttribute(null=True)


class NamespaceItem(Item):
    """Counters of a namespace.

    Attributes:
        live: Live memories, but for what is pending.
        clears: Grows whenever pending items go into ``live``.
    """

    live = IntAttribute()
    clears = IntAttribute()


class UseItem(Item):
    """Access counters of a memory.

    Attributes:
        session_hours: Accesses of the last hours that were counted already.
        writes: Grows with every write.
    """

    memory_id = UnicodeAttribute()
    accessed_at = TimeAttribute()
    access_count = IntAttribute()
    access_count_7d = FloatAttribute()
    access_count_30d = FloatAttribute()
    feedback = FloatAttribute()
    last_access_utility = FloatAttribute(null=True)
    session_hours = UnicodeSetAttribute(null=True)
    writes = IntAttribute()


class ApiKeyItem(Item):
    """An API key without its secret."""

    key_id = UnicodeAttribute()
    secret_hash = UnicodeAttribute()
    name = UnicodeAttribute()
    scopes = TextsAttribute()
    default_namespace = UnicodeAttribute()
    shape = UnicodeAttribute()
    created_at = TimeAttribute()
    revoked_at = TimeAttribute(null=True)


class SecretItem(Item):
    """The signing secret of the installation."""

    value = BinaryAttribute(legacy_encoding=False)


class ShownItem(Item):
    """What a session was shown without asking.

    Attributes:
        shown: Ids of memories, 16 bytes each, the earliest first.
        writes: Grows with every write.
    """

    shown = BinaryAttribute(legacy_encoding=False)
    writes = IntAttribute()
    ttl = IntAttribute()


class RateItem(Item):
    """The requests of the last minute of a subject.

    Attributes:
        hits: Pairs of slot and count, see `omoide.adapters.dynamodb.limiter`.
        writes: Grows with every write.
    """

    hits = BinaryAttribute(legacy_encoding=False)
    writes = IntAttribute()
    ttl = IntAttribute()
