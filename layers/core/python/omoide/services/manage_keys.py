"""Make, list and revoke API keys."""

from dataclasses import dataclass

from omoide.domain.principal import Principal, Scope
from omoide.ports.clock import Clock, Entropy
from omoide.ports.keys import ApiKey, KeyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class NewKey:
    """A key to be made.

    Attributes:
        name: What the operator calls it, 1..128 characters.
        scopes: What it shall allow.
        default_namespace: Meant by its requests that name none; None takes the namespace that
            the first scope begins with.
        shape: Request shape when no field tells: ``native`` or ``dse``.
    """

    name: str
    scopes: tuple[Scope, ...]
    default_namespace: str | None = None
    shape: str = "native"


@dataclass(frozen=True, slots=True, kw_only=True)
class CreatedKey:
    """A new key and, this once, its token."""

    key: ApiKey
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateKey:
    """Makes a key."""

    keys: KeyStore
    clock: Clock
    entropy: Entropy

    def __call__(self, principal: Principal, new: NewKey) -> CreatedKey:
        """Make a key."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class ListKeys:
    """Lists the keys that the principal administers."""

    keys: KeyStore

    def __call__(self, principal: Principal) -> tuple[ApiKey, ...]:
        """Return them, revoked ones too, oldest first."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeKey:
    """Revokes a key; it is refused from then on."""

    keys: KeyStore
    clock: Clock

    def __call__(self, principal: Principal, key_id: str) -> ApiKey:
        """Revoke a key."""
        raise NotImplementedError
