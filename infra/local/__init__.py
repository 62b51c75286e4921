"""The laptop as a deployment target."""
