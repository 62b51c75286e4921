"""Which namespace patterns lie inside others."""

from collections.abc import Iterable

from omoide.domain.errors import InvalidRequestError
from omoide.domain.namespace import canonical_namespace
from omoide.domain.principal import Principal, Right, Scope


def encloses(outer: str, inner: str) -> bool:
    """Whether every namespace of the inner pattern also matches the outer one."""
    outer_segments, inner_segments = outer.split("/"), inner.split("/")
    is_outer_deep = outer_segments[-1] == "**"
    is_inner_deep = inner_segments[-1] == "**"
    outer_head = outer_segments[:-1] if is_outer_deep else outer_segments
    inner_head = inner_segments[:-1] if is_inner_deep else inner_segments
    if len(inner_head) < len(outer_head) or (is_inner_deep and not is_outer_deep):
        return False
    if not is_outer_deep and len(inner_head) != len(outer_head):
        return False
    pairs = zip(outer_head, inner_head, strict=False)
    return all(o in {"*", i} for o, i in pairs)


def administers(principal: Principal, scopes: Iterable[Scope]) -> bool:
    """Whether the principal is admin over all that the scopes allow."""
    held = [s.pattern for s in principal.scopes if s.right is Right.ADMIN]
    return all(any(encloses(h, scope.pattern) for h in held) for scope in scopes)


def canonical_pattern(pattern: str) -> str:
    """Spell the literal segments of a pattern as namespaces are spelt.

    Raises:
        InvalidRequestError: A segment cannot be part of a namespace; names ``scopes``.
    """
    try:
        return "/".join(
            s if s in {"*", "**"} else canonical_namespace(s) for s in pattern.split("/")
        )
    except InvalidRequestError as error:
        problems = "; ".join(detail.problem for detail in error.details)
        raise InvalidRequestError.of("scopes", f"{pattern!r} {problems}") from error


def literal_head(pattern: str) -> str | None:
    """The namespace that a pattern begins with: up to its first wildcard, None without one."""
    head: list[str] = []
    for segment in pattern.split("/"):
        if segment in {"*", "**"}:
            break
        head.append(segment)
    return "/".join(head) or None
