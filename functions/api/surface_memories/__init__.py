"""The function surface_memories."""
