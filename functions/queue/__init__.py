"""Functions that work off queues."""
