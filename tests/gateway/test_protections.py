"""Which HTTP requests are served, by their headers."""

import pytest
from starlette.datastructures import Headers

from mcp_gateway.protections import Protections

JSON = {"content-type": "application/json"}


def code_of(protections: Protections, **headers: str) -> tuple[int, str] | None:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    refusal = protections.refusal_of("POST", Headers(JSON | named))
    return None if refusal is None else (refusal.status, refusal.field)


def test_on_loopback_a_request_needs_a_loopback_name_with_our_port() -> None:
    protections = Protections.for_address(8001)

    assert code_of(protections, host="localhost:8001") is None
    assert code_of(protections, host="127.0.0.1:8002") == (403, "Host")
    assert code_of(protections, host="localhost:8001.evil.test") == (403, "Host")
    assert code_of(protections) == (403, "Host")


def test_the_default_port_need_not_be_named() -> None:
    assert code_of(Protections.for_address(80), host="localhost") is None


def test_names_and_origins_can_be_added() -> None:
    protections = Protections.for_address(
        8001, more_hosts=["memory.lan"], more_origins=["https://app.lan"]
    )

    assert code_of(protections, host="memory.lan", origin="https://app.lan") is None
    assert code_of(protections, host="localhost:8001", origin="https://app.lan") is None
    assert code_of(protections, host="other.lan") == (403, "Host")


def test_an_address_others_reach_takes_any_name_but_needs_a_key() -> None:
    protections = Protections.for_address(8001, is_loopback=False)

    assert code_of(protections, host="10.0.0.7:8001") == (401, "Authorization")
    assert code_of(protections, host="10.0.0.7:8001", authorization="Bearer omo_a") is None
    assert code_of(
        protections, host="10.0.0.7:8001", authorization="Bearer omo_a", origin="http://evil.test"
    ) == (403, "Origin")


def test_named_hosts_are_the_only_ones_of_an_address_others_reach() -> None:
    protections = Protections.for_address(8001, is_loopback=False, more_hosts=["memory.lan"])

    assert code_of(protections, host="memory.lan", authorization="Bearer omo_a") is None
    assert code_of(protections, host="10.0.0.7:8001", authorization="Bearer omo_a") == (403, "Host")


@pytest.mark.parametrize("length", ["4194305", "99999999999999999999"])
def test_a_body_announced_too_large_is_not_read(length: str) -> None:
    refused = code_of(Protections.for_address(8001), host="localhost:8001", content_length=length)

    assert refused == (413, "body")


@pytest.mark.parametrize("name", ["host", "origin", "authorization", "content-type"])
def test_a_field_that_decides_and_is_given_twice_is_refused(name: str) -> None:
    twice = [(name.encode(), b"localhost:8001")] * 2
    refusal = Protections.for_address(8001).refusal_of("POST", Headers(raw=twice))

    assert refusal is not None
    assert (refusal.status, refusal.field) == (400, name.title())
