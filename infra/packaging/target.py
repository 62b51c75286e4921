"""The machine that a package is built for."""

from dataclasses import dataclass
from enum import StrEnum

from packaging.markers import default_environment

_OLDEST_GLIBC, _NEWEST_GLIBC = 17, 34
"""Minor versions of glibc 2; Lambda's Amazon Linux 2023 has 2.34."""


class PackagingError(Exception):
    """A package cannot be built, or must not be deployed; the message says why."""


class Architecture(StrEnum):
    """A processor that Lambda runs on, by the name it has there."""

    ARM64 = "arm64"
    X86_64 = "x86_64"

    @property
    def machine(self) -> str:
        """The name in the tags of wheels."""
        return "aarch64" if self is Architecture.ARM64 else "x86_64"

    @property
    def elf_machine(self) -> int:
        """``e_machine`` in the header of its shared libraries (ELF specification)."""
        return 0xB7 if self is Architecture.ARM64 else 0x3E


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An architecture and a Python version.

    Attributes:
        architecture: The processor.
        python: Version as in ``3.13``.
    """

    architecture: Architecture = Architecture.ARM64
    python: str = "3.13"

    def __str__(self) -> str:
        return f"{self.architecture}-python{self.python}"

    @property
    def platforms(self) -> tuple[str, ...]:
        """The wheel platforms that run there, newest first."""
        machine = self.architecture.machine
        minors = range(_NEWEST_GLIBC, _OLDEST_GLIBC - 1, -1)
        return (*(f"manylinux_2_{minor}_{machine}" for minor in minors), f"manylinux2014_{machine}")

    @property
    def marker_environment(self) -> dict[str, str]:
        """The environment in which markers of requirements are evaluated."""
        environment = {name: str(value) for name, value in default_environment().items()}
        return environment | {
            "implementation_name": "cpython",
            "os_name": "posix",
            "platform_machine": self.architecture.machine,
            "platform_python_implementation": "CPython",
            "platform_system": "Linux",
            "python_full_version": f"{self.python}.0",
            "python_version": self.python,
            "sys_platform": "linux",
        }
