"""The function store_memories."""
