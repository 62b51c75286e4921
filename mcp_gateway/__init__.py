"""The MCP server: a client of the HTTP API."""

__version__ = "0.1.0"
"""Version told to MCP clients: that of the project."""
