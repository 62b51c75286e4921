"""The function authenticate_key."""
