"""The AWS account as a deployment target."""
