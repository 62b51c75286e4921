"""Exact search over arrays: segments, tail and scan, without any storage of their own."""
