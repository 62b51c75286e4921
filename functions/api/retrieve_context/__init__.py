"""The function retrieve_context."""
