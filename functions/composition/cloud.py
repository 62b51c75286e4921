"""The adapters of a deployment: a table, queues and an index that follows the table.

Without an address of OpenSearch searches are exact: they read the table into memory.
Each is made when it is first asked for, so that a function which only reads a record loads
neither the index nor the model.
"""

import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from functions.wiring import Records
from omoide.domain.model_profile import ModelProfile
from omoide.ports.clock import Clock, Entropy
from omoide.ports.dead_letters import DeadLetters
from omoide.ports.index_writer import IndexBuilder, IndexWriter
from omoide.ports.keys import KeyStore
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.pending_writes import PendingWrites
from omoide.ports.rate_limiter import RateLimiter
from omoide.ports.scoring_source import ScoringSource
from omoide.ports.shown_memories import ShownMemories
from omoide.ports.use_log import UseLog
from omoide.settings import PREFIX, SettingError, Settings

if TYPE_CHECKING:
    from opensearchpy import OpenSearch

    from omoide.adapters.opensearch import IndexLayout

_REGION_VARIABLES = ("AWS_REGION", "AWS_DEFAULT_REGION")


class CloudFolder:
    """Keeps memories in AWS. Nothing is asked of AWS before something is read or written.

    Attributes:
        records: The records.
        keys: The API keys.
        limiter: The rate limits.
        shown: What sessions were shown.

    Args:
        settings: Names table, queues and index.
        model: Tells which embedding model is in use.
        clock: The time of day.
        entropy: Randomness.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        model: Callable[[], ModelProfile],
        clock: Clock,
        entropy: Entropy,
    ) -> None:
        from omoide.adapters.dynamodb.folder import DynamoTable

        self._settings = settings
        self._model = model
        self._table = DynamoTable(settings.table, clock=clock, entropy=entropy)
        self.records: Records = self._table.records
        self.keys: KeyStore = self._table.keys
        self.limiter: RateLimiter = self._table.limiter
        self.shown: ShownMemories = self._table.shown
        self._clock = clock

    @property
    def is_exact(self) -> bool:
        """Whether searches do without OpenSearch."""
        return not self._settings.opensearch_url

    @property
    def pending(self) -> PendingWrites:
        """Writes the index has not taken yet; where there is none, the latest ones."""
        if not self.is_exact:
            return self._table.pending
        from omoide.adapters.exact import KeptWrites

        return KeptWrites(self._table.pending, self._clock)

    @property
    def uses(self) -> UseLog:
        """The access counters, written through the queue where there is one."""
        if not self._settings.uses_queue:
            return self._table.uses
        return self._queued_uses

    @property
    def counters(self) -> UseLog:
        """The access counters themselves."""
        return self._table.uses

    @property
    def source(self) -> ScoringSource:
        """The scoring data of the records."""
        return self._table.scoring_source(self._model().revision)

    @property
    def index(self) -> MemoryIndex:
        """The search engine."""
        return self._index

    @property
    def writer(self) -> IndexWriter:
        """Fills the index."""
        if self.is_exact:
            from omoide.adapters.exact import NoIndexWriter

            return NoIndexWriter()
        from omoide.adapters.opensearch import OpenSearchIndexWriter

        return OpenSearchIndexWriter(self._client, self._layout)

    @property
    def builder(self) -> IndexBuilder:
        """Builds a new index."""
        from omoide.adapters.opensearch import OpenSearchIndexBuilder

        return OpenSearchIndexBuilder(self._client, self._layout)

    @property
    def dead_letters(self) -> DeadLetters:
        """Keeps what cannot be indexed."""
        from omoide.adapters.sqs import MessageQueue, QueuedDeadLetters

        return QueuedDeadLetters(MessageQueue(_needed(self._settings, "dead_letters")))

    def close(self) -> None:
        """Close the connections to the index."""
        if "_client" in self.__dict__:
            self._client.close()
        self._table.close()

    @cached_property
    def _queued_uses(self) -> UseLog:
        from omoide.adapters.sqs import MessageQueue, QueuedUseLog

        return QueuedUseLog(MessageQueue(self._settings.uses_queue), self._table.uses)

    @cached_property
    def _index(self) -> MemoryIndex:
        if self.is_exact:
            from omoide.adapters.exact import ExactMemoryIndex

            return ExactMemoryIndex(
                pending=self.pending,
                source=self.source,
                revision=self._model().revision,
                dims=self._model().dims,
                clock=self._clock,
            )
        from omoide.adapters.opensearch import OpenSearchMemoryIndex

        return OpenSearchMemoryIndex(
            self._client, self._layout, pending=self.pending, source=self.source
        )

    @cached_property
    def _layout(self) -> "IndexLayout":
        from omoide.adapters.opensearch import IndexLayout

        model = self._model()
        return IndexLayout(revision=model.revision, dims=model.dims)

    @cached_property
    def _client(self) -> "OpenSearch":
        from omoide.adapters.opensearch import connect, connect_in_aws

        url = _needed(self._settings, "opensearch_url")
        if not url.startswith("https:"):
            return connect(url)
        regions = [os.environ[name] for name in _REGION_VARIABLES if os.environ.get(name)]
        if not regions:
            raise SettingError(f"{_REGION_VARIABLES[0]}: is needed to sign requests")
        return connect_in_aws(url, region=regions[0])


def _needed(settings: Settings, name: str) -> str:
    value = str(getattr(settings, name))
    if not value:
        raise SettingError(f"{PREFIX}{name.upper()}: is needed beside {PREFIX}TABLE")
    return value
