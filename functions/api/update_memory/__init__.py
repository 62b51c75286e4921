"""The function update_memory."""
