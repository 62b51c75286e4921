"""Functions behind API Gateway."""
