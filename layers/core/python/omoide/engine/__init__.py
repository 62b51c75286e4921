"""The in-process search engine: exact scans over plain arrays, with no database under it."""
