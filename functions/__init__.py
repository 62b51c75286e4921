"""Entry points: one folder per function, listed in the manifest."""
