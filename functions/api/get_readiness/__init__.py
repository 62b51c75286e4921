"""The function get_readiness."""
