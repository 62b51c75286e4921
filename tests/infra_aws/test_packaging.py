"""The layers: what goes in, what is refused."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from infra.packaging import __main__ as command
from infra.packaging.build import BUILD_FOLDER, Package
from infra.packaging.bytecode import compile_tree, interpreter
from infra.packaging.contents import (
    CORE_PACKAGES,
    EMBEDDING_PACKAGES,
    FORBIDDEN,
    UNZIPPED_LIMIT,
)
from infra.packaging.gate import check_package
from infra.packaging.lock import locked_requirements
from infra.packaging.target import Architecture, PackagingError, Target

HERE = f"{sys.version_info[0]}.{sys.version_info[1]}"
TARGET = Target(architecture=Architecture.ARM64, python=HERE)
LOCK = """\
# a comment
numpy==2.4.6 ; python_full_version < '3.12' \\
    --hash=sha256:old
numpy==2.5.5 ; python_full_version >= '3.12' \\
    --hash=sha256:new1 \\
    --hash=sha256:new2
Some_Tool==1 \\
    --hash=sha256:tool
pywin32==312 ; sys_platform == 'win32' \\
    --hash=sha256:win
"""


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """A package that passes."""
    made = Package(
        core=tmp_path / "core",
        embedding=tmp_path / "embedding",
        functions=tmp_path / "functions",
        model="tiny",
    )
    for folder in (made.core, made.embedding, made.functions):
        (folder / "python" / "omoide").mkdir(parents=True)
        (folder / "python" / "omoide" / "__init__.py").write_text("A = 1\n", encoding="utf-8")
        compile_tree(folder, python=HERE, shown_as="/opt")
    library = made.core / "python" / "omoide" / "fast.so"
    library.write_bytes(b"\x7fELF" + bytes(14) + (0xB7).to_bytes(2, "little"))
    return made


def test_a_requirement_is_pinned_for_the_python_of_the_target() -> None:
    old, new = Target(python="3.11"), Target(python="3.13")

    assert locked_requirements(["numpy"], old, lock=LOCK) == "numpy==2.4.6 --hash=sha256:old\n"
    assert locked_requirements(["NumPy", "some-tool"], new, lock=LOCK) == (
        "numpy==2.5.5 --hash=sha256:new1 --hash=sha256:new2\nSome_Tool==1 --hash=sha256:tool\n"
    )


def test_a_package_that_is_not_locked_for_the_target_is_named() -> None:
    with pytest.raises(PackagingError, match="pywin32"):
        locked_requirements(["pywin32"], Target(), lock=LOCK)


def test_every_package_of_the_layers_is_locked() -> None:
    for architecture in Architecture:
        names = (*CORE_PACKAGES, *EMBEDDING_PACKAGES)
        text = locked_requirements(names, Target(architecture=architecture))
        assert text.count("==") == len(names)


def test_what_is_fit_to_be_deployed_is_measured(package: Package) -> None:
    sizes = check_package(package, TARGET)

    assert sizes.total == sizes.core + sizes.embedding + sizes.functions
    assert 0 < sizes.total < UNZIPPED_LIMIT
    assert f"{sizes.total:,}" in str(sizes)


def test_what_is_too_large_is_refused(package: Package) -> None:
    with (package.embedding / "model.bin").open("wb") as file:
        file.truncate(UNZIPPED_LIMIT)

    with pytest.raises(PackagingError, match="too large"):
        check_package(package, TARGET)


@pytest.mark.parametrize("layer", ["core", "embedding"])
@pytest.mark.parametrize("name", sorted(FORBIDDEN))
def test_what_has_no_place_in_a_layer_is_refused(package: Package, name: str, layer: str) -> None:
    (package.core.with_name(layer) / "python" / name).mkdir()

    with pytest.raises(PackagingError, match=f"{layer} layer must not hold {name}"):
        check_package(package, TARGET)


def test_neither_the_clouds_own_packages_nor_tools_to_build_with_may_be_deployed() -> None:
    named = {"boto3", "botocore", "grpc", "numkong", "onnx", "pip", "setuptools", "wheel"}

    assert named | {"hatchling", "pytest", "awslambdaric"} <= FORBIDDEN
    assert not {"boto3", "grpcio", "numkong"} & {*CORE_PACKAGES, *EMBEDDING_PACKAGES}


@pytest.mark.parametrize("file", ["numkong.abi3.so", "grpc.py", "numkong.cpython-313-x.so"])
def test_a_module_of_one_file_is_refused_too(package: Package, file: str) -> None:
    (package.core / "python" / file).write_bytes(b"")

    with pytest.raises(PackagingError, match="core layer must not hold"):
        check_package(package, TARGET)


def test_the_command_prints_the_sizes_and_fails_when_the_gate_does(
    package: Package, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def build(target: Target) -> Package:
        return package

    monkeypatch.setattr(command, "build_package", build)
    arguments = ["--architecture", "arm64", "--python", HERE]

    passed = command.main(arguments)
    shown = capsys.readouterr().out
    (package.core / "python" / "boto3").mkdir()
    refused = command.main(arguments)

    assert (passed, refused) == (0, 1)
    assert f"of {UNZIPPED_LIMIT:,} bytes unzipped" in shown
    assert "must not hold boto3" in capsys.readouterr().err


def test_a_library_of_another_machine_is_refused(package: Package) -> None:
    with pytest.raises(PackagingError, match=r"fast\.so is not for x86_64"):
        check_package(package, replace(TARGET, architecture=Architecture.X86_64))


def test_bytecode_that_is_missing_or_checked_is_refused(package: Package) -> None:
    cache = package.core / "python" / "omoide" / "__pycache__"
    (compiled,) = cache.iterdir()
    content = bytearray(compiled.read_bytes())
    content[4] = 0b11
    compiled.write_bytes(bytes(content))

    with pytest.raises(PackagingError, match="is checked when it is loaded"):
        check_package(package, TARGET)
    shutil.rmtree(cache)
    with pytest.raises(PackagingError, match="has no bytecode"):
        check_package(package, TARGET)


def test_a_python_that_is_not_there_is_asked_for() -> None:
    with pytest.raises(PackagingError, match=r"need python3\.99"):
        interpreter("3.99")


def test_built_layers_stay_out_of_the_repository() -> None:
    ignored = (Path(__file__).parents[2] / ".gitignore").read_text(encoding="utf-8").split()

    assert f"{BUILD_FOLDER.name}/" in ignored
