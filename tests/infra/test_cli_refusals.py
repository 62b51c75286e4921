"""What the command line refuses before it asks anybody."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from infra.local.cli import main

Omoide = Callable[..., Result]


@pytest.fixture
def omoide(tmp_path: Path) -> Omoide:
    """Runs a command on a data folder of the test's own."""
    runner = CliRunner(env={"OMOIDE_DATA": str(tmp_path / "data")})

    def run(*arguments: str, stdin: str | bytes | None = None) -> Result:
        return runner.invoke(main, arguments, input=stdin, catch_exceptions=False)

    return run


def test_a_server_that_is_not_there_is_told(omoide: Omoide):
    result = omoide("list", "--url", "http://127.0.0.1:1")

    assert result.exit_code == 1
    assert "--url" in result.stderr


def test_a_key_that_no_header_can_carry_is_refused(omoide: Omoide):
    result = omoide("list", "--url", "http://127.0.0.1:9", "--key", "clé")

    assert result.exit_code == 2
    assert "--key" in result.stderr


def test_a_namespace_that_is_not_utf8_is_refused_by_name(omoide: Omoide):
    result = omoide("list", "--namespace", "\udcff")

    assert result.exit_code == 2
    assert "namespace: is not UTF-8" in result.stderr


def test_a_setting_that_does_not_fit_is_told_with_its_name(omoide: Omoide, tmp_path: Path):
    result = CliRunner(env={"OMOIDE_EMBEDDING_CACHE": "many"}).invoke(
        main, ["list", "--data", str(tmp_path)]
    )

    assert result.exit_code == 1
    assert "OMOIDE_EMBEDDING_CACHE" in result.stderr
