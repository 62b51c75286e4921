"""API keys in memory."""

import threading

from omoide.ports.clock import Entropy
from omoide.ports.keys import ApiKey


class FakeKeyStore:
    """Implements `KeyStore` over a dictionary.

    Args:
        entropy: Where the signing secret comes from.
    """

    def __init__(self, entropy: Entropy) -> None:
        self._entropy = entropy
        self._keys: dict[str, ApiKey] = {}
        self._secret: bytes | None = None
        self._lock = threading.Lock()

    def put(self, key: ApiKey) -> None:
        """Store or replace a key."""
        with self._lock:
            self._keys[key.key_id] = key

    def get(self, key_id: str) -> ApiKey | None:
        """Return a key, revoked ones too."""
        with self._lock:
            return self._keys.get(key_id)

    def all(self) -> tuple[ApiKey, ...]:
        """Return every key, oldest first."""
        with self._lock:
            return tuple(sorted(self._keys.values(), key=lambda k: (k.created_at, k.key_id)))

    def signing_secret(self) -> bytes:
        """32 bytes, the same ever after."""
        with self._lock:
            if self._secret is None:
                self._secret = self._entropy.bytes(32)
            return self._secret
