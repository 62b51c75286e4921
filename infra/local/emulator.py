"""The AWS emulator on this machine: installed apart, bound to the loopback interface alone.

Its settings: no listener for devices or file transfer (both bind to every interface), state written
to a folder when it stops, functions as processes of its own Python.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infra.local.emulator_start import FOLDER_VARIABLE
from omoide.adapters.embedded.file_lock import FileLock

HOST = "127.0.0.1"
ACCOUNT = "000000000000"
REGION = "us-east-1"
TEMPORARY = "temporary"
"""The temporary folder of the emulator and its functions, in that of the state: gone with it."""

UNPACKED = "unpacked"
"""What functions and layers hold, in that of the state."""

HOME = "no-home"
"""The home folder of every function, in that of the state; it does not exist, as in Lambda."""

START_TIMEOUT_S = 120.0
STOP_TIMEOUT_S = 60.0

_ROOT = Path(__file__).parents[2]
_REQUIREMENTS = _ROOT / "requirements" / "emulator.txt"
_FOLDER = Path(__file__).parent / ".build" / "emulator"
_STAMP = _FOLDER / ".stamp"
_STARTER = Path(__file__).with_name("emulator_start.py")
_LOG = "emulator.log"
_LOG_TAIL = 2_000
_POLL_S = 0.1
_ROOT_KEY = "omoide-emulator"
"""Id of the access key that may do everything; its secret is not checked."""


class EmulatorError(Exception):
    """The emulator cannot be installed, started or used; the message says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Emulator:
    """A running emulator.

    Attributes:
        url: Where every service answers.
        state: The folder that keeps what it holds.
        process: Its process.
    """

    url: str
    state: Path
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """Let it write its state and end."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def log(self) -> str:
        """What it has written since it was started."""
        return (self.state / _LOG).read_text(encoding="utf-8", errors="replace")


def access_to(url: str) -> dict[str, str]:
    """The variables with which AWS programs use an emulator."""
    return {
        "AWS_ENDPOINT_URL": url,
        "AWS_ACCESS_KEY_ID": _ROOT_KEY,
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
    }


def install_emulator() -> Path:
    """Make its virtual environment, unless it is there for this lock and this Python.

    Returns:
        Its Python.

    Raises:
        EmulatorError: It cannot be installed.
    """
    with FileLock(_FOLDER.with_suffix(".lock")):
        return _install_emulator()


def _install_emulator() -> Path:
    program = _FOLDER / "bin" / "python"
    wanted = f"{sys.version}\n{_REQUIREMENTS.read_text(encoding='utf-8')}"
    if _STAMP.is_file() and _STAMP.read_text(encoding="utf-8") == wanted:
        return program
    shutil.rmtree(_FOLDER, ignore_errors=True)
    _run([sys.executable, "-m", "venv", str(_FOLDER)])
    pip = [str(_FOLDER / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    pip += ["--disable-pip-version-check", "--require-hashes", "--requirement", str(_REQUIREMENTS)]
    _run(pip)
    _STAMP.write_text(wanted, encoding="utf-8")
    return program


def start_emulator(
    state: Path, *, port: int, enforces_iam: bool, script: Path = _STARTER
) -> Emulator:
    """Start it on a folder and wait until it answers.

    Args:
        state: What an earlier one left there is there again.
        port: Where it listens.
        enforces_iam: Whether signatures are verified and policies enforced. The roles that
            ``cdk bootstrap`` makes do not work then: deploy without it, and start again with it.
        script: Starts it, run by its own Python.

    Raises:
        EmulatorError: The port is taken, or it does not start.
    """
    program = install_emulator()
    _require_free(port)
    for folder in (state / TEMPORARY, state / UNPACKED):
        folder.mkdir(parents=True, exist_ok=True)
    url = f"http://{HOST}:{port}"
    environment = {name: value for name, value in os.environ.items() if not _is_foreign(name)}
    environment |= {**_settings(state, port, enforces_iam=enforces_iam), **access_to(url)}
    with (state / _LOG).open("wb") as log:
        process = subprocess.Popen(
            [str(program), "-P", str(script)],
            cwd=state,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    emulator = Emulator(url=url, state=state, process=process)
    try:
        _wait(emulator)
    except BaseException:
        emulator.stop()
        raise
    return emulator


def _settings(state: Path, port: int, *, enforces_iam: bool) -> Mapping[str, str]:
    return {
        "AUTH": "true" if enforces_iam else "false",
        "BIND_HOST": HOST,
        FOLDER_VARIABLE: str(state / UNPACKED),
        "GATEWAY_PORT": str(port),
        "HOME": str(state / HOME),
        "IOT_MTLS_ENABLED": "0",
        "LAMBDA_EXECUTOR": "local",
        "PERSIST_STATE": "1",
        "S3_DATA_DIR": str(state / "objects"),
        "S3_PERSIST": "1",
        "SFTP_ENABLED": "0",
        "STATE_DIR": str(state / "services"),
        "TMPDIR": str(state / TEMPORARY),
    }


def _is_foreign(name: str) -> bool:
    """Functions see the emulator's variables: none of ours may stand in for their own."""
    return name.startswith(("AWS_", "OMOIDE_", "PYTHON"))


def _require_free(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            problem = f"{HOST} port {port} is taken; choose another one: --port"
            raise EmulatorError(problem) from error


def _wait(emulator: Emulator) -> None:
    deadline = time.monotonic() + START_TIMEOUT_S
    while not _answers(emulator.url):
        if emulator.process.poll() is not None or time.monotonic() > deadline:
            raise EmulatorError(f"the emulator does not answer:\n{emulator.log()[-_LOG_TAIL:]}")
        time.sleep(_POLL_S)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}/_ministack/ready", timeout=5) as answer:  # noqa: S310
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise EmulatorError(f"{command[0]} failed: {(done.stdout + done.stderr)[-_LOG_TAIL:]}")
