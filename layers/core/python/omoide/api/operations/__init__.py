"""One module per operation: from a request to the service's command, from its result back."""
