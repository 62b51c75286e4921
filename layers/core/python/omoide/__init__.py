"""Long-term memory for AI agents: domain, ports, services and adapters."""

__version__ = "0.1.0"
