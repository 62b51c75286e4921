"""A DynamoDB table in this process, with an index that reads what the table holds."""

import os
import uuid
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
from omoide.adapters.system.clock import SystemEntropy
from omoide.domain.candidates import NominationRequest, Pool
from omoide.engine.codec import decode
from omoide.ports.clock import Entropy
from tests.contract.samples import REVISION

TABLE_NAME = "memories"
REGION = "eu-central-1"
EMULATOR_URL = "http://127.0.0.1:4566"
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
        for entry in self._source.read(self._source.newest(request.namespace, MANY)):
            if entry.scoring is not None:
                memory = entry.memory
                state.scoring[memory.memory_id] = decode(
                    entry.scoring, memory_id=memory.memory_id, namespace=memory.namespace
                )
        return FakeMemoryIndex(state).nominate(request)


def make_table(connection: TableConnection, name: str = TABLE_NAME) -> None:
    """Create the table as deployment does."""
    client: Any = cast("Any", connection).client
    client.create_table(**TABLE.creation(name))
    client.update_time_to_live(
        TableName=name,
        TimeToLiveSpecification={"AttributeName": TABLE.ttl_attribute, "Enabled": True},
    )


def open_table(
    clock: FakeClock,
    sleep: Callable[[float], None] | None = None,
    entropy: Entropy | None = None,
) -> DynamoTable:
    """Open the table in this process; nothing waits."""
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


class _Table:
    """What a data folder offers, over a table."""

    def __init__(self, table: DynamoTable, clock: FakeClock) -> None:
        self.records = table.records
        self.uses = table.uses
        self.keys = table.keys
        self.limiter = table.limiter
        self.shown = table.shown
        self.pending = table.pending
        self.source = table.scoring_source(REVISION)
        self.index = TableIndex(self.source, clock)


class TableFolder(_Table):
    """A table in this process, gone when it is closed.

    Args:
        clock: The time of day.
        sleep: Waits between attempts; by default nothing does.
    """

    def __init__(self, clock: FakeClock, sleep: Callable[[float], None] | None = None) -> None:
        self._aws = mock_aws()
        self._aws.start()
        make_table(connection())
        super().__init__(open_table(clock, sleep), clock)

    def close(self) -> None:
        """Drop the table."""
        self._aws.stop()


class EmulatedFolder(_Table):
    """A table of its own on the emulator at ``AWS_ENDPOINT_URL``, gone when it is closed.

    Args:
        clock: The time of day.
    """

    def __init__(self, clock: FakeClock) -> None:
        self._name = f"contract-{uuid.uuid4()}"
        url = os.environ.get("AWS_ENDPOINT_URL", EMULATOR_URL)
        self._connection = connect(self._name, region=REGION, endpoint_url=url)
        make_table(self._connection, self._name)
        table = DynamoTable(
            self._name, clock=clock, entropy=SystemEntropy(), connection=self._connection
        )
        super().__init__(table, clock)

    def close(self) -> None:
        """Drop the table."""
        cast("Any", self._connection).client.delete_table(TableName=self._name)
