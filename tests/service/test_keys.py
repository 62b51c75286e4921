from dataclasses import replace

import pytest

from omoide.domain.errors import (
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    UnauthenticatedError,
)
from omoide.domain.principal import Right, Scope
from omoide.services.manage_keys import CreatedKey, NewKey
from tests.service.write_desk import LOCAL, WriteDesk, key


def scopes(*texts: str) -> tuple[Scope, ...]:
    return tuple(map(Scope.parse, texts))


def make(desk: WriteDesk, *texts: str, default_namespace: str | None = None) -> CreatedKey:
    new = NewKey(name="test", scopes=scopes(*texts), default_namespace=default_namespace)
    return desk.create_key(LOCAL, new)


def test_a_new_key_opens_what_its_scopes_allow(desk: WriteDesk) -> None:
    created = make(desk, "read:team/a/**", "write:team/b")

    principal = desk.authenticate(created.token)

    assert principal.key_id == created.key.key_id
    assert principal.scopes == scopes("read:team/a/**", "write:team/b")
    assert (principal.is_limited, principal.shape) == (True, "native")
    assert principal.allows(Right.READ, "team/a/x")
    assert not principal.allows(Right.WRITE, "team/a/x")


def test_a_token_carries_256_secret_bits_that_are_kept_nowhere(desk: WriteDesk) -> None:
    created = make(desk, "read:**")
    prefix, key_id, secret = created.token.split("_")

    assert (prefix, key_id, len(bytes.fromhex(secret))) == ("omo", created.key.key_id, 32)
    assert secret not in repr(desk.folder.keys.all())
    assert secret not in repr(created)


def test_no_two_keys_share_id_or_secret(desk: WriteDesk) -> None:
    tokens = [make(desk, "read:**").token for _ in range(50)]

    assert len({token.split("_")[1] for token in tokens}) == 50
    assert len({token.split("_")[2] for token in tokens}) == 50


def test_no_key_or_a_wrong_one_is_refused_alike(desk: WriteDesk) -> None:
    token = make(desk, "read:**").token
    other = make(desk, "read:**").token
    _, key_id, secret = token.split("_")
    wrong = [
        *[None, "", " ", "omo__", "Bearer " + token, token + " ", token[:-1], token + "0"],
        f"omo_{key_id}_{'0' * 64}",
        f"omo_{'0' * 16}_{secret}",
        f"omo_{key_id}_{other.split('_')[2]}",
        token.upper(),
        f"omo_{key_id}_{secret}\x00",
        "omo_" + "é" * 16 + "_" + secret,
    ]

    messages: set[str] = set()
    for text in wrong:
        with pytest.raises(UnauthenticatedError) as refused:
            desk.authenticate(text)
        messages.add(str(refused.value))

    assert len(messages) == 1


def test_a_revoked_key_is_refused_from_then_on(desk: WriteDesk) -> None:
    created = make(desk, "read:**")
    revoked_at = desk.clock.advance(days=1)

    desk.revoke_key(LOCAL, created.key.key_id)
    desk.clock.advance(days=1)
    again = desk.revoke_key(LOCAL, created.key.key_id)

    with pytest.raises(UnauthenticatedError):
        desk.authenticate(created.token)
    assert again.revoked_at == revoked_at


def test_keys_are_listed_oldest_first_revoked_ones_too(desk: WriteDesk) -> None:
    first = make(desk, "read:**").key
    desk.clock.advance(seconds=1)
    second = make(desk, "read:**").key
    revoked = desk.revoke_key(LOCAL, first.key_id)

    assert desk.list_keys(LOCAL) == (revoked, second)
    assert revoked.revoked_at is not None


@pytest.mark.parametrize("texts", [[], ["read:**"], ["write:**"]])
def test_only_an_admin_manages_keys(desk: WriteDesk, texts: list[str]) -> None:
    created = make(desk, "read:team/a")
    person = key(*texts)

    for call in [
        lambda: desk.create_key(person, NewKey(name="x", scopes=scopes("read:team/a"))),
        lambda: desk.list_keys(person),
        lambda: desk.revoke_key(person, created.key.key_id),
    ]:
        with pytest.raises(ForbiddenError):
            call()


