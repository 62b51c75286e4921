"""Flags, environment variables and defaults of the gateway's command line."""

import subprocess
import sys

import pytest

from mcp_gateway.settings import parse_settings


def test_the_defaults_are_those_of_a_laptop() -> None:
    settings = parse_settings([], {})

    assert (settings.transport, settings.host, settings.port) == ("http", "127.0.0.1", 8001)
    assert settings.url == "http://127.0.0.1:8000"
    assert settings.key is None
    assert settings.toolsets == ("core",)
    assert settings.is_loopback


def test_flags_win_over_the_environment() -> None:
    environ = {
        "OMOIDE_URL": "http://one:1/",
        "OMOIDE_KEY": "omo_a",
        "OMOIDE_MCP_TOOLSETS": "compat-memex",
        "OMOIDE_MCP_PORT": "9",
        "OMOIDE_MCP_ALLOWED_HOSTS": "a.test, b.test:8",
    }

    from_environment = parse_settings([], environ)
    from_flags = parse_settings(
        ["--url", "https://two", "--key", "omo_b", "--toolsets", "core", "--port", "0"], environ
    )

    assert from_environment.url == "http://one:1"
    assert from_environment.key == "omo_a"
    assert from_environment.toolsets == ("compat-memex",)
    assert from_environment.port == 9
    assert from_environment.allowed_hosts == ("a.test", "b.test:8")
    assert from_flags.url == "https://two"
    assert from_flags.key == "omo_b"
    assert from_flags.toolsets == ("core",)
    assert from_flags.port == 0


@pytest.mark.parametrize(
    ("arguments", "environ", "named"),
    [
        (["--port", "70000"], {}, "--port"),
        (["--url", "ftp://x"], {}, "--url"),
        (["--toolsets", "core,x"], {}, "compat-memex, core"),
        ([], {"OMOIDE_MCP_TOOLSETS": "x"}, "--toolsets"),
        ([], {"OMOIDE_MCP_PORT": "x"}, "--port"),
        (["--transport", "sse"], {}, "--transport"),
        (["--host", "0.0.0.0", "--key", "omo_a"], {}, "OMOIDE_KEY"),
    ],
)
def test_a_wrong_setting_ends_the_start_and_is_named(
    arguments: list[str],
    environ: dict[str, str],
    named: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as caught:
        parse_settings(arguments, environ)

    assert caught.value.code == 2
    assert named in capsys.readouterr().err


def test_a_key_is_not_shown_in_a_representation() -> None:
    assert "omo_secret" not in repr(parse_settings(["--key", "omo_secret"], {}))


def test_help_names_every_flag_and_variable() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "mcp_gateway", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout

    for name in ("--transport", "--host", "--port", "--url", "--key", "--toolsets"):
        assert name in shown
    for name in ("OMOIDE_URL", "OMOIDE_KEY", "OMOIDE_MCP_TOOLSETS"):
        assert name in shown
