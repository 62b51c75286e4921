"""Long-term memory for AI agents: domain, ports, services and adapters."""
