"""Builds what is deployed to Lambda, without Docker: two layers and the code of the functions."""
