"""Search without an index: the scoring data of a namespace in memory, kept up with the records."""

from omoide.adapters.exact.index import ExactMemoryIndex
from omoide.adapters.exact.kept_writes import KeptWrites, NoIndexWriter

__all__ = ["ExactMemoryIndex", "KeptWrites", "NoIndexWriter"]
