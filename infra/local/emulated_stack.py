"""The stack on an emulator: deployed with the plain CDK command line, then under enforced IAM."""

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from infra.local.emulator import (
    ACCOUNT,
    REGION,
    EmulatorError,
    access_to,
    start_emulator,
)

STACK = "Omoide"

_ROOT = Path(__file__).parents[2]
_CDK_FOLDER = _ROOT / "infra" / "aws"
_ARCHITECTURES = {"aarch64": "arm64", "arm64": "arm64"}
_TAIL = 3_000


@dataclass(frozen=True, slots=True, kw_only=True)
class EmulatedStack:
    """A deployed stack.

    Attributes:
        url: Address of the HTTP API.
        table: Name of the table.
        key: Token of an admin key.
        emulator_url: Where the services of AWS answer.
        emulator_pid: Process of the emulator, whose children are the functions; None when it is
            not ours.
    """

    url: str
    table: str
    key: str
    emulator_url: str
    emulator_pid: int | None = None

    @property
    def environment(self) -> dict[str, str]:
        """Variables with which `omoide` works on its table."""
        return access_to(self.emulator_url) | {"OMOIDE_TABLE": self.table}


@contextmanager
def running_stack(
    folder: Path, *, port: int, opensearch_url: str | None
) -> Generator[EmulatedStack, None, None]:
    """Deploy the stack and keep it running meanwhile, with IAM enforced.

    Args:
        folder: Keeps the state of the emulator.
        port: Where the emulator listens.
        opensearch_url: The index; None searches exactly, without one.

    Raises:
        EmulatorError: The emulator or the deployment fails; says why.
    """
    with ExitStack() as stack:
        emulator = start_emulator(folder, port=port, enforces_iam=False)
        stack.callback(emulator.stop)
        deployed = deploy_with_key(emulator.url, folder, opensearch_url=opensearch_url)
        emulator.stop()
        emulator = start_emulator(folder, port=port, enforces_iam=True)
        stack.callback(emulator.stop)
        yield replace(deployed, emulator_pid=emulator.process.pid)


def deploy_with_key(url: str, folder: Path, *, opensearch_url: str | None) -> EmulatedStack:
    """Deploy to an emulator that runs, and make an admin key.

    Args:
        url: Where the services of AWS answer.
        folder: Takes what CDK writes.
        opensearch_url: The index; None searches exactly, without one.

    Raises:
        EmulatorError: The deployment fails; says why.
    """
    outputs = deploy(url, folder, opensearch_url=opensearch_url)
    table = outputs["TableName"]
    return EmulatedStack(
        url=api_url(url, outputs["ApiId"]),
        table=table,
        key=make_admin_key(access_to(url) | {"OMOIDE_TABLE": table}),
        emulator_url=url,
    )


def deploy(url: str, folder: Path, *, opensearch_url: str | None) -> Mapping[str, str]:
    """Bootstrap and deploy to an emulator; return the outputs of the stack.

    Raises:
        EmulatorError: CDK is missing or fails.
    """
    cdk = install_cdk()
    environment = os.environ | access_to(url) | {"CDK_HOME": str(folder / "cdk")}
    environment |= {"CDK_DISABLE_VERSION_CHECK": "1", "NO_COLOR": "1"}
    environment["CDK_DISABLE_CLI_TELEMETRY"] = "true"
    environment["JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION"] = "1"
    _run([cdk, "bootstrap", f"aws://{ACCOUNT}/{REGION}"], folder, environment)
    outputs = folder / "outputs.json"
    command = [cdk, "deploy", STACK, "--app", f"{sys.executable} -m infra.aws.app"]
    command += ["--require-approval", "never", "--output", str(folder / "cdk.out")]
    command += ["--outputs-file", str(outputs)]
    for name, value in _choices(opensearch_url).items():
        command += ["--context", f"{name}={value}"]
    _run(command, _ROOT, environment)
    return json.loads(outputs.read_text(encoding="utf-8"))[STACK]


def install_cdk() -> str:
    """Install the locked CDK command line, unless it is there; return its path.

    Raises:
        EmulatorError: Node is missing, or the installation fails.
    """
    program = _CDK_FOLDER / "node_modules" / ".bin" / "cdk"
    if not program.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise EmulatorError("deploying needs Node.js 20 or later with npm, and there is none")
        _run([npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund"], _CDK_FOLDER, os.environ)
    return str(program)


def make_admin_key(environment: Mapping[str, str]) -> str:
    """Make an admin key with the operator's rights on the table; return its token.

    Raises:
        EmulatorError: The table cannot be reached.
    """
    command = [sys.executable, "-m", "infra.local.cli", "keys", "create", "--admin", "--json"]
    made = _run(command, _ROOT, os.environ | environment)
    return json.loads(made)["token"]


def api_url(emulator_url: str, api_id: str) -> str:
    """Where an emulator answers for a deployed API; the address in its outputs is AWS's."""
    return f"{emulator_url}/_aws/execute-api/{api_id}/live"


def _choices(opensearch_url: str | None) -> Mapping[str, str]:
    """Layers for the emulator's interpreter on this machine; data that goes with the stack."""
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    architecture = _ARCHITECTURES.get(platform.machine(), "x86_64")
    choices = {"architecture": architecture, "python": python, "keep_data": "false"}
    if opensearch_url is None:
        return choices | {"search": "exact"}
    return choices | {"opensearch_url": opensearch_url}


def _run(command: list[str], cwd: Path, environment: Mapping[str, str]) -> str:
    done = subprocess.run(
        command, cwd=cwd, env=dict(environment), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        said = (done.stdout + done.stderr)[-_TAIL:]
        raise EmulatorError(f"`{Path(command[0]).name} {command[1]}` failed:\n{said}")
    return done.stdout
