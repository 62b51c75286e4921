"""Ordering nominated memories: one stage of the score, one file."""
