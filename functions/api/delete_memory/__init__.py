"""The function delete_memory."""
