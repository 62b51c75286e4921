"""The function search_memories."""
