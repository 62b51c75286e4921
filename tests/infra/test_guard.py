"""What a server on the loopback interface refuses before it reads a request."""

import pytest

from infra.local.guard import Guard, body_limit, is_loopback, require_single
from omoide.api.errors import MalformedHeaderError, UnsupportedMediaTypeError
from omoide.domain.errors import ForbiddenError, OmoideError

GUARD = Guard(port=8000, is_loopback=True)


def refused_field(error: OmoideError) -> str:
    return error.details[0].field


@pytest.mark.parametrize(
    "host", ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "LocalHost:8000"]
)
def test_loopback_names_with_our_port_are_taken(host: str):
    GUARD.check({"host": host}, has_body=False)


@pytest.mark.parametrize(
    "host",
    ["evil.example:8000", "localhost", "localhost:8001", "127.0.0.1.evil.example:8000", "", "::1"],
)
def test_a_foreign_host_is_refused_by_name(host: str):
    with pytest.raises(ForbiddenError) as caught:
        GUARD.check({"host": host}, has_body=False)

    assert refused_field(caught.value) == "Host"


def test_the_default_port_may_be_left_out():
    Guard(port=80, is_loopback=True).check({"host": "localhost"}, has_body=False)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "https://evil.example",
        "http://localhost:3000",
        "http://127.0.0.1:8000.evil.example",
        "file://localhost:8000",
        "http://[::1",
        "",
    ],
)
def test_a_foreign_origin_is_refused_by_name(origin: str):
    with pytest.raises(ForbiddenError) as caught:
        GUARD.check({"host": "localhost:8000", "origin": origin}, has_body=False)

    assert refused_field(caught.value) == "Origin"


def test_our_own_pages_may_send_requests():
    GUARD.check({"host": "localhost:8000", "origin": "http://127.0.0.1:8000"}, has_body=False)


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_body_that_a_form_could_send_is_refused(kind: str):
    with pytest.raises(UnsupportedMediaTypeError) as caught:
        GUARD.check({"host": "localhost:8000", "content-type": kind}, has_body=True)

    assert refused_field(caught.value) == "Content-Type"


@pytest.mark.parametrize("kind", ["application/json", "Application/JSON; charset=utf-8"])
def test_json_bodies_are_taken(kind: str):
    GUARD.check({"host": "localhost:8000", "content-type": kind}, has_body=True)


def test_a_server_for_other_machines_takes_its_own_names_but_no_foreign_origin():
    guard = Guard(port=8000, is_loopback=False)

    guard.check({"host": "memory.lan:8000", "origin": "http://memory.lan:8000"}, has_body=False)

    with pytest.raises(ForbiddenError):
        guard.check({"host": "memory.lan:8000", "origin": "http://evil.example"}, has_body=False)


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", True),
        ("127.8.0.1", True),
        ("localhost", True),
        ("::1", True),
        ("[::1]", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.4", False),
        ("memory.lan", False),
    ],
)
def test_which_addresses_only_this_machine_reaches(host: str, expected: bool):
    assert is_loopback(host) is expected


def test_batches_and_uploads_may_be_larger():
    assert body_limit("store_memory", {}) == 1 << 20
    assert body_limit("store_memories", {}) == 4 << 20
    assert body_limit("", {"content-type": "multipart/form-data; boundary=x"}) == 4 << 20


@pytest.mark.parametrize("name", ["host", "origin", "authorization", "content-type"])
def test_a_field_that_decides_and_is_given_twice_is_refused_by_name(name: str):
    with pytest.raises(MalformedHeaderError) as caught:
        require_single([(name, "a"), ("accept", "x"), ("accept", "y"), (name, "a")])

    assert refused_field(caught.value) == name.title()