@pytest.mark.parametrize(
    ("wanted", "is_allowed"),
    [
        ("read:team/a", True),
        ("admin:team/a/**", True),
        ("write:team/a/x/*", True),
        ("read:team/a/*/y/**", True),
        ("read:team/*", False),
        ("read:team/**", False),
        ("read:**", False),
        ("read:*", False),
        ("read:*/a", False),
        ("read:team/b", False),
        ("read:team", False),
        ("read:team/ab", False),
    ],
)
def test_an_admin_gives_only_what_it_administers(
    desk: WriteDesk, wanted: str, is_allowed: bool
) -> None:
    admin = key("admin:team/a/**", "write:**")
    new = NewKey(name="x", scopes=scopes(wanted))

    if is_allowed:
        assert desk.create_key(admin, replace(new, default_namespace=_inside(wanted))).key
    else:
        with pytest.raises(ForbiddenError):
            desk.create_key(admin, new)
        assert desk.folder.keys.all() == ()


def _inside(scope: str) -> str:
    return scope.partition(":")[2].replace("**", "z").replace("*", "z")


def test_keys_of_others_are_neither_listed_nor_revoked(desk: WriteDesk) -> None:
    theirs = make(desk, "read:team/b").key
    mixed = make(desk, "read:team/a", "read:team/b").key
    ours = make(desk, "read:team/a/x").key
    admin = key("admin:team/a/**")

    assert desk.list_keys(admin) == (ours,)
    for key_id in [theirs.key_id, mixed.key_id, "unknown", ""]:
        with pytest.raises(NotFoundError):
            desk.revoke_key(admin, key_id)
    assert desk.revoke_key(admin, ours.key_id).revoked_at is not None


@pytest.mark.parametrize(
    ("texts", "named", "default"),
    [
        (["write:**"], None, "default"),
        (["write:default"], None, "default"),
        (["read:team/a/**"], None, "team/a"),
        (["read:team/a", "write:x"], None, "x"),
        (["write:team/a/**", "read:**"], None, "team/a"),
        (["read:**", "admin:team/a/**", "write:x"], None, "team/a"),
        (["read:**", "write:*/b"], None, "default"),
        (["read:**", "write:team/*", "write:x"], None, "x"),
        (["read:default", "write:team/*"], None, "default"),
        (["read:agent/*/user/1", "read:x/y"], None, "x/y"),
        (["read:team/a/**"], "team/a/deep", "team/a/deep"),
    ],
)
def test_the_default_namespace_is_one_the_key_may_use(
    desk: WriteDesk, texts: list[str], named: str | None, default: str
) -> None:
    assert make(desk, *texts, default_namespace=named).key.default_namespace == default


@pytest.mark.parametrize(
    ("new", "field"),
    [
        (NewKey(name="x", scopes=scopes("read:a"), default_namespace="b"), "default_namespace"),
        (NewKey(name="x", scopes=scopes("read:a"), default_namespace=""), "default_namespace"),
        (NewKey(name="x", scopes=scopes("read:*/b")), "default_namespace"),
        (NewKey(name="x", scopes=()), "scopes"),
        (NewKey(name="x", scopes=scopes("read:a") * 33), "scopes"),
        (NewKey(name="x", scopes=scopes("read:a b")), "scopes"),
        (NewKey(name="x", scopes=scopes("read:{userId}")), "scopes"),
        (NewKey(name="x", scopes=(Scope(right=Right.READ, pattern="**/a"),)), "scopes"),
        (NewKey(name=" ", scopes=scopes("read:a")), "name"),
        (NewKey(name="x" * 129, scopes=scopes("read:a")), "name"),
        (NewKey(name="x", scopes=scopes("read:a"), shape="other"), "shape"),
    ],
)
def test_a_malformed_key_is_refused_by_name(desk: WriteDesk, new: NewKey, field: str) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        desk.create_key(LOCAL, new)

    assert [d.field for d in refused.value.details] == [field]
    assert desk.folder.keys.all() == ()


def test_patterns_are_spelt_as_namespaces_are(desk: WriteDesk) -> None:
    created = make(desk, "read:te%61m/U\u0308nal/*/**", default_namespace="team/Ünal/x")

    assert created.key.scopes == scopes("read:team/Ünal/*/**")
