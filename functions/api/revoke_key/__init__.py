"""The function revoke_key."""
