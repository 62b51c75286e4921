"""What holds for every test."""

import infra.local

RUNTIME = infra.local
"""Imported before numpy, so that tests compute with as few threads as the product."""
