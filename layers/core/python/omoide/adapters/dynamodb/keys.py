"""API keys and the signing secret in DynamoDB."""

from omoide.adapters.dynamodb.faults import RefusedError
from omoide.adapters.dynamodb.item_keys import KeyRange, api_key_key, signing_key
from omoide.adapters.dynamodb.items import ApiKeyItem, SecretItem
from omoide.adapters.dynamodb.memory_items import Raw, require_readable
from omoide.adapters.dynamodb.table_calls import TableCalls
from omoide.domain.principal import Scope
from omoide.ports.clock import Entropy
from omoide.ports.keys import ApiKey

_SECRET_BYTES = 32
_FIRST, _LAST = "\u0000", "\U0010ffff"


class DynamoKeyStore:
    """Implements `KeyStore`.

    Args:
        table: The table.
        entropy: Where the signing secret comes from.
    """

    def __init__(self, table: TableCalls, entropy: Entropy) -> None:
        self._table = table
        self._entropy = entropy
        self._secret: bytes | None = None

    def put(self, key: ApiKey) -> None:
        """Store or replace a key."""
        self._table.put(_write(key))

    def get(self, key_id: str) -> ApiKey | None:
        """Return a key, revoked ones too."""
        raw = self._table.get(api_key_key(key_id))
        return None if raw is None else _read(raw)

    def all(self) -> tuple[ApiKey, ...]:
        """Return every key, oldest first."""
        everything = KeyRange(api_key_key("").pk, _FIRST, _LAST)
        keys = map(_read, self._table.query_all(everything))
        return tuple(sorted(keys, key=lambda key: (key.created_at, key.key_id)))

    def signing_secret(self) -> bytes:
        """32 random bytes, made by whichever process asks first."""
        if self._secret is None:
            self._secret = self._find_secret() or self._make_secret()
        return self._secret

    def _find_secret(self) -> bytes | None:
        raw = self._table.get(signing_key())
        return None if raw is None else bytes(raw["value"]["B"])

    def _make_secret(self) -> bytes:
        made = self._entropy.bytes(_SECRET_BYTES)
        key = signing_key()
        item = SecretItem(pk=key.pk, sk=key.sk, value=made)
        try:
            self._table.put(item.serialize(), condition=SecretItem.pk.does_not_exist())
        except RefusedError:
            return self._find_secret() or made
        return made


def _write(key: ApiKey) -> Raw:
    at = api_key_key(key.key_id)
    item = ApiKeyItem(
        pk=at.pk,
        sk=at.sk,
        key_id=key.key_id,
        secret_hash=key.secret_hash,
        name=key.name,
        scopes=[str(scope) for scope in key.scopes] or None,
        default_namespace=key.default_namespace,
        shape=key.shape,
        created_at=key.created_at,
        revoked_at=key.revoked_at,
    )
    return item.serialize()


def _read(raw: Raw) -> ApiKey:
    require_readable(raw)
    item = ApiKeyItem.from_raw_data(raw)
    return ApiKey(
        key_id=item.key_id,
        secret_hash=item.secret_hash,
        name=item.name,
        scopes=tuple(Scope.parse(scope) for scope in item.scopes or ()),
        default_namespace=item.default_namespace,
        shape=item.shape,
        created_at=item.created_at,
        revoked_at=item.revoked_at,
    )
