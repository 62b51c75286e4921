"""SQLite records and the in-process search index beside them."""
