"""Who asks, and what that key allows."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from omoide.domain.errors import ForbiddenError, InvalidRequestError


class Right(StrEnum):
    """What a scope allows; each includes those before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


_RANK = {Right.READ: 0, Right.WRITE: 1, Right.ADMIN: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A right over namespaces.

    Attributes:
        right: What is allowed.
        pattern: Namespace pattern over whole ``/`` segments: ``*`` is one segment, a trailing
            ``**`` any number of them, also none.
    """

    right: Right
    pattern: str

    def covers(self, namespace: str) -> bool:
        """Whether the pattern matches the whole namespace."""
        return _compiled(self.pattern).fullmatch(namespace) is not None

    def __str__(self) -> str:
        """``read:team/a/**``."""
        return f"{self.right}:{self.pattern}"

    @classmethod
    def parse(cls, text: str) -> "Scope":
        """Read ``right:pattern``.

        Raises:
            InvalidRequestError: Neither form nor right is known, or ``**`` is not at the end.
        """
        right, separator, pattern = text.partition(":")
        segments = pattern.split("/")
        if not separator or right not in set(Right) or not all(segments):
            raise InvalidRequestError.of("scopes", f"{text!r} is not read|write|admin:pattern")
        if "**" in segments[:-1] or any("*" in s and s not in {"*", "**"} for s in segments):
            raise InvalidRequestError.of("scopes", "a * stands for a whole segment, ** comes last")
        return cls(right=Right(right), pattern=pattern)


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    segments = pattern.split("/")
    head, deep = (segments[:-1], True) if segments[-1] == "**" else (segments, False)
    regex = "/".join("[^/]+" if s == "*" else re.escape(s) for s in head)
    if deep:
        regex = f"{regex}(?:/.+)?" if head else ".+"
    return re.compile(regex, re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """The caller of an operation.

    Attributes:
        key_id: Id of the key, or ``local`` for the embedded principal.
        scopes: What it may do.
        default_namespace: Meant by requests that name none.
        shape: Request shape when no field tells: ``native`` or ``dse``.
        is_limited: Whether rate limits of keys apply.
        limited_agent: The agent whose requests are counted too (memex's shape), if any.
    """

    key_id: str
    scopes: tuple[Scope, ...]
    default_namespace: str
    shape: str = "native"
    is_limited: bool = True
    limited_agent: str | None = None

    def allows(self, right: Right, namespace: str) -> bool:
        """Whether some scope gives the right over the namespace."""
        return any(_RANK[s.right] >= _RANK[right] and s.covers(namespace) for s in self.scopes)

    def require(self, right: Right, namespace: str) -> None:
        """Refuse what is not allowed.

        Raises:
            ForbiddenError: No scope gives the right over this namespace. Operations that address
                a record by id answer not found instead, so that nothing is learned.
        """
        if not self.allows(right, namespace):
            raise ForbiddenError(f"this key has no {right} right over the namespace")


LOCAL_PRINCIPAL = Principal(
    key_id="local",
    scopes=(Scope(right=Right.ADMIN, pattern="**"),),
    default_namespace="default",
    is_limited=False,
)
