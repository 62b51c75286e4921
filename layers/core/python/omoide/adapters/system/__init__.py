"""What the operating system gives: time and randomness."""
