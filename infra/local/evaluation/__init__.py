"""Retrieval quality, measured through the real services."""

from infra.local.evaluation.run import evaluate_data, evaluate_file, tune_file

__all__ = ["evaluate_data", "evaluate_file", "tune_file"]
