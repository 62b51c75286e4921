"""`omoide mcp`."""
