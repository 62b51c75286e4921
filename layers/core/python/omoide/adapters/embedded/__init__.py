"""A data folder: SQLite for the truth, mapped segment files for search."""

from omoide.adapters.embedded.folder import EmbeddedFolder, open_folder, read_binding

__all__ = ["EmbeddedFolder", "open_folder", "read_binding"]
