"""The authorizer of API Gateway over the keys there are."""

import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from functions import composition
from functions.manifest import AUTHORIZER
from omoide.adapters.fake import FakeEmbedder, FakeFolder
from omoide.api.principals import from_authorizer
from omoide.domain.principal import Principal, Right, Scope
from omoide.services.manage_keys import NewKey
from omoide.settings import Settings

ROOT = Path(__file__).resolve().parents[3]
ADMIN = Principal(
    key_id="operator",
    scopes=(Scope(right=Right.ADMIN, pattern="**"),),
    default_namespace="default",
    is_limited=False,
)
METHOD = "arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/live/POST/v1/memories"


@pytest.fixture(autouse=True)
def _wired() -> Iterator[None]:
    composition.configure(Settings.load({}), folder=FakeFolder(), embedder=FakeEmbedder())
    yield
    composition.configure()


def ask(authorization: str | None) -> dict[str, Any]:
    module, _, name = AUTHORIZER.handler.rpartition(".")
    event = {"type": "TOKEN", "authorizationToken": authorization, "methodArn": METHOD}
    return getattr(import_module(module), name)(event, None)


def make_key() -> tuple[str, str]:
    """The id and the token of a new key."""
    new = NewKey(
        name="bot",
        scopes=(Scope(right=Right.WRITE, pattern="team/**"),),
        default_namespace="team/notes",
    )
    made = composition.create_key()(ADMIN, new)
    return made.key.key_id, made.token


def test_a_key_passes_with_its_principal_for_the_whole_stage() -> None:
    key_id, token = make_key()

    answer = ask(f"Bearer {token}")

    statement = answer["policyDocument"]["Statement"][0]
    assert statement == {
        "Action": "execute-api:Invoke",
        "Effect": "Allow",
        "Resource": "arn:aws:execute-api:eu-west-1:123456789012:a1b2c3d4e5/live/*",
    }
    assert answer["principalId"] == key_id
    principal = from_authorizer(answer["context"])
    assert (principal.key_id, principal.default_namespace) == (key_id, "team/notes")
    assert principal.scopes == (Scope(right=Right.WRITE, pattern="team/**"),)
    assert all(isinstance(value, str) for value in answer["context"].values())


def test_the_word_bearer_is_taken_in_any_case() -> None:
    key_id, token = make_key()

    assert ask(f"bearer  {token} ")["principalId"] == key_id


def test_everything_else_is_refused_with_the_word_the_gateway_knows() -> None:
    _, token = make_key()
    wrong = token[:-1] + ("0" if token[-1] != "0" else "1")

    for authorization in (None, "", token, f"Basic {token}", "Bearer ", f"Bearer {wrong}"):
        with pytest.raises(Exception, match=r"^Unauthorized$"):
            ask(authorization)


def test_a_revoked_key_is_refused() -> None:
    key_id, token = make_key()

    composition.revoke_key()(ADMIN, key_id)

    with pytest.raises(Exception, match=r"^Unauthorized$"):
        ask(f"Bearer {token}")


def test_the_sample_event_is_answered_as_a_stranger() -> None:
    sample = ROOT / "events" / AUTHORIZER.trigger / f"{AUTHORIZER.name}.json"

    event = json.loads(sample.read_text(encoding="utf-8"))

    assert event["type"] == "TOKEN"
    with pytest.raises(Exception, match=r"^Unauthorized$"):
        ask(event["authorizationToken"])
