"""A DynamoDB table in this process, with an index that reads what the table holds."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from moto import mock_aws

from omoide.adapters.dynamodb.connection import TableConnection, connect
from omoide.adapters.dynamodb.folder import DynamoTable
from omoide.adapters.dynamodb.scoring_source import DynamoScoringSource
from omoide.adapters.dynamodb.table import TABLE
from omoide.adapters.fake import FakeClock, FakeEntropy
from omoide.adapters.fake.index import FakeMemoryIndex
from omoide.adapters.fake.state import FolderState
from omoide.domain.candidates import NominationRequest, Pool
from omoide.engine.codec import decode
from omoide.ports.clock import Entropy
from tests.contract.samples import REVISION

TABLE_NAME = "memories"
REGION = "eu-central-1"
MANY = 10_000


class TableIndex:
    """Nominates from the scoring data of the table, all of it, each time.

    Args:
        source: Where the scoring data are.
        clock: The time of day.
    """

    def __init__(self, source: DynamoScoringSource, clock: FakeClock) -> None:
        self._source = source
        self._clock = clock

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the union of the arms, the newest and the neighbours."""
        state = FolderState(clock=self._clock)
        for entry in self._source.newest(request.namespace, MANY):
            if entry.scoring is not None:
                memory = entry.memory
                state.scoring[memory.memory_id] = decode(
                    entry.scoring, memory_id=memory.memory_id, namespace=memory.namespace
                )
        return FakeMemoryIndex(state).nominate(request)


def make_table() -> None:
    """Create the table as deployment does."""
    client: Any = cast("Any", connection()).client
    client.create_table(**TABLE.creation(TABLE_NAME))
    client.update_time_to_live(
        TableName=TABLE_NAME,
        TimeToLiveSpecification={"AttributeName": TABLE.ttl_attribute, "Enabled": True},
    )


def open_table(
    clock: FakeClock,
    sleep: Callable[[float], None] | None = None,
    entropy: Entropy | None = None,
) -> DynamoTable:
    """Open the table; nothing waits."""
    return DynamoTable(
        TABLE_NAME,
        clock=clock,
        entropy=entropy or FakeEntropy(),
        sleep=sleep or (lambda seconds: None),
        connection=connection(),
    )


@cache
def connection() -> TableConnection:
    """The connection of every folder of this process; its ``client`` is botocore's."""
    return connect(TABLE_NAME, region=REGION)


class TableFolder:
    """What a data folder offers, over a table that is gone when it is closed.

    Args:
        clock: The time of day.
        sleep: Waits between attempts; by default nothing does.
    """

    def __init__(self, clock: FakeClock, sleep: Callable[[float], None] | None = None) -> None:
        self._aws = mock_aws()
        self._aws.start()
        make_table()
        self._table = open_table(clock, sleep)
        self.records = self._table.records
        self.uses = self._table.uses
        self.keys = self._table.keys
        self.limiter = self._table.limiter
        self.pending = self._table.pending
        self.source = self._table.scoring_source(REVISION)
        self.index = TableIndex(self.source, clock)

    def close(self) -> None:
        """Drop the table."""
        self._aws.stop()
