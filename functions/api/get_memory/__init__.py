"""The function get_memory."""
