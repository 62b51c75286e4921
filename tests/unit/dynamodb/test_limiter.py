"""Counting requests takes one request to the table, unless another process counts too."""

import pytest

from omoide.adapters.fake import FakeClock
from omoide.domain.errors import RateLimitedError
from omoide.ports.rate_limiter import RequestKind
from tests.contract.table_folder import TableFolder, open_table
from tests.unit.dynamodb.wire import Wire


def test_who_counts_alone_reads_once_and_then_only_writes(folder: TableFolder, wire: Wire) -> None:
    for _ in range(5):
        folder.limiter.check("key", RequestKind.SEARCH, 10)

    assert wire.counts == {"GetItem": 1, "UpdateItem": 5}


def test_what_another_process_counts_is_counted(folder: TableFolder, clock: FakeClock) -> None:
    other = open_table(clock).limiter
    for _ in range(3):
        folder.limiter.check("key", RequestKind.SEARCH, 6)
        other.check("key", RequestKind.SEARCH, 6)

    for limiter in (folder.limiter, other):
        with pytest.raises(RateLimitedError):
            limiter.check("key", RequestKind.SEARCH, 6)


def test_after_a_minute_the_table_is_read_again(
    folder: TableFolder, clock: FakeClock, wire: Wire
) -> None:
    folder.limiter.check("key", RequestKind.SEARCH, 10)
    clock.advance(minutes=1)
    folder.limiter.check("key", RequestKind.SEARCH, 10)

    assert wire.counts == {"GetItem": 2, "UpdateItem": 2}
