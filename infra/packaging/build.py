"""Assembles the layers and the code of the functions for one target."""

import os
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from infra.packaging.bytecode import compile_tree
from infra.packaging.contents import (
    BUILD_ONLY,
    CORE_PACKAGES,
    EMBEDDING_PACKAGES,
    FUNCTION_MODULES,
    TRIGGERS,
)
from infra.packaging.target import PackagingError, Target
from infra.packaging.wheels import LAYER_ROOT, install_wheels
from omoide.adapters.embedded.file_lock import FileLock
from omoide.settings import Settings
from omoide_embedding.model_folder import built_model_folder

ROOT = Path(__file__).parents[2]
BUILD_FOLDER = Path(__file__).parent / ".build"
TASK_ROOT = "/var/task"
MODELS = ".build"
"""Where `built_model_folder` looks for models, seen from the root of the layer."""

_SOURCES_ONLY = shutil.ignore_patterns("__pycache__", "*.pyc")


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """Folders whose content is deployed.

    Attributes:
        core: The core layer, as it is unpacked in ``/opt``.
        embedding: The embedding layer, likewise.
        functions: The code of every function, as it is unpacked in ``/var/task``.
        model: Name of the model in the embedding layer, found beside the code that runs it.
    """

    core: Path
    embedding: Path
    functions: Path
    model: str


def build_package(
    target: Target, *, into: Path = BUILD_FOLDER, model: Path | None = None
) -> Package:
    """Build everything; third-party packages are kept from the last time.

    Args:
        target: What it is for.
        into: Where the folders are made.
        model: Folder of the embedding model; None takes the one of the settings.

    Raises:
        PackagingError: A wheel, the model or the interpreter of the target is missing.
    """
    model = model_source() if model is None else model
    with FileLock(into / f"{target}.lock"):
        return _build_package(target, into / str(target), model)


def _build_package(target: Target, folder: Path, model: Path) -> Package:
    package = Package(
        core=folder / "core",
        embedding=folder / "embedding",
        functions=folder / "functions",
        model=model.name,
    )
    _layer(package.core, CORE_PACKAGES, ROOT / "layers/core/python/omoide", target)
    source = ROOT / "layers/embedding/python/omoide_embedding"
    _layer(package.embedding, EMBEDDING_PACKAGES, source, target)
    found_at = package.embedding / MODELS / model.name
    shutil.copytree(model, found_at, copy_function=_link)
    _functions(package.functions, target)
    return package


def model_source() -> Path:
    """The folder of the model of the settings.

    Raises:
        PackagingError: It is not built.
    """
    named = Settings.load().model
    folder = Path(named).expanduser()
    if not folder.is_dir():
        folder = built_model_folder(named)
    if not (folder / "model.onnx").is_file():
        raise PackagingError(f"the embedding model {named} is not built: run `make models`")
    return folder.resolve()


def _layer(folder: Path, packages: Iterable[str], source: Path, target: Target) -> None:
    wheels = folder.with_name(f"{folder.name}-wheels")
    install_wheels(packages, wheels, target)
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(wheels / "python", folder / "python", copy_function=_link)
    own = folder / "python" / source.name
    shutil.copytree(source, own, ignore=_SOURCES_ONLY)
    for name in BUILD_ONLY:
        shutil.rmtree(own / name, ignore_errors=True)
    compile_tree(own, python=target.python, shown_as=f"{LAYER_ROOT}/python/{own.name}")


def _functions(folder: Path, target: Target) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    source, into = ROOT / "functions", folder / "functions"
    into.mkdir(parents=True)
    for pattern in FUNCTION_MODULES:
        for path in source.glob(pattern):
            _copy(path, into / path.name)
    for trigger in TRIGGERS:
        if (source / trigger).is_dir():
            _copy(source / trigger, into / trigger)
    compile_tree(folder, python=target.python, shown_as=TASK_ROOT)


def _copy(path: Path, into: Path) -> None:
    if path.is_dir():
        shutil.copytree(path, into, ignore=_SOURCES_ONLY)
    elif path.suffix == ".py":
        shutil.copy2(path, into)


def _link(source: str, into: str) -> None:
    """One file on disk in both places; across file systems, two."""
    try:
        os.link(source, into)
    except OSError:
        shutil.copy2(source, into)
