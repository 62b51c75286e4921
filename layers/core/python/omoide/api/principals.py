"""The principal as the context of an API Gateway authorizer, and back."""

from collections.abc import Mapping
from functools import lru_cache

from omoide.domain.errors import UnauthenticatedError
from omoide.domain.principal import Principal, Scope


def to_authorizer(principal: Principal) -> dict[str, str]:
    """Return what an authorizer puts into ``requestContext.authorizer``: strings alone."""
    return {
        "key_id": principal.key_id,
        "scopes": " ".join(str(scope) for scope in principal.scopes),
        "default_namespace": principal.default_namespace,
        "shape": principal.shape,
        "is_limited": "true" if principal.is_limited else "false",
    }


def from_authorizer(context: Mapping[str, object] | None) -> Principal:
    """Read the principal of a proxy event.

    Args:
        context: ``requestContext.authorizer``; None or without ``key_id`` when nobody
            authorised the request.

    Raises:
        UnauthenticatedError: The request carries no principal.
    """
    if not context or not context.get("key_id"):
        raise UnauthenticatedError("a valid key is needed: Authorization: Bearer omo_...")
    return _principal(
        str(context["key_id"]),
        str(context.get("scopes", "")),
        str(context.get("default_namespace", "default")),
        str(context.get("shape", "native")),
        str(context.get("is_limited", "true")),
    )


@lru_cache(maxsize=1_024)
def _principal(
    key_id: str, scopes: str, default_namespace: str, shape: str, is_limited: str
) -> Principal:
    return Principal(
        key_id=key_id,
        scopes=tuple(Scope.parse(scope) for scope in scopes.split()),
        default_namespace=default_namespace,
        shape=shape,
        is_limited=is_limited != "false",
    )
