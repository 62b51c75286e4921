"""What must hold for a package before it is deployed."""

from dataclasses import dataclass
from pathlib import Path

from infra.packaging.build import Package
from infra.packaging.contents import FORBIDDEN, UNZIPPED_LIMIT
from infra.packaging.target import PackagingError, Target

_ELF = b"\x7fELF"
_MACHINE_AT = 18
_FLAGS_AT, _UNCHECKED_HASH = 4, 0b01


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """Bytes unzipped."""

    core: int
    embedding: int
    functions: int

    @property
    def total(self) -> int:
        """What counts against Lambda's limit for a function with both layers."""
        return self.core + self.embedding + self.functions

    def __str__(self) -> str:
        return (
            f"core layer {self.core:,} + embedding layer {self.embedding:,} + functions "
            f"{self.functions:,} = {self.total:,} of {UNZIPPED_LIMIT:,} bytes unzipped"
        )


def check_package(package: Package, target: Target) -> Sizes:
    """Measure a package and refuse what cannot or must not run.

    Raises:
        PackagingError: It is too large, or holds a module it must not, a library of another
            machine, or bytecode that is checked against its source.
    """
    for layer in (package.core, package.embedding):
        found = sorted(FORBIDDEN & _modules(layer / "python"))
        if found:
            raise PackagingError(f"the {layer.name} layer must not hold {', '.join(found)}")
        _check_libraries(layer, target)
    for folder in (package.core, package.embedding, package.functions):
        _check_bytecode(folder)
    sizes = Sizes(
        core=_bytes(package.core),
        embedding=_bytes(package.embedding),
        functions=_bytes(package.functions),
    )
    if sizes.total >= UNZIPPED_LIMIT:
        raise PackagingError(f"{target} is too large: {sizes}")
    return sizes


def _modules(folder: Path) -> set[str]:
    """The top-level modules of a folder: packages, files and compiled ones."""
    return {path.name.partition(".")[0] for path in folder.iterdir()}


def _bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _check_libraries(layer: Path, target: Target) -> None:
    for path in layer.rglob("*.so*"):
        with path.open("rb") as file:
            header = file.read(20)
        machine = int.from_bytes(header[_MACHINE_AT : _MACHINE_AT + 2], "little")
        if header[:4] == _ELF and machine != target.architecture.elf_machine:
            raise PackagingError(f"{path.relative_to(layer)} is not for {target.architecture}")


def _check_bytecode(folder: Path) -> None:
    """PEP 552: bits of the flags say that a hash is used, and whether it is checked."""
    for path in folder.rglob("*.py"):
        compiled = list((path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"))
        if len(compiled) != 1:
            raise PackagingError(f"{path.relative_to(folder)} has no bytecode")
        with compiled[0].open("rb") as file:
            header = file.read(8)
        if int.from_bytes(header[_FLAGS_AT:], "little") != _UNCHECKED_HASH:
            raise PackagingError(f"{compiled[0].relative_to(folder)} is checked when it is loaded")
