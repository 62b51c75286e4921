"""Who a bearer token belongs to."""

from dataclasses import dataclass

from omoide.domain.errors import UnauthenticatedError
from omoide.domain.key_token import KeyToken
from omoide.domain.principal import Principal
from omoide.ports.keys import KeyStore

_NO_HASH = "0" * 64
"""Compared with when there is no such key, so that both refusals take equally long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticateKey:
    """Turns an API key into a principal."""

    keys: KeyStore

    def __call__(self, token: str | None) -> Principal:
        """Return the principal of ``omo_<id>_<secret>``.

        Raises:
            UnauthenticatedError: No key, an unknown, wrong or revoked one: never told apart.
        """
        carried = None if token is None else KeyToken.parse(token)
        if carried is None:
            raise UnauthenticatedError
        key = self.keys.get(carried.key_id)
        is_right = carried.has_secret(_NO_HASH if key is None else key.secret_hash)
        if key is None or not is_right or key.revoked_at is not None:
            raise UnauthenticatedError
        return Principal(
            key_id=key.key_id,
            scopes=key.scopes,
            default_namespace=key.default_namespace,
            shape=key.shape,
        )
