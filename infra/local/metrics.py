"""Prometheus metrics of all workers together; labels never carry text or ids.

Workers share a folder of memory-mapped counters (the client library's multiprocess mode), so
whichever worker answers ``/metrics`` speaks for all.
"""

import os
import tempfile
from functools import cache
from pathlib import Path

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Histogram,
    disable_created_metrics,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

FOLDER_VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
CONTENT_TYPE = CONTENT_TYPE_LATEST

_REQUEST_BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.15, 0.3, 0.6, 1.2, 5.0)
_EMBEDDING_BUCKETS = (0.001, 0.002, 0.004, 0.008, 0.015, 0.03, 0.06, 0.12, 0.25, 0.5, 1.0, 4.0)
_RESULT_BUCKETS = (0, 1, 2, 3, 5, 10, 20, 50, 100)


def share_between_processes() -> tempfile.TemporaryDirectory[str]:
    """Make the folder that processes started from here on share.

    This process itself keeps its counters to itself: the client library decides when it is
    imported.

    Returns:
        The folder; its clean-up belongs to the caller.
    """
    folder = tempfile.TemporaryDirectory(prefix="omoide-metrics-")
    os.environ[FOLDER_VARIABLE] = folder.name
    return folder


class Metrics:
    """Counters and histograms of this process."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        registry = self._registry
        self.requests = Counter(
            "omoide_http_requests",
            "Requests by operation and status.",
            ("operation", "status"),
            registry=registry,
        )
        self.request_seconds = Histogram(
            "omoide_http_request_seconds",
            "Time from the request's last byte to the answer.",
            ("operation",),
            buckets=_REQUEST_BUCKETS,
            registry=registry,
        )
        self.embedding_seconds = Histogram(
            "omoide_embedding_seconds",
            "Time of one call of the embedding model, cache hits not counted.",
            ("kind",),
            buckets=_EMBEDDING_BUCKETS,
            registry=registry,
        )
        self.embedding_cache = Counter(
            "omoide_embedding_cache",
            "Texts looked up in the embedding cache.",
            ("result",),
            registry=registry,
        )
        self.memories_stored = Counter(
            "omoide_memories_stored", "New memories committed.", registry=registry
        )
        self.search_results = Histogram(
            "omoide_search_results",
            "Memories in the answer of a search.",
            buckets=_RESULT_BUCKETS,
            registry=registry,
        )

    def exposition(self) -> bytes:
        """Return the text format: of all workers when they share a folder, else of this one."""
        folder = os.environ.get(FOLDER_VARIABLE)
        if not folder or not Path(folder).is_dir():
            return generate_latest(self._registry)
        registry = CollectorRegistry()
        MultiProcessCollector(registry, path=folder)
        return generate_latest(registry)


@cache
def metrics() -> Metrics:
    """The metrics of this process."""
    disable_created_metrics()
    return Metrics()
