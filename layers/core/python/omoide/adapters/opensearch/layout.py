"""What an index looks like, and what it and its aliases are called."""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from omoide.domain.lexical import K1, B

GC_DELETES = "12h"
"""How long a deletion is remembered, so that no late write brings the memory back."""

_HASH_DIGITS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexLayout:
    """An index behind an alias.

    Attributes:
        alias: What searches and writes go to.
        revision: Revision of the embedding model.
        dims: Length of a vector.
        shards: Primary shards; a namespace is in one of them.
        replicas: Copies of each shard.
        refresh_interval: How long a write waits until searches see it.
    """

    alias: str = "omoide"
    revision: str
    dims: int
    shards: int = 1
    replicas: int = 0
    refresh_interval: str = "1s"

    @property
    def next_alias(self) -> str:
        """The alias of an index that is being built."""
        return f"{self.alias}-next"

    @property
    def name(self) -> str:
        """``<alias>-<model revision>-<mapping hash>``: another one when its content differs."""
        readable = re.sub(r"[^a-z0-9]+", "-", self.revision.lower()).strip("-")
        hashed = hashlib.sha256(json.dumps(self.mappings, sort_keys=True).encode())
        hashed.update(self.revision.encode())
        return f"{self.alias}-{readable}-{hashed.hexdigest()[:_HASH_DIGITS]}"

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the index."""
        return {
            "index": {
                "knn": True,
                "number_of_shards": self.shards,
                "number_of_replicas": self.replicas,
                "refresh_interval": self.refresh_interval,
                "gc_deletes": GC_DELETES,
                "similarity": {"short_texts": {"type": "BM25", "k1": K1, "b": B}},
                "analysis": {"analyzer": {"tokens": {"type": "custom", "tokenizer": "whitespace"}}},
            }
        }

    @property
    def mappings(self) -> dict[str, Any]:
        """Fields of a document.

        Only columns are read back, never stored fields: those are compressed in blocks, and a
        search reads hundreds.
        """
        kinds = {
            "keyword": (
                "memory_id namespace memory_type status layer session place agent user speaker tags"
            ),
            "long": "turn event_time invalidated_at expires_at own_length context_length",
            "double": "importance confidence",
            "boolean": "pinned",
        }
        properties: dict[str, Any] = {
            name: {"type": kind} for kind, names in kinds.items() for name in names.split()
        }
        tokens = {"type": "text", "analyzer": "tokens"}
        properties |= {
            "own": tokens | {"index_options": "docs", "norms": False},
            "words": tokens | {"index_options": "freqs", "similarity": "short_texts"},
            "payload": {"type": "binary", "doc_values": True},
            "chunks": {"type": "nested", "properties": {"vector": self._vector}},
        }
        return {
            "dynamic": "strict",
            "_routing": {"required": True},
            "_source": {"enabled": False},
            "properties": properties,
        }

    @property
    def _vector(self) -> dict[str, Any]:
        return {
            "type": "knn_vector",
            "dimension": self.dims,
            "method": {
                "name": "hnsw",
                "engine": "lucene",
                "space_type": "cosinesimil",
                "parameters": {"m": 16, "ef_construction": 100},
            },
        }
