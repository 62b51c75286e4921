"""The MCP server: a client of the HTTP API."""
