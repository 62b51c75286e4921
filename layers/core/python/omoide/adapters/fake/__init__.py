"""In-memory adapters that keep every promise of the ports."""
