import logging
from typing import Any

import pytest

from omoide import __version__
from omoide.api.native.page_models import (
    CreatedKeyAnswer,
    HealthAnswer,
    KeyList,
    ReadinessAnswer,
    ServiceAnswer,
)
from omoide.api.principals import from_authorizer, to_authorizer
from omoide.domain.errors import UnauthenticatedError
from omoide.domain.principal import LOCAL_PRINCIPAL
from tests.unit.api.api_desk import ApiDesk, principal


def test_a_key_is_made_listed_used_and_revoked(desk: ApiDesk) -> None:
    body = {"name": "bot", "scopes": ["write:team/a/**"], "default_namespace": "team/a"}

    made = desk.call("create_key", body)
    listed = desk.call("list_keys")
    revoked = desk.call("revoke_key", path={"key_id": made.json["key_id"]})
    after = desk.call("list_keys")

    assert made.status == 201
    assert made.json["token"].startswith("omo_")
    assert {name: made.json[name] for name in body} == body
    assert "token" not in listed.json["keys"][0]
    assert made.json["token"] not in listed.text
    assert (revoked.status, revoked.text) == (204, "")
    assert after.json["keys"][0]["revoked_at"] is not None
    CreatedKeyAnswer.model_validate_json(made.text)
    KeyList.model_validate_json(listed.text)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"name": ""}, "name"),
        ({"name": None}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["own:everything"]}, "scopes"),
        ({"scopes": ["read:a/**/b"]}, "scopes"),
        ({"scopes": "admin:**"}, "scopes"),
        ({"shape": "memex"}, "shape"),
        ({"default_namespace": "elsewhere"}, "default_namespace"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_key_that_cannot_be_is_refused(desk: ApiDesk, fields: Any, named: str) -> None:
    answer = desk.call("create_key", {"name": "bot", "scopes": ["read:team/a"], **fields})

    assert (answer.status, answer.fields) == (422, [named])


def test_a_key_gives_no_more_than_its_maker_has(desk: ApiDesk) -> None:
    desk.principal = principal("admin:team/a/**")

    beyond = desk.call("create_key", {"name": "x", "scopes": ["read:team/b/**"]})

    assert (beyond.status, beyond.error["code"]) == (403, "FORBIDDEN")


@pytest.mark.parametrize(("key_id", "status"), [("unknown", 404), ("..%2F", 422), ("a b", 422)])
def test_a_key_that_is_not_there_cannot_be_revoked(desk: ApiDesk, key_id: str, status: int) -> None:
    assert desk.call("revoke_key", path={"key_id": key_id}).status == status


def test_the_root_names_service_version_and_docs(desk: ApiDesk) -> None:
    desk.principal = None

    answer = desk.call("get_service")

    assert answer.json == {"service": "omoide", "version": __version__, "docs": "/docs"}
    ServiceAnswer.model_validate_json(answer.text)


def test_health_is_always_200_and_tells_of_the_records(desk: ApiDesk) -> None:
    desk.principal = None

    well = desk.call("get_health")
    desk.folder.is_down = True
    ill = desk.call("get_health")

    assert (well.status, well.json["status"], well.json["db"]) == (200, "ok", "ok")
    assert (ill.status, ill.json["status"]) == (200, "degraded")
    assert ill.json["db"].startswith("error: ")
    HealthAnswer.model_validate_json(ill.text)


def test_readiness_names_the_part_that_is_down(desk: ApiDesk) -> None:
    desk.principal = None

    well = desk.call("get_readiness")
    desk.embedder.is_failing = True
    ill = desk.call("get_readiness")

    assert (well.status, well.json["status"]) == (200, "ready")
    assert [part["name"] for part in well.json["parts"]] == ["records", "index", "model"]
    assert ill.status == 503
    assert [part["name"] for part in ill.json["parts"] if not part["is_ready"]] == ["model"]
    ReadinessAnswer.model_validate_json(ill.text)


def test_a_part_that_fails_in_an_unforeseen_way_is_named_and_its_words_are_not_told(
    desk: ApiDesk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="omoide.services")
    desk.principal = None

    def fail(text: str) -> None:
        raise OSError(24, "Too many open files", "hanako/private")

    monkeypatch.setattr(desk.embedder, "embed_query", fail)
    answer = desk.call("get_readiness")

    assert answer.status == 503
    assert [part["name"] for part in answer.json["parts"] if not part["is_ready"]] == ["model"]
    assert "hanako" not in answer.text + caplog.text
    assert "model is not ready: OSError" in caplog.text


@pytest.mark.parametrize(
    "one",
    [LOCAL_PRINCIPAL, principal("read:a/*", "write:b/**", namespace="ns/あ", shape="dse")],
    ids=["local", "key"],
)
def test_a_principal_travels_in_the_authorizers_context(one: Any) -> None:
    context = to_authorizer(one)

    assert all(isinstance(value, str) for value in context.values())
    assert from_authorizer(context) == one


@pytest.mark.parametrize("context", [None, {}, {"scopes": "admin:**"}, {"key_id": ""}])
def test_without_a_key_id_there_is_no_principal(context: dict[str, str] | None) -> None:
    with pytest.raises(UnauthenticatedError):
        from_authorizer(context)
