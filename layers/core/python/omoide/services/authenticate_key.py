"""Who a bearer token belongs to."""

from dataclasses import dataclass

from omoide.domain.principal import Principal
from omoide.ports.keys import KeyStore


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthenticateKey:
    """Turns an API key into a principal."""

    keys: KeyStore

    def __call__(self, token: str | None) -> Principal:
        """Return the principal of ``omo_<id>_<secret>``.

        Raises:
            UnauthenticatedError: No key, an unknown, wrong or revoked one: never told apart.
        """
        raise NotImplementedError
