"""Every function as data: what calls it, what it needs, what it may touch.

The local server routes by this list, deployment creates the functions from it, and an architecture
test holds folders, event samples, OpenAPI and the operations page to it.
"""

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import ClassVar


class Grant(StrEnum):
    """What a function may touch; deployment makes one role per set of grants."""

    READ_RECORDS = "read_records"
    WRITE_RECORDS = "write_records"
    CLEAR_PENDING = "clear_pending"
    FIND_OVERDUE = "find_overdue"
    SEARCH_INDEX = "search_index"
    WRITE_INDEX = "write_index"
    RECORD_USE = "record_use"
    COUNT_USE = "count_use"
    REMEMBER_SHOWN = "remember_shown"
    KEEP_DEAD_LETTERS = "keep_dead_letters"
    READ_KEYS = "read_keys"
    WRITE_KEYS = "write_keys"
    SIGN_CURSORS = "sign_cursors"
    LIMIT_RATE = "limit_rate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """One way to reach a function over HTTP.

    Attributes:
        method: Upper case.
        path: With parameters in braces, such as ``/v1/memories/{memory_id}``.
    """

    method: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A function, whatever calls it.

    Attributes:
        name: What it does and the name of its folder.
        memory_mb: Memory of the function where it is deployed.
        timeout_s: Seconds until it is stopped where it is deployed.
        needs_embedding: Whether it needs the embedding layer.
        grants: What it may touch.
    """

    trigger: ClassVar[str]
    """The folder of ``functions`` its own folder is in."""

    name: str
    memory_mb: int = 512
    timeout_s: int = 10
    needs_embedding: bool = False
    grants: frozenset[Grant] = frozenset()

    @property
    def handler(self) -> str:
        """Dotted path of the entry point, the same wherever it runs."""
        return f"functions.{self.trigger}.{self.name}.handler.handler"


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiFunction(Function):
    """A function behind the HTTP API: one operation.

    Attributes:
        method: Method of its own route.
        path: Path of its own route.
        aliases: Further routes to the same operation.
        is_public: Whether it answers without a principal.
    """

    trigger: ClassVar[str] = "api"

    method: str
    path: str
    aliases: tuple[Route, ...] = ()
    is_public: bool = False

    @property
    def routes(self) -> tuple[Route, ...]:
        """Its own route, then the aliases."""
        return (Route(method=self.method, path=self.path), *self.aliases)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizerFunction(Function):
    """The function that API Gateway asks whose key a request carries."""

    trigger: ClassVar[str] = "authorizer"


class Queue(StrEnum):
    """The queues that functions work off."""

    USES = "uses"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamFunction(Function):
    """A function that is given the changes of the table, in the order of each item's changes.

    Attributes:
        item_prefixes: Only changes of items whose sort key begins so.
        batch_size: Changes at most in one call.
        batch_window_s: Seconds that changes are gathered.
    """

    trigger: ClassVar[str] = "stream"

    item_prefixes: tuple[str, ...]
    batch_size: int = 100
    batch_window_s: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFunction(Function):
    """A function that is called at a fixed rate.

    Attributes:
        every_minutes: Minutes between two calls.
    """

    trigger: ClassVar[str] = "scheduled"

    every_minutes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueFunction(Function):
    """A function that works off a queue.

    Attributes:
        queue: The queue.
        batch_size: Messages at most in one call.
        batch_window_s: Seconds that messages are gathered.
    """

    trigger: ClassVar[str] = "queue"

    queue: Queue
    batch_size: int = 100
    batch_window_s: int = 1


_EMBEDDING_MB = 2_048
_READ = frozenset({Grant.READ_RECORDS})
_WRITE = _READ | {Grant.WRITE_RECORDS, Grant.RECORD_USE, Grant.LIMIT_RATE}
_SEARCH = _READ | {Grant.SEARCH_INDEX, Grant.RECORD_USE, Grant.LIMIT_RATE}
_RETRIEVE = _SEARCH | {Grant.SIGN_CURSORS}
_SURFACE = _RETRIEVE | {Grant.REMEMBER_SHOWN}
_searching = partial(
    ApiFunction, method="POST", memory_mb=_EMBEDDING_MB, timeout_s=20, needs_embedding=True
)

