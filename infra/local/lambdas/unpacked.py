"""The package on this machine as Lambda unpacks it, and functions that run from it."""

import ctypes
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

from functions.manifest import Function
from infra.local.lambdas.runtime_api import LambdaFunction
from infra.packaging.build import BUILD_FOLDER, build_package
from infra.packaging.gate import check_package
from infra.packaging.target import Architecture, Target
from infra.packaging.variables import RUNTIME_VARIABLES
from infra.packaging.wheels import install_wheels
from omoide.adapters.embedded.file_lock import FileLock

RUNTIME_PACKAGES = (
    "awslambdaric",
    "boto3",
    "botocore",
    "jmespath",
    "python-dateutil",
    "s3transfer",
    "simplejson",
    "six",
    "snapshot-restore-py",
    "urllib3",
)
"""What Lambda's own image brings for Python."""

_MACHINES = {"x86_64": Architecture.X86_64, "aarch64": Architecture.ARM64}
_PR_CAPBSET_DROP = 24
_PASSING_MODES = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH (capabilities(7))."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployed:
    """Folders that stand for those of a function.

    Attributes:
        opt: ``/opt``, both layers.
        core: ``/opt`` of a function without the embedding layer.
        task: ``/var/task``.
        runtime: ``/var/runtime``.
        model: Name of the model.
    """

    opt: Path
    core: Path
    task: Path
    runtime: Path
    model: str

    def function(
        self,
        function: Function,
        settings: Mapping[str, str],
        scratch: Path,
        *,
        timeout_s: float | None = None,
        layers: bool = True,
    ) -> LambdaFunction:
        """A function of the manifest with its layers, its settings and nothing else.

        Args:
            function: Which.
            settings: Variables that deployment gives to it.
            scratch: Takes its log and ``/tmp``.
            timeout_s: None takes the one of the manifest.
            layers: Whether it has its layers.
        """
        opt = self.opt if function.needs_embedding else self.core
        path = [self.task, *([opt / "python"] if layers else []), self.runtime / "python"]
        temporary = scratch / "tmp"
        temporary.mkdir(parents=True, exist_ok=True)
        return LambdaFunction(
            [interpreter(), "-S", "-m", "awslambdaric"],
            function.handler,
            {**self._environment(function, path, temporary), **settings},
            cwd=self.task,
            timeout_s=function.timeout_s if timeout_s is None else timeout_s,
            log=scratch / "log.txt",
            before_start=obey_modes,
        )

    def _environment(
        self, function: Function, path: Sequence[Path], temporary: Path
    ) -> dict[str, str]:
        """The variables that Lambda and the deployment set, and the model."""
        return {
            **RUNTIME_VARIABLES,
            "PATH": "/usr/bin:/bin",
            "LANG": "en_US.UTF-8",
            "TZ": ":UTC",
            "TMPDIR": str(temporary),
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "LAMBDA_TASK_ROOT": str(self.task),
            "LAMBDA_RUNTIME_DIR": str(self.runtime),
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_EXECUTION_ENV": f"AWS_Lambda_python{_version()}",
            "AWS_LAMBDA_FUNCTION_NAME": function.name,
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_mb),
            "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
            "OMOIDE_MODEL": self.model,
        }

    def everything(self) -> dict[str, tuple[int, int]]:
        """Size and time of change of every file and folder."""
        roots = (self.opt, self.core, self.task, self.runtime)
        return {
            str(path): (path.stat().st_size, path.stat().st_mtime_ns)
            for root in roots
            for path in root.rglob("*")
        }


def deploy(folder: Path) -> Deployed:
    """Build for this machine, check as deployment does, unpack, and make it read-only."""
    target = host_target()
    with FileLock(BUILD_FOLDER / f"{target}-unpacked.lock"):
        return _deploy(folder, target)


def _deploy(folder: Path, target: Target) -> Deployed:
    package = build_package(target)
    check_package(package, target)
    runtime = BUILD_FOLDER / str(target) / "lambda-runtime"
    install_wheels(RUNTIME_PACKAGES, runtime, target)
    made = Deployed(
        opt=folder / "opt",
        core=folder / "core",
        task=folder / "task",
        runtime=runtime,
        model=package.model,
    )
    for layer in (package.core, package.embedding):
        copytree(layer, made.opt, dirs_exist_ok=True)
    copytree(package.core, made.core)
    copytree(package.functions, made.task)
    for root in (made.opt, made.core, made.task):
        set_writable(root, is_writable=False)
    return made


def host_target() -> Target:
    """This machine and this Python."""
    return Target(architecture=_MACHINES[platform.machine()], python=_version())


def set_writable(root: Path, *, is_writable: bool) -> None:
    """Set or clear the write bits of a tree."""
    for path in (root, *root.rglob("*")):
        mode = path.stat().st_mode
        path.chmod(mode | 0o200 if is_writable else mode & ~0o222)


def obey_modes() -> None:
    """Give up root's right to write where the mode forbids it; others never had it."""
    libc = ctypes.CDLL(None)
    for capability in _PASSING_MODES:
        libc.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0)


def interpreter() -> str:
    """The Python below the virtual environment."""
    return str(getattr(sys, "_base_executable", sys.executable))


def _version() -> str:
    return f"{sys.version_info[0]}.{sys.version_info[1]}"
