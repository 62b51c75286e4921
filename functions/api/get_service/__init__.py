"""The function get_service."""
