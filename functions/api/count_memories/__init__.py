"""The function count_memories."""
