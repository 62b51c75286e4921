"""The function get_health."""
