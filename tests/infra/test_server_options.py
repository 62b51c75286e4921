"""How a server is set up before it listens."""

import socket
from pathlib import Path

import pytest

from functions import composition
from infra.local.server import PortTakenError, bind, refuse_open_door, threads_per_process
from omoide.domain.errors import InvalidRequestError
from omoide.domain.principal import LOCAL_PRINCIPAL, Scope
from omoide.services.manage_keys import NewKey
from omoide.settings import Settings

ADMIN = NewKey(name="admin", scopes=(Scope.parse("admin:**"),))


@pytest.mark.parametrize(
    ("workers", "cores", "expected"), [(1, 1, 2), (1, 4, 4), (2, 4, 2), (4, 4, 2), (1, 64, 8)]
)
def test_a_process_has_a_thread_for_each_core_it_can_hope_for(
    workers: int, cores: int, expected: int
):
    assert threads_per_process(workers, cores) == expected


def test_a_free_port_is_taken_and_a_taken_one_is_refused_with_a_way_out():
    with bind("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]

        with pytest.raises(PortTakenError, match=f"port {port} .*--port {port + 10}"):
            bind("127.0.0.1", port)


def test_ipv6_loopback_can_be_bound_to():
    with bind("[::1]", 0) as listener:
        assert listener.family == socket.AF_INET6


def test_a_loopback_address_needs_no_key():
    refuse_open_door(Settings.load({}, host="127.0.0.1"))


def test_another_address_needs_require_key():
    with pytest.raises(InvalidRequestError, match="--require-key"):
        refuse_open_door(Settings.load({}, host="0.0.0.0"))


def test_another_address_needs_a_key_that_is_not_revoked(tmp_path: Path):
    settings = Settings.load({}, data=tmp_path / "data", host="0.0.0.0", require_key=True)
    with pytest.raises(InvalidRequestError, match="omoide keys create"):
        refuse_open_door(settings)
    composition.configure(settings)
    made = composition.create_key()(LOCAL_PRINCIPAL, ADMIN)

    refuse_open_door(settings)

    composition.revoke_key()(LOCAL_PRINCIPAL, made.key.key_id)
    with pytest.raises(InvalidRequestError, match="omoide keys create"):
        refuse_open_door(settings)
