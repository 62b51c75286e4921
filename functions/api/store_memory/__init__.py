"""The function store_memory."""
