"""Reported faults of other memories, on the way out: scripts, thresholds, lists, templates."""

import json
import uuid

import pytest

from tests.e2e.running_server import Json, RunningServer, omoide

MANY = 1_005
"""Memories of the long list."""


def namespace() -> str:
    """A namespace of its own, so that tests do not meet."""
    return f"cases/{uuid.uuid4().hex}"


@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("今日は成語しりとりをした", "しりとり"),
        ("用户服务器部署在腾讯云国内节点", "腾讯云"),
        ("重跑gen-itgc后", "itgc"),
        ("회의는 서울역에서 열린다", "서울역"),
        ("ﾊﾝｶｸｶﾅのメモ", "ハンカクカナ"),
        ("締切は３月１０日", "3月10日"),
    ],
)
def test_case_28_words_inside_unspaced_text_are_found_by_the_lexical_arm(
    server: RunningServer, content: str, query: str
) -> None:
    space = namespace()
    for other in ("昨日は映画を見た", "备份任务每晚运行", "점심은 김밥이었다", "A plain note."):
        server.store(other, namespace=space)
    stored = server.store(content, namespace=space)

    found = server.search(query, namespace=space, mode="lexical")["results"]

    assert found[0]["id"] == stored["id"]
    assert found[0]["matched"] == ["lexical"]


def test_case_34_there_is_no_hidden_threshold(server: RunningServer) -> None:
    space = namespace()
    texts = ["The bridge lets mail clients reach Proton.", "Lunch was soup.", "Rain is expected."]
    ids = {server.store(text, namespace=space)["id"] for text in texts}

    found = server.search("xylophone zeppelin quartz", namespace=space)

    assert {result["id"] for result in found["results"]} == ids
    assert (found["total"], found["filtered_count"]) == (3, 0)


def test_case_34_what_a_given_threshold_removes_is_counted(server: RunningServer) -> None:
    space = namespace()
    for text in ("The bridge lets mail clients reach Proton.", "Lunch was soup."):
        server.store(text, namespace=space)

    everything = server.search("proton bridge", namespace=space)
    scores = [result["score"] for result in everything["results"]]
    some = server.search("proton bridge", namespace=space, min_score=sum(scores) / 2)
    none = server.search("proton bridge", namespace=space, min_score=scores[0] + 1)

    assert everything["results"][0]["content"].startswith("The bridge")
    assert (some["total"], some["filtered_count"]) == (1, 1)
    assert (none["results"], none["filtered_count"]) == ([], 2)


@pytest.fixture(scope="module")
def many(server: RunningServer) -> tuple[str, list[str]]:
    """A namespace with many memories; their ids, oldest first."""
    space = namespace()
    return space, fill(server, space, MANY)


def fill(server: RunningServer, space: str, number: int) -> list[str]:
    """Store many memories; their ids, oldest first."""
    ids: list[str] = []
    for start in range(0, number, 100):
        items = [
            {"content": f"Entry {n}", "namespace": space, "tags": [f"t{n % 2}"]}
            for n in range(start, min(start + 100, number))
        ]
        answer = server.post("/v1/memories/batch", {"memories": items}).json()
        assert answer["failed"] == 0
        ids += [result["memory"]["id"] for result in answer["results"]]
    return ids


def pages(server: RunningServer, space: str, **query: str | int) -> list[Json]:
    """All pages of a list; between two of them somebody writes, and sometimes deletes."""
    answers: list[Json] = []
    late: list[str] = []
    cursor: dict[str, str] = {}
    while not answers or answers[-1]["next_cursor"] is not None:
        answer = server.get("/v1/memories", namespace=space, **query, **cursor)
        assert answer.status_code == 200, answer.text
        answers.append(answer.json())
        cursor = {"cursor": answers[-1]["next_cursor"]}
        late.append(server.store(f"Written between pages {uuid.uuid4()}", namespace=space)["id"])
        if len(answers) % 2:
            server.http.delete(f"/v1/memories/{late.pop()}")
    for memory_id in late:
        server.http.delete(f"/v1/memories/{memory_id}")
    return answers


def test_case_36_every_memory_of_a_long_list_comes_once_however_it_is_written_to(
    server: RunningServer, many: tuple[str, list[str]]
) -> None:
    space, ids = many

    answers = pages(server, space, limit=200)

    listed = [memory["id"] for answer in answers for memory in answer["memories"]]
    assert listed == ids[::-1]
    assert answers[0]["total"] == MANY
    assert max(len(answer["memories"]) for answer in answers) == 200


def test_case_36_a_filtered_list_is_complete_too(server: RunningServer) -> None:
    space = namespace()
    ids = fill(server, space, 120)

    answers = pages(server, space, limit=7, tag="t1")

    listed = [memory["id"] for answer in answers for memory in answer["memories"]]
    assert listed == ids[1::2][::-1]
    assert answers[0]["total"] == 60


def test_case_36_the_command_line_lists_all_of_them_and_says_when_it_does_not(
    server: RunningServer, many: tuple[str, list[str]]
) -> None:
    space, ids = many

    everything = omoide("list", "--namespace", space, "--all", "--json", data=server.data)
    some = omoide("list", "--namespace", space, "--limit", "300", "--json", data=server.data)

    assert [json.loads(line)["id"] for line in everything.stdout.splitlines()] == ids[::-1]
    assert [json.loads(line)["id"] for line in some.stdout.splitlines()] == ids[:-301:-1]
    assert everything.stderr == ""
    assert f"300 of {MANY:,}" in some.stderr


def test_case_36_a_search_is_not_capped_at_twenty(
    server: RunningServer, many: tuple[str, list[str]]
) -> None:
    space, _ = many

    assert server.search("entry", namespace=space, top_k=100)["total"] == 100


@pytest.mark.parametrize(
    "template", ["/users/{actorId}/facts", "users/${userId}/facts", "team/{{ name }}"]
)
def test_case_39_an_unfilled_template_is_refused_not_answered_with_nothing(
    server: RunningServer, template: str
) -> None:
    answers = [
        server.get("/v1/memories", namespace=template),
        server.get("/v1/memories/count", namespace=template),
        server.post("/v1/memories/search", {"query": "facts", "namespace": template}),
        server.post("/v1/memories", {"content": "fact", "namespace": template}),
    ]

    assert [answer.status_code for answer in answers] == [422] * 4
    for answer in answers:
        assert answer.json()["error"]["details"][0]["field"] == "namespace"
    batch = {"memories": [{"content": "fact", "namespace": template}]}
    item = server.post("/v1/memories/batch", batch).json()["results"][0]
    assert item["error"]["details"][0]["field"] == "namespace"
