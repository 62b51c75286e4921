"""When a memory should come up without being asked for."""
