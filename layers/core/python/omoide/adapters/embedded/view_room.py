"""How much of a process the views of namespaces take."""

import sys
from dataclasses import dataclass

_MOST_FILES = 512
_WINDOWS_FILES = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewRoom:
    """What views take, or may take.

    Attributes:
        memory_bytes: Private memory.
        files: Mapped files; each holds a descriptor for as long as it is mapped.
    """

    memory_bytes: int = 0
    files: int = 0

    def plus(self, other: "ViewRoom") -> "ViewRoom":
        """Both together."""
        return ViewRoom(
            memory_bytes=self.memory_bytes + other.memory_bytes, files=self.files + other.files
        )

    def less(self, other: "ViewRoom") -> "ViewRoom":
        """This without the other."""
        return ViewRoom(
            memory_bytes=self.memory_bytes - other.memory_bytes, files=self.files - other.files
        )

    def is_within(self, limit: "ViewRoom") -> bool:
        """Whether it exceeds the limit in nothing."""
        return self.memory_bytes <= limit.memory_bytes and self.files <= limit.files


def most_files() -> int:
    """How many files may be mapped: half of what this process may open, at most 512."""
    if sys.platform == "win32":
        return _WINDOWS_FILES
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST_FILES if limit == resource.RLIM_INFINITY else min(_MOST_FILES, limit // 2)
