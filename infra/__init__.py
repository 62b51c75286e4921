"""Where the product runs."""
