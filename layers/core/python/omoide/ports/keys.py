"""Keeping API keys."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from omoide.domain.principal import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key as it is kept: the secret itself is never stored.

    Attributes:
        key_id: Public part of ``omo_<id>_<secret>``.
        secret_hash: SHA-256 of the secret, hexadecimal.
        name: What the operator calls it.
        scopes: What it allows.
        default_namespace: Used by requests that name none.
        shape: Request shape when no field tells: ``native`` or ``dse``.
        created_at: When it was made.
        revoked_at: When it was revoked.
    """

    key_id: str
    secret_hash: str
    name: str
    scopes: tuple[Scope, ...]
    default_namespace: str
    shape: str = "native"
    created_at: datetime
    revoked_at: datetime | None = None


class KeyStore(Protocol):
    """API keys and the signing secret of this installation."""

    def put(self, key: ApiKey) -> None:
        """Store or replace a key."""
        ...

    def get(self, key_id: str) -> ApiKey | None:
        """Return a key, revoked ones too."""
        ...

    def all(self) -> tuple[ApiKey, ...]:
        """Return every key, oldest first."""
        ...

    def signing_secret(self) -> bytes:
        """32 random bytes, made at first use, the same for every process ever after."""
        ...
