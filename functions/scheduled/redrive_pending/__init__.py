"""Index what has been pending for too long."""
