"""Functions that the clock calls."""
