"""What the functions of the benchmark talk to: a table, queues, and an OpenSearch node."""

import os
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from infra.local.emulator import access_to, start_emulator
from infra.local.opensearch_node import running_node
from omoide.adapters.dynamodb.table import TABLE

TABLE_NAME = "omoide-bench"
SEEKING = Path(__file__).parent / "seeking_table.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class CloudServices:
    """Services that run.

    Attributes:
        settings: Variables by which functions and commands find them.
    """

    settings: Mapping[str, str]


@contextmanager
def running_services(
    folder: Path, *, port: int, has_index: bool
) -> Generator[CloudServices, None, None]:
    """The emulator with a table and queues, and a node beside it.

    Args:
        folder: Keeps what they hold.
        port: A free one, for the emulator.
        has_index: Whether there is a node; otherwise searches are exact.

    Raises:
        EmulatorError: The emulator does not start.
        NodeError: The node does not start.
    """
    with ExitStack() as stack:
        index: dict[str, str] = {}
        if has_index:
            url = stack.enter_context(running_node(folder / "opensearch"))
            index = {"OMOIDE_OPENSEARCH_URL": url}
        emulator = start_emulator(
            folder / "emulator", port=port, enforces_iam=False, script=SEEKING
        )
        stack.callback(emulator.stop)
        access = access_to(emulator.url)
        stack.enter_context(_environment(access))
        queues = _make_table_and_queues()
        yield CloudServices(settings=access | index | queues | {"OMOIDE_TABLE": TABLE_NAME})


@contextmanager
def released_emulator(folder: Path, *, port: int) -> Generator[None, None, None]:
    """The emulator as it is released, on what another one left in a folder."""
    emulator = start_emulator(folder / "emulator", port=port, enforces_iam=False)
    try:
        yield
    finally:
        emulator.stop()


def _make_table_and_queues() -> dict[str, str]:
    _client("dynamodb").create_table(**TABLE.creation(TABLE_NAME))
    queues = _client("sqs")
    urls = [queues.create_queue(QueueName=name)["QueueUrl"] for name in ("uses", "faults")]
    return {"OMOIDE_USES_QUEUE": urls[0], "OMOIDE_DEAD_LETTERS": urls[1]}


def _client(service: str) -> Any:  # noqa: ANN401 - botocore has no types
    from botocore.session import Session  # pyright: ignore[reportMissingTypeStubs]

    return cast("Any", Session()).create_client(service)


@contextmanager
def _environment(variables: Mapping[str, str]) -> Generator[None, None, None]:
    """Variables of this process meanwhile."""
    former = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in former.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
