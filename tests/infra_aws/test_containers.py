"""The rules that every container file keeps, and the two containers that belong together."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

from omoide.settings import Settings
from tests.infra_aws.container_file import (
    DOCKERFILE,
    ROOT,
    SERVER_DOCKERFILE,
    copied,
    exec_form,
    instructions,
    last_stage,
    variables,
)

FILES = (DOCKERFILE, SERVER_DOCKERFILE)
KNOWN = {
    *("FROM", "COPY", "RUN", "WORKDIR", "ENV", "USER", "VOLUME", "EXPOSE"),
    *("HEALTHCHECK", "STOPSIGNAL", "ENTRYPOINT", "CMD"),
}
START_S = 60.0

every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)


@every_file
def test_it_does_not_run_as_root(file: Path) -> None:
    users = [one.text for one in last_stage(file) if one.name == "USER"]

    assert len(users) == 1
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", users[0])


@every_file
def test_images_have_a_version_and_only_locked_packages_are_downloaded(file: Path) -> None:
    for one in instructions(file):
        assert one.name in KNOWN
        if one.name == "FROM":
            assert re.match(r"python:3\.\d+-slim(\s|$)", one.text)
        if one.name == "RUN":
            assert not re.search(r"curl|wget|apt|sudo|\bcd\b|[|;]", one.text)
        if "pip install" in one.text:
            assert "--require-hashes" in one.text
            assert "--no-cache-dir" in one.text


@every_file
def test_commands_are_lists_and_places_are_absolute(file: Path) -> None:
    for one in instructions(file):
        if one.name in {"ENTRYPOINT", "CMD"}:
            assert one.text.startswith("[")
        if one.name in {"WORKDIR", "VOLUME"}:
            assert one.text.startswith("/")
        if one.name == "COPY":
            assert one.text.split()[-1].startswith("/")
    for name in ("ENTRYPOINT", "HEALTHCHECK", "STOPSIGNAL", "USER"):
        assert [one.name for one in last_stage(file)].count(name) == 1


@every_file
def test_nothing_secret_is_in_an_image(file: Path) -> None:
    names = " ".join(variables(file))

    assert not re.search(r"KEY|SECRET|TOKEN|PASSWORD", names)
    assert not any(".." in path or path in {".", "/"} for path in copied(file))


def compose() -> dict[str, Any]:
    file = ROOT / "infra" / "local" / "compose.yaml"
    return cast("dict[str, Any]", yaml.safe_load(file.read_text(encoding="utf-8")))


def test_server_and_gateway_are_reached_from_this_machine_alone_and_have_no_rights() -> None:
    services = compose()["services"]

    for service, port in (("server", 8000), ("gateway", 8001)):
        one = services[service]
        assert one["ports"] == [f"127.0.0.1:{port}:{port}"]
        assert one["read_only"] is True
        assert one["cap_drop"] == ["ALL"]
        assert one["security_opt"] == ["no-new-privileges:true"]
        assert (ROOT / one["build"]["dockerfile"]).is_file()
    assert services["gateway"]["environment"]["OMOIDE_URL"] == "http://server:8000"
    assert services["gateway"]["depends_on"] == {"server": {"condition": "service_healthy"}}
    (volume,) = services["server"]["volumes"]
    name, _, place = volume.partition(":")
    assert name in compose()["volumes"]
    assert variables(SERVER_DOCKERFILE)["OMOIDE_DATA"] == place


def test_the_build_is_sent_what_is_copied_and_one_model() -> None:
    ignore = ROOT / "infra" / "local" / "Dockerfile.dockerignore"
    lines = ignore.read_text(encoding="utf-8").split()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}
    model = f"layers/embedding/.build/{Settings.load({}).model}"

    assert lines[0] == "*"
    assert sent == {*copied(SERVER_DOCKERFILE), model}
    assert lines.index("layers/embedding/.build") < lines.index(f"!{model}")


@pytest.fixture
def image(tmp_path: Path) -> Iterator[Path]:
    """What the image holds below ``/srv``, and an empty ``/data``."""
    ignored = shutil.ignore_patterns("__pycache__", ".build", "node_modules")
    for path in copied(SERVER_DOCKERFILE):
        if (ROOT / path).is_dir():
            shutil.copytree(ROOT / path, tmp_path / "srv" / path, ignore=ignored)
    models = Path("layers", "embedding", ".build")
    (tmp_path / "srv" / models).symlink_to(ROOT / models)
    (tmp_path / "data").mkdir(mode=0o700)
    yield tmp_path


def command(image: Path, *arguments: str) -> tuple[list[str], dict[str, str]]:
    """A command of the image: this environment's packages, the image's own code."""
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    inside = variables(SERVER_DOCKERFILE)
    roots = [str(image) + root for root in inside["PYTHONPATH"].split(":")]
    places = {"PYTHONPATH": os.pathsep.join([*roots, packages]), "OMOIDE_DATA": str(image / "data")}
    entry = [sys.executable, "-S", *exec_form("ENTRYPOINT", SERVER_DOCKERFILE)[1:]]
    return [*entry, *arguments], {**inside, **places, "HOME": "/nowhere"}


@pytest.mark.integration
def test_the_server_runs_from_what_the_image_holds_and_wants_a_key(image: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = str(probe.getsockname()[1])
    start = [port if one == "8000" else one for one in exec_form("CMD", SERVER_DOCKERFILE)]
    start[start.index("0.0.0.0")] = "127.0.0.1"
    check = [sys.executable, *exec_form("HEALTHCHECK", SERVER_DOCKERFILE)[1:]]
    check[-1] = check[-1].replace(":8000/", f":{port}/")

    make, environment = command(image, "keys", "create", "--admin")
    made = subprocess.run(make, cwd=image / "srv", env=environment, capture_output=True, text=True)
    serve, _ = command(image, *start)
    with subprocess.Popen(serve, cwd=image / "srv", env=environment) as process:
        deadline = time.monotonic() + START_S
        while subprocess.run(check, capture_output=True, check=False).returncode:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.2)
        process.terminate()
        code = process.wait(START_S)

    assert "omo_" in made.stdout, made.stderr
    assert code in {0, -15}
    assert not list((image / "srv").rglob("__pycache__"))
