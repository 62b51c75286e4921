"""The function create_key."""
