"""Opening a table."""

import time
from collections.abc import Callable

from omoide.adapters.dynamodb.connection import TableConnection, connect
from omoide.adapters.dynamodb.keys import DynamoKeyStore
from omoide.adapters.dynamodb.limiter import DynamoRateLimiter
from omoide.adapters.dynamodb.pauses import Pauses
from omoide.adapters.dynamodb.pending import DynamoPendingWrites
from omoide.adapters.dynamodb.records import DynamoMemoryRecords
from omoide.adapters.dynamodb.scoring_source import DynamoScoringSource
from omoide.adapters.dynamodb.shown import DynamoShownMemories
from omoide.adapters.dynamodb.table_calls import TableCalls
from omoide.adapters.dynamodb.uses import DynamoUseLog
from omoide.ports.clock import Clock, Entropy


class DynamoTable:
    """The adapters over one table. Nothing is asked of AWS before something is read or written.

    Attributes:
        records: `MemoryRecords` and `WriteLookups`.
        pending: `PendingWrites`.
        uses: `UseLog`.
        keys: `KeyStore`.
        limiter: `RateLimiter`.
        shown: `ShownMemories`.

    Args:
        name: Name of the table.
        clock: The time of day.
        entropy: Randomness.
        sleep: Waits so many seconds before another attempt.
        connection: To the table; None connects to what the environment names.
    """

    def __init__(
        self,
        name: str,
        *,
        clock: Clock,
        entropy: Entropy,
        sleep: Callable[[float], None] = time.sleep,
        connection: TableConnection | None = None,
    ) -> None:
        pauses = Pauses(sleep, entropy)
        self._calls = TableCalls(connection or connect(name), name, pauses)
        self.records = DynamoMemoryRecords(self._calls, clock, entropy)
        self.pending = DynamoPendingWrites(self._calls, entropy)
        self.uses = DynamoUseLog(self._calls)
        self.keys = DynamoKeyStore(self._calls, entropy)
        self.limiter = DynamoRateLimiter(self._calls, clock)
        self.shown = DynamoShownMemories(self._calls)

    def scoring_source(self, revision: str) -> DynamoScoringSource:
        """`ScoringSource` under a model revision."""
        return DynamoScoringSource(self._calls, revision)

    def close(self) -> None:
        """End the threads that read."""
        self._calls.close()
