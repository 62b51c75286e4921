"""The native shape: our own words, strict."""
