"""The steps of the gateway's Dockerfile, done without an engine."""

import os
import re
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from infra.local.lambdas.unpacked import host_target, interpreter, obey_modes, set_writable
from infra.packaging.build import BUILD_FOLDER
from infra.packaging.lock import locked_requirements
from infra.packaging.target import PackagingError, Target
from infra.packaging.wheels import install_wheels
from tests.infra_aws.container_file import ROOT, exec_form, variables

START_S = 60.0


def locked_names(target: Target) -> list[str]:
    """The packages of the gateway's lock that this machine takes."""
    text = (ROOT / "requirements" / "gateway.txt").read_text(encoding="utf-8")
    names: list[str] = []
    for name in re.findall(r"^([a-z0-9-]+)==", text, re.MULTILINE):
        try:
            locked_requirements([name], target, lock=text)
        except PackagingError:
            continue
        names.append(name)
    return names


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """What the image holds: `/opt/gateway` and `/srv`, not to be written to."""
    target = host_target()
    packages = BUILD_FOLDER / str(target) / "gateway"
    install_wheels(locked_names(target), packages, target)
    root = tmp_path_factory.mktemp("image")
    copytree(packages / "python", root / "packages")
    ignored = ignore_patterns("__pycache__")
    copytree(ROOT / "mcp_gateway", root / "srv" / "mcp_gateway", ignore=ignored)
    set_writable(root, is_writable=False)
    yield root
    set_writable(root, is_writable=True)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def test_it_starts_is_well_and_stops_with_what_the_image_holds(image: Path) -> None:
    port = str(free_port())
    path = os.pathsep.join([str(image / "packages"), str(image / "srv")])
    environment = variables() | {
        "PYTHONPATH": path,
        "OMOIDE_URL": "http://127.0.0.1:9",
        "OMOIDE_MCP_HOST": "127.0.0.1",
        "OMOIDE_MCP_PORT": port,
    }
    start = [interpreter(), "-S", *exec_form("ENTRYPOINT")[1:]]
    check = [interpreter(), "-S", *exec_form("HEALTHCHECK")[1:]]
    check[-1] = check[-1].replace(":8001/", f":{port}/")

    with subprocess.Popen(
        start, cwd=image / "srv", env=environment, preexec_fn=obey_modes
    ) as process:
        deadline = time.monotonic() + START_S
        while (well := subprocess.run(check, capture_output=True, check=False)).returncode:
            assert process.poll() is None
            assert time.monotonic() < deadline, well.stderr.decode()[-500:]
            time.sleep(0.2)
        process.terminate()
        assert process.wait(START_S) in {0, -15}
    assert not list((image / "srv").rglob("__pycache__"))
