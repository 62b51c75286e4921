"""The function list_memories."""
