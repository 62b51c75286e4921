"""The native tools, one operation of the API a file."""
