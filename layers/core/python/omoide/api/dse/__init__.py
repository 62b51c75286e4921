"""DSE's shape: its 45 field names."""
