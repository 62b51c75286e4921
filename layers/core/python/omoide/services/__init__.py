"""Use cases: one operation, one file."""
