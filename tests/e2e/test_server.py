"""The server over real sockets."""

import json
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.e2e.running_server import (
    RunningServer,
    create_key,
    omoide,
    running_server,
)
from tests.e2e.started_server import WAIT_S, Started, wait_until

SECRET_WORD = "タンポポ"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    """Starts servers on one data folder; stops those that still run."""
    servers: list[Started] = []

    def begin(*arguments: str) -> Started:
        servers.append(Started(tmp_path / "data", *arguments))
        return servers[-1]

    yield begin
    for server in servers:
        if server.process.poll() is None:
            server.stop(signal.SIGTERM)


def test_a_memory_is_stored_found_in_japanese_shown_and_deleted(server: RunningServer):
    stored = server.store("明日の会議は三階の会議室で十時から始まります。")
    server.store("The cat sleeps on the red sofa.")

    found = server.search("ミーティングはどこで行われますか")["results"][0]
    shown = server.get(f"/v1/memories/{stored['id']}")
    deleted = server.http.delete(f"/v1/memories/{stored['id']}")
    gone = server.get(f"/v1/memories/{stored['id']}")

    assert found["id"] == stored["id"]
    assert shown.json()["content"] == stored["content"]
    assert deleted.status_code == 204
    assert deleted.content == b""
    assert gone.status_code == 404


def test_the_service_tells_its_name_its_documentation_and_its_health(server: RunningServer):
    assert server.get("/").json()["docs"] == "/docs"
    assert server.get("/health").status_code == 200
    assert "html" in server.get("/docs").headers["content-type"]
    assert server.get("/openapi.json").json()["openapi"].startswith("3.")


def test_every_answer_has_a_request_id_and_no_cors_header(server: RunningServer):
    for path in ("/health", "/nowhere", "/v1/memories"):
        headers = server.get(path).headers

        assert headers["x-request-id"]
        assert len(headers.get_list("x-request-id")) == 1
        assert not [name for name in headers if name.startswith("access-control")]


def test_an_unknown_path_and_a_wrong_method_have_the_error_shape(server: RunningServer):
    unknown = server.get("/v1/nothing")
    wrong = server.http.put("/v1/memories/search", json={})

    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "NOT_FOUND")
    assert (wrong.status_code, wrong.headers["allow"]) == (405, "POST")
    assert wrong.json()["error"]["code"] == "METHOD_NOT_ALLOWED"


def test_a_streamed_body_of_ten_megabytes_is_refused_and_the_connection_lives_on(
    server: RunningServer,
):
    def ten_megabytes() -> Iterator[bytes]:
        for _ in range(160):
            yield b"a" * 65_536

    refused = server.http.post(
        "/v1/memories", content=ten_megabytes(), headers={"Content-Type": "application/json"}
    )

    assert refused.status_code == 413
    assert refused.json()["error"]["code"] == "PAYLOAD_TOO_LARGE"
    assert server.get("/health").status_code == 200


def test_metrics_count_requests_embeddings_memories_and_results(server: RunningServer):
    server.store(f"{SECRET_WORD} が咲いた")
    server.search(f"{SECRET_WORD} はどこ")
    server.search(f"{SECRET_WORD} はどこ")

    text = server.get("/metrics").text

    assert 'omoide_http_requests_total{operation="store_memory",status="201"}' in text
    assert 'omoide_http_request_seconds_bucket{le="0.001",operation="search_memories"}' in text
    assert 'omoide_embedding_seconds_bucket{kind="query",le="0.001"}' in text
    assert 'omoide_embedding_seconds_count{kind="passage"}' in text
    assert 'omoide_embedding_cache_total{result="hit"}' in text
    assert "omoide_memories_stored_total" in text
    assert "omoide_search_results_count" in text
    assert SECRET_WORD not in text


