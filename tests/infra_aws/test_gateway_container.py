"""The container of the MCP gateway, as far as it can be read."""

import re
from typing import Any, cast

import yaml

from mcp_gateway.settings import parse_settings
from tests.infra_aws.container_file import ROOT, copied, exec_form, variables

LOCK = ROOT / "requirements" / "gateway.txt"


def compose() -> dict[str, Any]:
    file = ROOT / "mcp_gateway" / "compose.yaml"
    return cast("dict[str, Any]", yaml.safe_load(file.read_text(encoding="utf-8")))["services"]


def test_what_it_copies_is_there_and_sent_to_the_build() -> None:
    sent = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }

    assert copied()
    assert set(copied()) == sent
    assert all((ROOT / path).exists() for path in copied())


def test_it_tells_whether_it_is_well() -> None:
    assert "http://127.0.0.1:8001/health" in exec_form("HEALTHCHECK")[-1]
    assert exec_form("ENTRYPOINT") == ["python", "-m", "mcp_gateway"]


def test_its_variables_are_those_of_the_gateway_and_every_caller_brings_a_key() -> None:
    settings = parse_settings([], variables() | {"OMOIDE_URL": "https://api.example.com/live"})

    assert (settings.host, settings.port) == ("0.0.0.0", 8001)
    assert settings.url == "https://api.example.com/live"
    assert settings.key is None


def test_its_lock_holds_what_it_imports_with_hashes_and_no_address() -> None:
    text = LOCK.read_text(encoding="utf-8")
    run = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    pins = re.findall(r"^([a-z0-9-]+==\S+)", text, re.MULTILINE)

    assert {"mcp", "httpx", "pydantic", "starlette", "uvicorn"} <= {p.split("==")[0] for p in pins}
    assert all(re.search(rf"^{re.escape(pin)}(\s|$)", run, re.MULTILINE) for pin in pins)
    assert text.count("--hash=sha256:") >= len(pins)
    assert "://" not in text


def test_under_compose_its_root_is_read_only_and_it_has_no_rights() -> None:
    gateway = compose()["gateway"]

    assert gateway["read_only"] is True
    assert gateway["cap_drop"] == ["ALL"]
    assert gateway["security_opt"] == ["no-new-privileges:true"]
    assert gateway["ports"] == ["127.0.0.1:8001:8001"]
    assert gateway["build"] == {"context": "..", "dockerfile": "mcp_gateway/Dockerfile"}
