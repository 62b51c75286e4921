"""API keys as their holders carry them: ``omo_<id>_<secret>``."""

import hashlib
import hmac
import re
from dataclasses import dataclass

KEY_ID_BYTES = 8
SECRET_BYTES = 32

_TOKEN = re.compile(r"omo_([0-9a-f]{16})_([0-9a-f]{64})")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyToken:
    """A token taken apart; its text form is secret.

    Attributes:
        key_id: Public part, 16 hexadecimal digits.
        secret: 256 bits, 64 hexadecimal digits.
    """

    key_id: str
    secret: str

    def __str__(self) -> str:
        """``omo_<id>_<secret>``."""
        return f"omo_{self.key_id}_{self.secret}"

    def __repr__(self) -> str:
        """Without the secret."""
        return f"KeyToken(key_id={self.key_id!r})"

    @property
    def secret_hash(self) -> str:
        """SHA-256 of the secret, hexadecimal: what is kept."""
        return hashlib.sha256(self.secret.encode()).hexdigest()

    def has_secret(self, secret_hash: str) -> bool:
        """Whether this is the secret that was kept, compared in constant time."""
        return hmac.compare_digest(self.secret_hash, secret_hash)

    @classmethod
    def make(cls, random_bytes: bytes) -> "KeyToken":
        """A new token from ``KEY_ID_BYTES + SECRET_BYTES`` random bytes."""
        key_id, secret = random_bytes[:KEY_ID_BYTES], random_bytes[KEY_ID_BYTES:]
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a key takes {KEY_ID_BYTES + SECRET_BYTES} random bytes")
        return cls(key_id=key_id.hex(), secret=secret.hex())

    @classmethod
    def parse(cls, text: str) -> "KeyToken | None":
        """Take a token apart; None when it has not the form of one."""
        match = _TOKEN.fullmatch(text)
        return None if match is None else cls(key_id=match[1], secret=match[2])
