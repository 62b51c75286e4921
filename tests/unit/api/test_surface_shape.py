"""Surfacing over HTTP."""

import pytest

from omoide.api.native.surface_models import SurfaceAnswer
from tests.unit.api.api_desk import ApiDesk

PLAN = "I am planning to buy a birthday present for my sister Mika next week, tea perhaps"
KNOWN = "my sister Mika likes a present of tea for her birthday next week"


def test_what_a_moment_calls_for_is_told_once(desk: ApiDesk) -> None:
    stored = desk.store(KNOWN)
    moment = {"context": PLAN, "session_id": "s", "token_budget": 400}

    first, again = (desk.call("surface_memories", moment) for _ in range(2))

    told = SurfaceAnswer.model_validate_json(first.text)
    assert [item.id for item in told.items] == [stored["id"]]
    assert KNOWN in told.text
    assert 0 < told.total_tokens <= 400
    assert again.json == {
        "items": [],
        "reminders": [],
        "text": "",
        "total_tokens": 0,
        "namespace": "default",
        "degraded": False,
    }


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"context": ""}, "context"),
        ({"context": None}, "context"),
        ({"context": "a" * 32_769}, "context"),
        ({"session_id": None}, "session_id"),
        ({"current_valence": 2}, "current_valence"),
        ({"token_budget": 99}, "token_budget"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_field_is_named(desk: ApiDesk, fields: dict[str, object], named: str) -> None:
    answer = desk.call("surface_memories", {"context": "x", "session_id": "s", **fields})

    assert (answer.status, answer.fields) == (422, [named])
