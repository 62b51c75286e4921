"""What the functions of the benchmark talk to: a table, queues, and an OpenSearch node."""

import os
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, cast

from infra.local.emulator import access_to, start_emulator
from infra.local.opensearch_node import free_ports, running_node
from omoide.adapters.dynamodb.table import TABLE

TABLE_NAME = "omoide-bench"
SEEKING = Path(__file__).parent / "seeking_table.py"


class CloudServices:
    """Services that run.

    Attributes:
        settings: Variables by which functions and commands find them.

    Args:
        folder: Keeps what the emulator holds.
        port: Of the emulator.
        opensearch_url: The node; None without one.
    """

    def __init__(self, folder: Path, port: int, opensearch_url: str | None) -> None:
        self._folder = folder
        self._port = port
        self._emulator = start_emulator(folder, port=port, enforces_iam=False, script=SEEKING)
        self._variables = access_to(self._emulator.url)
        index = {} if opensearch_url is None else {"OMOIDE_OPENSEARCH_URL": opensearch_url}
        self.settings: Mapping[str, str] = {
            **self._variables,
            **index,
            "OMOIDE_TABLE": TABLE_NAME,
        }

    @contextmanager
    def table_and_queues(self) -> Generator[None, None, None]:
        """Make them; this process finds them meanwhile."""
        with _environment(self._variables):
            self.settings = {**self.settings, **_make_table_and_queues()}
            yield

    def go_on_as_released(self) -> None:
        """Start the emulator anew on what it holds, without the addition to its Query."""
        self._emulator.stop()
        self._emulator = start_emulator(self._folder, port=self._port, enforces_iam=False)

    def stop(self) -> None:
        """End the emulator."""
        self._emulator.stop()


@contextmanager
def running_services(folder: Path, *, has_index: bool) -> Generator[CloudServices, None, None]:
    """The emulator with a table and queues, and a node beside it.

    Args:
        folder: Keeps what they hold.
        has_index: Whether there is a node; otherwise searches are exact.

    Raises:
        EmulatorError: The emulator does not start.
        NodeError: The node does not start.
    """
    with ExitStack() as stack:
        url = stack.enter_context(running_node(folder / "opensearch")) if has_index else None
        services = CloudServices(folder / "emulator", free_ports(1)[0], url)
        stack.callback(services.stop)
        stack.enter_context(services.table_and_queues())
        yield services


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
