"""Weights of namespaces in a file, as `omoide eval --tune` writes it."""

from omoide.adapters.weights_file.weights_file import WeightsFile, written

__all__ = ["WeightsFile", "written"]
