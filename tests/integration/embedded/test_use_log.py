"""Accesses are written in the background, whatever happens there."""

import contextlib
import threading
from collections.abc import Callable, Generator
from pathlib import Path

import apsw
import pytest

from omoide.adapters.embedded.database import Connection, Database
from omoide.adapters.embedded.namespaces import NamespaceRegistry
from omoide.adapters.embedded.uses import SqliteUseLog
from omoide.domain.errors import UnavailableError
from omoide.ports.use_log import Accessed
from tests.contract.samples import NOW, creation_of, memory_of
from tests.integration.embedded.processes import opened


class HookedDatabase(Database):
    """Calls something before every write."""

    before_writing: Callable[[], None] = staticmethod(lambda: None)

    @contextlib.contextmanager
    def writing(self) -> Generator[Connection]:
        self.before_writing()
        with super().writing() as connection:
            yield connection


@pytest.fixture
def database(tmp_path: Path) -> Generator[HookedDatabase]:
    with opened(tmp_path) as folder:
        for memory_id in ("m1", "m2"):
            folder.records.commit(creation_of(memory_of(memory_id)))
        database = HookedDatabase(tmp_path / "omoide.sqlite3")
        yield database
        database.close()


def accessed(memory_id: str) -> Accessed:
    return Accessed(namespace="team/a", memory_ids=(memory_id,), session="s", at=NOW)


def wait_for_timers() -> None:
    while timers := [t for t in threading.enumerate() if isinstance(t, threading.Timer)]:
        for timer in timers:
            timer.join()


def counted(log: SqliteUseLog) -> dict[str, int]:
    return {key: use.access_count for key, use in log.get_many("team/a", ["m1", "m2"]).items()}


def test_what_is_recorded_while_others_are_written_is_written_too(
    database: HookedDatabase,
) -> None:
    log = SqliteUseLog(database, NamespaceRegistry(), delay_s=0.001)
    is_writing, may_go_on = threading.Event(), threading.Event()

    def wait() -> None:
        is_writing.set()
        may_go_on.wait()

    database.before_writing = wait
    log.record(accessed("m1"))
    is_writing.wait()
    log.record(accessed("m2"))
    may_go_on.set()
    wait_for_timers()

    assert counted(log) == {"m1": 1, "m2": 1}


@pytest.mark.parametrize("failure", [UnavailableError(), apsw.SQLError("odd"), MemoryError()])
def test_what_could_not_be_written_is_written_later(
    failure: Exception, database: HookedDatabase
) -> None:
    log = SqliteUseLog(database, NamespaceRegistry(), delay_s=0.001)
    failures = [failure] * 3

    def fail() -> None:
        if failures:
            raise failures.pop()

    database.before_writing = fail
    log.record(accessed("m1"))
    wait_for_timers()

    assert counted(log) == {"m1": 1}


def test_closing_waits_for_what_is_being_written(database: HookedDatabase) -> None:
    log = SqliteUseLog(database, NamespaceRegistry(), delay_s=0.001)
    is_writing, may_go_on = threading.Event(), threading.Event()

    def wait() -> None:
        is_writing.set()
        may_go_on.wait()

    database.before_writing = wait
    log.record(accessed("m1"))
    is_writing.wait()
    closing = threading.Thread(target=log.close)
    closing.start()
    closing.join(0.05)
    assert closing.is_alive()
    may_go_on.set()
    closing.join()

    assert counted(log) == {"m1": 1}
