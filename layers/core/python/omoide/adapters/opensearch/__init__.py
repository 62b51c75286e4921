"""The search index in OpenSearch 2.19 with k-NN, which follows the records."""

from omoide.adapters.opensearch.builder import OpenSearchIndexBuilder
from omoide.adapters.opensearch.connection import connect, connect_in_aws, connect_signed
from omoide.adapters.opensearch.index import OpenSearchMemoryIndex
from omoide.adapters.opensearch.layout import IndexLayout
from omoide.adapters.opensearch.writer import OpenSearchIndexWriter

__all__ = [
    "IndexLayout",
    "OpenSearchIndexBuilder",
    "OpenSearchIndexWriter",
    "OpenSearchMemoryIndex",
    "connect",
    "connect_in_aws",
    "connect_signed",
]