API_FUNCTIONS: tuple[ApiFunction, ...] = (
    ApiFunction(
        name="store_memory",
        method="POST",
        path="/v1/memories",
        memory_mb=_EMBEDDING_MB,
        timeout_s=20,
        needs_embedding=True,
        grants=_WRITE,
    ),
    ApiFunction(
        name="store_memories",
        method="POST",
        path="/v1/memories/batch",
        memory_mb=_EMBEDDING_MB,
        timeout_s=29,
        needs_embedding=True,
        grants=_WRITE,
    ),
    _searching(name="search_memories", path="/v1/memories/search", grants=_SEARCH),
    _searching(name="retrieve_context", path="/v1/memories/retrieve", grants=_RETRIEVE),
    _searching(name="surface_memories", path="/v1/memories/surface", grants=_SURFACE),
    ApiFunction(
        name="list_memories",
        method="GET",
        path="/v1/memories",
        grants=_READ | {Grant.SIGN_CURSORS},
    ),
    ApiFunction(name="count_memories", method="GET", path="/v1/memories/count", grants=_READ),
    ApiFunction(name="get_memory", method="GET", path="/v1/memories/{memory_id}", grants=_READ),
    ApiFunction(
        name="update_memory",
        method="PATCH",
        path="/v1/memories/{memory_id}",
        memory_mb=_EMBEDDING_MB,
        timeout_s=20,
        needs_embedding=True,
        grants=_WRITE,
        aliases=(Route(method="PUT", path="/v1/memories/{memory_id}"),),
    ),
    ApiFunction(
        name="delete_memory",
        method="DELETE",
        path="/v1/memories/{memory_id}",
        memory_mb=_EMBEDDING_MB,
        timeout_s=20,
        needs_embedding=True,
        grants=_WRITE,
    ),
    ApiFunction(
        name="create_key", method="POST", path="/v1/keys", grants=frozenset({Grant.WRITE_KEYS})
    ),
    ApiFunction(
        name="list_keys", method="GET", path="/v1/keys", grants=frozenset({Grant.READ_KEYS})
    ),
    ApiFunction(
        name="revoke_key",
        method="DELETE",
        path="/v1/keys/{key_id}",
        grants=frozenset({Grant.READ_KEYS, Grant.WRITE_KEYS}),
    ),
    ApiFunction(name="get_service", method="GET", path="/", is_public=True),
    ApiFunction(
        name="get_health",
        method="GET",
        path="/health",
        grants=frozenset({Grant.READ_RECORDS}),
        is_public=True,
    ),
    ApiFunction(
        name="get_readiness",
        method="GET",
        path="/health/ready",
        memory_mb=_EMBEDDING_MB,
        timeout_s=20,
        needs_embedding=True,
        grants=frozenset({Grant.READ_RECORDS, Grant.SEARCH_INDEX}),
        is_public=True,
    ),
)
"""The functions behind the HTTP API."""

AUTHORIZER = AuthorizerFunction(
    name="authenticate_key", timeout_s=5, grants=frozenset({Grant.READ_KEYS})
)
"""Asked before every operation that is not public."""

_INDEX = frozenset(
    {Grant.READ_RECORDS, Grant.CLEAR_PENDING, Grant.WRITE_INDEX, Grant.KEEP_DEAD_LETTERS}
)

STREAM_FUNCTIONS: tuple[StreamFunction, ...] = (
    StreamFunction(
        name="index_memories",
        timeout_s=60,
        needs_embedding=True,
        grants=_INDEX,
        item_prefixes=("PEND#",),
    ),
)
"""The functions that follow the table; they need the name of the model, not the model."""

RULE_FUNCTIONS: tuple[RuleFunction, ...] = (
    RuleFunction(
        name="redrive_pending",
        timeout_s=300,
        needs_embedding=True,
        grants=_INDEX | {Grant.FIND_OVERDUE},
        every_minutes=1,
    ),
)
"""The functions that are called by the clock."""

QUEUE_FUNCTIONS: tuple[QueueFunction, ...] = (
    QueueFunction(
        name="record_accesses",
        timeout_s=30,
        grants=frozenset({Grant.READ_RECORDS, Grant.COUNT_USE}),
        queue=Queue.USES,
    ),
)
"""The functions that work off queues."""

BACKGROUND_FUNCTIONS: tuple[StreamFunction | RuleFunction | QueueFunction, ...] = (
    *STREAM_FUNCTIONS,
    *RULE_FUNCTIONS,
    *QUEUE_FUNCTIONS,
)
"""The functions nobody waits for."""
