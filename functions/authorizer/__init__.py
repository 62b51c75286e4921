"""The function behind the authorizer of API Gateway."""
