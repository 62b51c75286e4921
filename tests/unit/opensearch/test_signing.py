"""Requests to a domain are signed; those to a node on the loopback interface are not."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest
from opensearchpy import OpenSearch

from omoide.adapters.opensearch import connect, connect_in_aws, connect_signed
from omoide.domain.errors import UnavailableError


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    access_key: str = "AKIDEXAMPLE"
    secret_key: str = "not a real key"
    token: str | None = "session"


@contextmanager
def listening() -> Generator[tuple[str, list[dict[str, str]]], None, None]:
    """A server that notes the headers of every request, and its address."""
    heard: list[dict[str, str]] = []

    class Listener(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.append({name.lower(): value for name, value in self.headers.items()})
            self.rfile.read(int(self.headers["content-length"]))
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(b'{"responses": []}')

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None: ...

    server = HTTPServer(("127.0.0.1", 0), Listener)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def search(client: OpenSearch) -> None:
    client.msearch(body=[{"index": "omoide"}, {"size": 0}])
    client.close()


def test_a_request_in_aws_carries_a_signature_of_the_service_and_the_region() -> None:
    with listening() as (url, heard):
        search(connect_signed(url, region="eu-west-1", credentials=Keys()))

    (headers,) = heard
    signature = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\d{8}/eu-west-1/es/aws4_request, "
        r"SignedHeaders=([a-z0-9;-]+), Signature=[0-9a-f]{64}",
        headers["authorization"],
    )
    assert signature is not None
    signed = signature.group(1).split(";")
    assert {"host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"} <= set(signed)
    assert headers["x-amz-security-token"] == "session"
    assert len(headers["x-amz-content-sha256"]) == 64


def test_a_request_on_the_loopback_interface_carries_none() -> None:
    with listening() as (url, heard):
        search(connect(url))

    assert "authorization" not in heard[0]


def test_credentials_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDFROMENV")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "not a real key")
    with listening() as (url, heard):
        search(connect_in_aws(url, region="us-east-1"))

    assert "Credential=AKIDFROMENV/" in heard[0]["authorization"]


def test_without_credentials_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, "/dev/null")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")

    with pytest.raises(UnavailableError, match="credentials"):
        connect_in_aws("https://search.example", region="us-east-1")
