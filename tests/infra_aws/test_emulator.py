"""How the emulator is set up, without starting one."""

import json
import socket
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.local import emulate, emulated_stack
from infra.local.emulate import localstack_url, main
from infra.local.emulated_stack import EmulatedStack, api_url
from infra.local.emulator import EmulatorError, access_to, start_emulator

COMPOSE = Path(emulate.__file__).with_name("localstack.compose.yaml")
CDK = """
import json, os, sys
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps([sys.argv[1:], os.environ["AWS_ENDPOINT_URL"]]) + "\\n")
if "--outputs-file" in sys.argv:
    with open(sys.argv[sys.argv.index("--outputs-file") + 1], "w") as outputs:
        json.dump({"Omoide": {"TableName": "memories", "ApiId": "abc"}}, outputs)
"""


class Healthy(BaseHTTPRequestHandler):
    """Answers as a LocalStack that runs."""

    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/_localstack/health" else 404)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Say nothing."""


@pytest.fixture
def localstack(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where something answers that EMULATOR and LOCALSTACK_HOST name."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        address = f"127.0.0.1:{server.server_port}"
        monkeypatch.setenv("EMULATOR", "localstack")
        monkeypatch.setenv("LOCALSTACK_HOST", address)
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://{address}"
        server.shutdown()
        thread.join()


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


def test_a_localstack_that_does_not_answer_is_told_before_anything_starts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    monkeypatch.setenv("EMULATOR", "localstack")
    monkeypatch.setenv("PATH", "")
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = f"127.0.0.1:{closed.getsockname()[1]}"
    monkeypatch.setenv("LOCALSTACK_HOST", address)

    assert main([]) == 1

    told = capsys.readouterr().err
    assert f"no LocalStack answers at http://{address}" in told
    assert "LOCALSTACK_HOST" in told


def test_a_command_against_localstack_is_given_its_address_and_no_process_to_kill(
    localstack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, told = tmp_path / "calls", tmp_path / "told"
    monkeypatch.setenv("CALLS", str(calls))
    program = tmp_path / "cdk"
    program.write_text(f"#!{sys.executable}\n{CDK}", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(emulated_stack, "install_cdk", lambda: str(program))
    monkeypatch.setattr(emulated_stack, "make_admin_key", lambda _: "omo_key")  # pyright: ignore[reportUnknownLambdaType, reportUnknownArgumentType]
    tell = f"import json, os; json.dump(dict(os.environ), open({str(told)!r}, 'w'))"

    assert main(["--search", "exact", "--", sys.executable, "-c", tell]) == 0

    bootstrap, deploy = map(json.loads, calls.read_text(encoding="utf-8").splitlines())
    assert (bootstrap[0][0], deploy[0][:2]) == ("bootstrap", ["deploy", "Omoide"])
    assert bootstrap[1] == deploy[1] == localstack
    assert "search=exact" in deploy[0]
    given: dict[str, str] = json.loads(told.read_text(encoding="utf-8"))
    assert given["AWS_ENDPOINT_URL"] == localstack
    assert given["OMOIDE_URL"] == f"{localstack}/_aws/execute-api/abc/live"
    assert (given["OMOIDE_TABLE"], given["OMOIDE_KEY"]) == ("memories", "omo_key")
    assert emulate.PID_VARIABLE not in given


def test_a_command_is_given_what_it_may_kill(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = "http://127.0.0.1:9200"
    stack = EmulatedStack(
        url="http://api", table="memories", key="omo_key", emulator_url="http://aws", emulator_pid=7
    )
    monkeypatch.delenv(emulate.URL_VARIABLE, raising=False)
    ours = emulate.variables(stack, url, tmp_path)
    monkeypatch.setenv(emulate.URL_VARIABLE, url)
    of_another = emulate.variables(stack, url, tmp_path)

    assert (ours[emulate.PID_VARIABLE], ours[emulate.STATE_VARIABLE]) == ("7", str(tmp_path))
    assert Path(ours[emulate.HOME_VARIABLE]).parent == tmp_path
    assert emulate.HOME_VARIABLE not in of_another
    assert of_another[emulate.URL_VARIABLE] == url


def test_the_compose_file_starts_the_localstack_that_the_command_expects() -> None:
    service: dict[str, Any] = yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]
    localstack = service["localstack"]

    assert localstack["ports"] == ["127.0.0.1:4566:4566"]
    assert localstack["image"] == "localstack/localstack:4.14.0"
    needed = {"apigateway", "cloudformation", "dynamodb", "dynamodbstreams", "events", "lambda"}
    assert needed | {"iam", "logs", "s3", "sqs", "ssm", "sts"} == set(
        localstack["environment"]["SERVICES"].split(",")
    )
