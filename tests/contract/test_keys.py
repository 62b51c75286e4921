"""What `KeyStore` promises."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

from omoide.domain.principal import Right, Scope
from omoide.ports.keys import ApiKey
from tests.contract.folders import Folder
from tests.contract.samples import NOW


def key_of(key_id: str, **fields: Any) -> ApiKey:
    key = ApiKey(
        key_id=key_id,
        secret_hash="ab" * 32,
        name="laptop",
        scopes=(
            Scope(right=Right.READ, pattern="team/a/**"),
            Scope(right=Right.WRITE, pattern="team/*"),
        ),
        default_namespace="team/a",
        created_at=NOW,
    )
    return replace(key, **fields)


def test_a_key_is_read_back_as_it_was_put(folder: Folder) -> None:
    key = key_of("k1", shape="dse", default_namespace="チーム/a")
    folder.keys.put(key)

    assert folder.keys.get("k1") == key
    assert folder.keys.get("k2") is None


def test_a_revoked_key_is_still_there(folder: Folder) -> None:
    folder.keys.put(key_of("k1"))
    revoked = key_of("k1", revoked_at=NOW + timedelta(days=1))
    folder.keys.put(revoked)

    assert folder.keys.get("k1") == revoked
    assert folder.keys.all() == (revoked,)


def test_keys_are_listed_oldest_first(folder: Folder) -> None:
    for key_id, days in (("k3", 1), ("k1", 2), ("k2", 0)):
        folder.keys.put(key_of(key_id, created_at=NOW + timedelta(days=days)))

    assert [key.key_id for key in folder.keys.all()] == ["k2", "k3", "k1"]


def test_the_signing_secret_is_made_once(folder: Folder) -> None:
    secret = folder.keys.signing_secret()

    assert len(secret) == 32
    assert folder.keys.signing_secret() == secret
