"""How the emulator is set up, without starting one."""

import socket
from pathlib import Path

import pytest

from infra.local.emulate import localstack_url, main
from infra.local.emulated_stack import api_url
from infra.local.emulator import EmulatorError, access_to, start_emulator


def test_aws_programs_are_pointed_at_the_emulator_and_at_nothing_else() -> None:
    variables = access_to("http://127.0.0.1:4566")

    assert variables["AWS_ENDPOINT_URL"] == "http://127.0.0.1:4566"
    assert all(name.startswith("AWS_") for name in variables)


def test_a_port_that_is_taken_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infra.local.emulator.install_emulator", lambda: tmp_path / "none")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = int(taken.getsockname()[1])

        with pytest.raises(EmulatorError, match=f"port {port} is taken"):
            start_emulator(tmp_path, port=port, enforces_iam=False)


def test_the_api_is_addressed_by_its_id() -> None:
    url = api_url("http://127.0.0.1:4566", "abc")

    assert url == "http://127.0.0.1:4566/_aws/execute-api/abc/live"


def test_a_localstack_is_where_its_variable_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("LOCALSTACK_HOST", "localstack.example:4566")

    assert localstack_url() == "http://localstack.example:4566"


def test_an_emulator_that_is_not_known_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EMULATOR", "moto")

    assert main(["--search", "exact"]) == 1
    assert "ministack or localstack" in capsys.readouterr().err
