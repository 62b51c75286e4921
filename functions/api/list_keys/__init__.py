"""The function list_keys."""
