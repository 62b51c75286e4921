"""Stand-ins for parts that are not there."""
