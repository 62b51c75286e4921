"""Index memories that were written."""
