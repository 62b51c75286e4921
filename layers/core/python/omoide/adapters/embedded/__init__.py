"""A data folder: SQLite for the truth, mapped segment files for search."""

from omoide.adapters.embedded.folder import EmbeddedFolder, open_folder

__all__ = ["EmbeddedFolder", "open_folder"]