def test_two_workers_share_a_folder_and_their_metrics(tmp_path: Path):
    with running_server(tmp_path / "data", "--workers", "2") as server:
        urls = [f"{server.base_url}/v1/memories"] * 40

        def store(number: int, url: str) -> int:
            body = {"content": f"number {number} of the workers' test"}
            return httpx.post(url, json=body, trust_env=False, timeout=60).status_code

        with ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(store, range(40), urls))
        counted = server.get("/v1/memories/count").json()["count"]
        metrics = server.get("/metrics").text

    assert statuses == [201] * 40
    assert counted == 40
    assert 'omoide_http_requests_total{operation="store_memory",status="201"} 40.0' in metrics
    assert "omoide_memories_stored_total 40.0" in metrics


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_signal_lets_requests_in_flight_finish(
    start: Callable[..., Started], number: int, workers: str
):
    server = start("--workers", workers).until_ready()
    texts = [{"content": f"{n}: " + "long enough to take a while " * 60} for n in range(8)]
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        body = json.dumps({"memories": texts}).encode()
        connection.sendall(
            b"POST /v1/memories/batch HTTP/1.1\r\n"
            + f"Host: 127.0.0.1:{server.port}\r\n".encode()
            + f"Content-Length: {len(body)}\r\nContent-Type: application/json\r\n\r\n".encode()
            + body
        )
        stopped: list[tuple[int, str]] = []
        stopper = threading.Timer(0.3, lambda: stopped.append(server.stop(number)))
        stopper.start()
        answer = b""
        while chunk := connection.recv(65_536):
            answer += chunk
        stopper.join(WAIT_S)

    assert answer.startswith(b"HTTP/1.1 200"), answer[:200]
    assert b'"stored":8' in answer.replace(b" ", b"")
    assert stopped[0][0] == 0, stopped[0][1]
    assert "Traceback" not in stopped[0][1]


def test_nothing_acknowledged_is_lost_when_the_server_is_killed(start: Callable[..., Started]):
    first = start("--workers", "2").until_ready()
    stored = [first.store(f"killed number {number}") for number in range(5)]
    first.stop(signal.SIGKILL)
    wait_until(lambda: first.status("/health") == 0)

    second = start().until_ready()

    for memory_id in stored:
        assert second.status(f"/v1/memories/{memory_id}") == 200
    found = httpx.post(
        f"{second.url}/v1/memories/search", json={"query": "killed number"}, trust_env=False
    )
    assert {one["id"] for one in found.json()["results"]} == set(stored)


def test_the_access_log_has_routes_but_neither_texts_nor_queries_nor_ids(
    start: Callable[..., Started],
):
    server = start("--log-format", "json").until_ready()
    memory_id = server.store(f"{SECRET_WORD} is secret")
    server.status(f"/v1/memories/{memory_id}")
    server.status("/v1/memories?tag=secretquery")
    server.status("/secretpath")

    _, logged = server.stop(signal.SIGTERM)
    lines = [json.loads(line) for line in logged.splitlines()]
    routes = {(line["method"], line["route"], line["status"]) for line in lines if "route" in line}

    assert ("POST", "/v1/memories", 201) in routes
    assert ("GET", "/v1/memories/{memory_id}", 200) in routes
    assert ("GET", "/v1/memories", 200) in routes
    assert ("GET", "(no such path)", 404) in routes
    for secret in (SECRET_WORD, "secretquery", "secretpath", memory_id):
        assert secret not in logged


def test_a_taken_port_is_told_with_what_to_do(start: Callable[..., Started], tmp_path: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        done = omoide("serve", "--port", str(port), data=tmp_path / "data")

    assert done.returncode == 1
    assert f"port {port}" in done.stderr
    assert "--port" in done.stderr
    assert "Traceback" not in done.stderr


def test_other_machines_are_not_served_without_keys(tmp_path: Path):
    open_door = omoide("serve", "--host", "0.0.0.0", "--port", "0", data=tmp_path / "data")
    no_key = omoide(
        "serve", "--host", "0.0.0.0", "--port", "0", "--require-key", data=tmp_path / "data"
    )

    assert open_door.returncode == 1
    assert "--require-key" in open_door.stderr
    assert no_key.returncode == 1
    assert "omoide keys create --admin" in no_key.stderr


def test_with_require_key_only_health_and_documentation_are_open(tmp_path: Path):
    data = tmp_path / "data"
    admin = create_key(data, "admin:**")
    reader = create_key(data, "read:team/a/**", namespace="team/a")
    with running_server(data, "--require-key") as server:
        for path in ("/", "/health", "/health/ready", "/docs", "/openapi.json"):
            assert server.get(path).status_code == 200, path
        for path in ("/v1/memories", "/metrics", "/v1/keys"):
            refused = server.get(path)
            assert refused.status_code == 401, path
            assert refused.headers["www-authenticate"] == "Bearer"

        assert server.get("/metrics", admin).status_code == 200
        assert server.get("/metrics", reader).status_code == 403
        assert server.get("/v1/memories", reader).status_code == 200
        assert server.get("/v1/memories", "omo_wrong_key").status_code == 401


def test_a_key_that_is_sent_is_checked_also_where_none_is_required(server: RunningServer):
    assert server.get("/v1/memories", "omo_wrong_key").status_code == 401
    assert (
        server.http.get("/v1/memories", headers={"Authorization": "Basic eDp5"}).status_code == 401
    )


def test_the_data_folder_is_for_its_owner_alone(server: RunningServer):
    assert server.data.stat().st_mode & 0o777 == 0o700
