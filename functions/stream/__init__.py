"""Functions that follow the table."""
