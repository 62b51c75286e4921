"""Ten writers and two searchers on one data folder."""

import threading
from pathlib import Path
from queue import SimpleQueue
from subprocess import Popen

import pytest

from omoide.domain.memory_filter import MemoryFilter
from tests.integration.embedded.processes import opened, start

pytestmark = pytest.mark.integration

WRITERS = 10
SEARCHERS = 2
MEMORIES_EACH = 200

Written = SimpleQueue[tuple[str, str] | None]


def tell(process: Popen[str], line: str) -> None:
    assert process.stdin is not None
    process.stdin.write(line + "\n")
    process.stdin.flush()


def hear(process: Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def pass_on(writer: Popen[str], written: Written) -> None:
    assert writer.stdout is not None
    for line in writer.stdout:
        memory_id, word = line.split()
        written.put((memory_id, word))


def search_for_each(searcher: Popen[str], written: Written, missed: list[str]) -> None:
    while (item := written.get()) is not None:
        memory_id, word = item
        tell(searcher, word)
        if memory_id not in hear(searcher).split(","):
            missed.append(memory_id)


def test_every_write_is_found_by_the_next_search_of_another_process(tmp_path: Path) -> None:
    path = tmp_path / "data"
    writers = [start("run_writer", path, f"w{i}", MEMORIES_EACH) for i in range(WRITERS)]
    searchers = [start("run_searcher", path) for _ in range(SEARCHERS)]
    assert {hear(process) for process in (*writers, *searchers)} == {"ready"}
    written: Written = SimpleQueue()
    missed: list[str] = []

    passing = [threading.Thread(target=pass_on, args=(w, written)) for w in writers]
    searching = [
        threading.Thread(target=search_for_each, args=(s, written, missed)) for s in searchers
    ]
    for thread in (*passing, *searching):
        thread.start()
    for writer in writers:
        tell(writer, "go")
    for thread in passing:
        thread.join()
    for _ in searchers:
        written.put(None)
    for thread in searching:
        thread.join()
    errors = "".join(process.communicate()[1] for process in (*writers, *searchers))

    assert errors == ""
    assert [process.returncode for process in (*writers, *searchers)] == [0] * 12
    assert missed == []
    with opened(path) as folder:
        assert folder.records.count("team/a") == WRITERS * MEMORIES_EACH
        assert folder.records.count("team/a", MemoryFilter()) == WRITERS * MEMORIES_EACH
        assert folder.verify() == ()
