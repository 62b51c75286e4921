"""Reported faults of other memories with words of time: no end of yesterday, the server's zone."""

import uuid
from collections.abc import Iterator

import pytest

from tests.e2e.running_server import Json, RunningServer, running_server

AS_OF = "2024-03-10T14:00:00Z"
"""23:00 of the tenth in Tokyo, 03:00 of the tenth in Pago Pago."""
EVENTS = {
    "2024-03-02T12:00:00Z": "The crew discussed the anchor.",
    "2024-03-07T03:00:00Z": "The crew discussed the mast.",
    "2024-03-09T02:00:00Z": "The crew discussed the sail.",
    "2024-03-10T05:00:00Z": "The crew discussed the keel.",
}
"""In Tokyo: last week, three days ago, yesterday, today; in Pago Pago the last is of yesterday."""


@pytest.fixture(scope="module", params=["Asia/Tokyo", "Pacific/Pago_Pago"])
def server_elsewhere(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    """A server whose own clock is set to another zone than UTC."""
    data = tmp_path_factory.mktemp("elsewhere") / "data"
    with running_server(data, environment={"TZ": request.param}) as running:
        yield running


@pytest.fixture
def space(server_elsewhere: RunningServer) -> str:
    """A namespace in which the crew has talked four times."""
    name = f"cases/{uuid.uuid4().hex}"
    for event_time, content in EVENTS.items():
        server_elsewhere.store(content, namespace=name, event_time=event_time)
    return name


def first_of(server: RunningServer, space: str, query: str, **fields: Json) -> str:
    asked = {"namespace": space, "as_of": AS_OF, **fields}
    return server.search(query, **asked)["results"][0]["content"]


@pytest.mark.parametrize(
    ("words", "thing"),
    [
        ("yesterday", "sail"),
        ("3 days ago", "mast"),
        ("today", "keel"),
        ("昨日", "sail"),
        ("三日前", "mast"),
    ],
)
def test_case_31_words_of_time_mean_a_window_with_both_ends(
    server_elsewhere: RunningServer, space: str, words: str, thing: str
) -> None:
    query = f"What did the crew discuss {words}?"

    first = first_of(server_elsewhere, space, query, timezone="Asia/Tokyo")

    assert first == f"The crew discussed the {thing}."


def test_case_31_last_week_does_not_reach_into_this_week(
    server_elsewhere: RunningServer, space: str
) -> None:
    found = server_elsewhere.search(
        "What did the crew discuss last week?",
        namespace=space,
        as_of="2024-03-11T14:00:00Z",
        timezone="Asia/Tokyo",
        explain=True,
    )

    in_time = {
        result["content"].split()[-1]
        for result in found["results"]
        if part_of(result, "time") == 1.0
    }
    assert in_time == {"mast.", "sail.", "keel."}


@pytest.mark.parametrize(
    ("zone", "thing"),
    [("Asia/Tokyo", "sail"), ("Pacific/Pago_Pago", "keel"), (None, "sail")],
)
def test_case_32_the_callers_zone_decides_and_not_the_servers(
    server_elsewhere: RunningServer, space: str, zone: str | None, thing: str
) -> None:
    fields = {} if zone is None else {"timezone": zone}
    query = "What did the crew discuss yesterday?"

    searched = first_of(server_elsewhere, space, query, **fields)
    retrieved = server_elsewhere.post(
        "/v1/memories/retrieve",
        {"namespace": space, "query": query, "as_of": AS_OF, **fields},
    ).json()

    assert searched == f"The crew discussed the {thing}."
    assert f"the {thing}" in retrieved["items"][0]["text"]


def part_of(result: Json, name: str) -> float:
    (value,) = [part["value"] for part in result["explain"]["parts"] if part["name"] == name]
    return float(value)
