"""API keys and the signing secret in SQLite."""

import json
from datetime import datetime
from typing import Any

from omoide.adapters.embedded.database import Database
from omoide.adapters.embedded.upcasting import ItemKind, upcast
from omoide.domain.memory import SCHEMA_VERSION
from omoide.domain.principal import Scope
from omoide.engine.times import microseconds
from omoide.ports.clock import Entropy
from omoide.ports.keys import ApiKey

_SIGNING = "signing"
_SECRET_BYTES = 32


class SqliteKeyStore:
    """Implements `KeyStore`.

    Args:
        database: The data file.
        entropy: Where the signing secret comes from.
    """

    def __init__(self, database: Database, entropy: Entropy) -> None:
        self._database = database
        self._entropy = entropy

    def put(self, key: ApiKey) -> None:
        """Store or replace a key."""
        with self._database.writing() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO api_key VALUES (?, ?, ?, ?)",
                (key.key_id, microseconds(key.created_at), SCHEMA_VERSION, _write(key)),
            )

    def get(self, key_id: str) -> ApiKey | None:
        """Return a key, revoked ones too."""
        with self._database.reading() as connection:
            row = connection.execute(
                "SELECT schema, body FROM api_key WHERE key_id = ?", (key_id,)
            ).fetchone()
        return None if row is None else _read(*row)

    def all(self) -> tuple[ApiKey, ...]:
        """Return every key, oldest first."""
        with self._database.reading() as connection:
            rows = connection.execute(
                "SELECT schema, body FROM api_key ORDER BY created_at, key_id"
            ).fetchall()
        return tuple(_read(*row) for row in rows)

    def signing_secret(self) -> bytes:
        """32 random bytes, made by whichever process asks first."""
        query = "SELECT value FROM secret WHERE name = ?"
        with self._database.reading() as connection:
            row = connection.execute(query, (_SIGNING,)).fetchone()
        if row is not None:
            return row[0]
        made = self._entropy.bytes(_SECRET_BYTES)
        with self._database.writing() as connection:
            connection.execute("INSERT OR IGNORE INTO secret VALUES (?, ?)", (_SIGNING, made))
            kept = connection.execute(query, (_SIGNING,)).fetchone()
        return made if kept is None else kept[0]


def _write(key: ApiKey) -> str:
    return json.dumps(
        {
            "key_id": key.key_id,
            "secret_hash": key.secret_hash,
            "name": key.name,
            "scopes": [str(scope) for scope in key.scopes],
            "default_namespace": key.default_namespace,
            "shape": key.shape,
            "created_at": key.created_at.isoformat(),
            "revoked_at": None if key.revoked_at is None else key.revoked_at.isoformat(),
        }
    )


def _read(schema: int, body: str) -> ApiKey:
    document: dict[str, Any] = upcast(ItemKind.API_KEY, schema, json.loads(body))
    revoked_at = document["revoked_at"]
    return ApiKey(
        key_id=document["key_id"],
        secret_hash=document["secret_hash"],
        name=document["name"],
        scopes=tuple(Scope.parse(scope) for scope in document["scopes"]),
        default_namespace=document["default_namespace"],
        shape=document["shape"],
        created_at=datetime.fromisoformat(document["created_at"]),
        revoked_at=None if revoked_at is None else datetime.fromisoformat(revoked_at),
    )
