"""A filter as SQL."""

from omoide.adapters.embedded.database import SqlValue
from omoide.domain.matching import hides_expired, shows_expired
from omoide.domain.memory_filter import MemoryFilter
from omoide.engine.times import microseconds


class Condition:
    """Parts of a WHERE clause and what is bound to them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.bindings: list[SqlValue] = []

    def add(self, part: str, *bindings: SqlValue) -> None:
        """Require one more thing."""
        self._parts.append(part)
        self.bindings.extend(bindings)

    def add_any(self, column: str, values: tuple[str, ...]) -> None:
        """Require one of the values; nothing when there are none."""
        if values:
            self.add(f"{column} IN ({_marks(values)})", *values)

    @property
    def sql(self) -> str:
        """The clause, never empty."""
        return " AND ".join(self._parts) or "1"


def add_filter(condition: Condition, where: MemoryFilter) -> None:
    """Require what the filter requires, over the columns of table ``memory``."""
    condition.add_any("memory_type", where.memory_types)
    _add_statuses(condition, where)
    for column in ("session_id", "agent_id", "user_id", "speaker", "layer"):
        value = getattr(where, column)
        if value is not None:
            condition.add(f"{column} = ?", value)
    if where.pinned is not None:
        condition.add("pinned = ?", where.pinned)
    if where.importance_min is not None:
        condition.add("importance >= ?", where.importance_min)
    if where.confidence_min is not None:
        condition.add("confidence >= ?", where.confidence_min)
    _add_tags(condition, where)
    _add_times(condition, where)


def _add_statuses(condition: Condition, where: MemoryFilter) -> None:
    shown_until = shows_expired(where)
    if shown_until is None:
        condition.add_any("status", where.statuses)
        return
    wanted = f"status IN ({_marks(where.statuses)})"
    condition.add(f"({wanted} OR expires_at <= ?)", *where.statuses, microseconds(shown_until))


def _add_tags(condition: Condition, where: MemoryFilter) -> None:
    if where.tags_any:
        condition.add(_tagged(where.tags_any), *where.tags_any)
    for tag in where.tags_all:
        condition.add(_tagged((tag,)), tag)


def _tagged(tags: tuple[str, ...]) -> str:
    return f"EXISTS (SELECT 1 FROM json_each(memory.tags) WHERE value IN ({_marks(tags)}))"  # noqa: S608 - bound


def _marks(values: tuple[str, ...]) -> str:
    return ",".join("?" * len(values))


def _add_times(condition: Condition, where: MemoryFilter) -> None:
    hidden_until = hides_expired(where)
    if hidden_until is not None:
        condition.add("(expires_at IS NULL OR expires_at > ?)", microseconds(hidden_until))
    if where.event_after is not None:
        condition.add("event_time >= ?", microseconds(where.event_after))
    if where.event_before is not None:
        condition.add("event_time < ?", microseconds(where.event_before))
    if where.valid_at is not None:
        instant = microseconds(where.valid_at)
        condition.add("event_time <= ?", instant)
        condition.add("(invalidated_at IS NULL OR invalidated_at > ?)", instant)
