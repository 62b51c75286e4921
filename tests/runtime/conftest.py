"""The deployed package and an AWS to talk to."""

import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import boto3  # pyright: ignore[reportMissingTypeStubs]
import pytest
from moto.server import ThreadedMotoServer

from infra.local.lambdas.unpacked import Deployed, deploy, set_writable
from omoide.adapters.dynamodb.table import TABLE

REGION = "us-east-1"
TABLE_NAME = "memories"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They share one build: one worker runs them all."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.runtime)
            item.add_marker(pytest.mark.xdist_group("runtime"))


@pytest.fixture(scope="session")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    """Unpacked and read-only."""
    made = deploy(tmp_path_factory.mktemp("deployed"))
    yield made
    for root in (made.opt, made.core, made.task):
        set_writable(root, is_writable=True)


@contextmanager
def running_aws() -> Generator[dict[str, str], None, None]:
    """A server with the table and the queues; the settings that name them.

    Its index is down, as it is during a maintenance: nothing listens there.
    """
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    table, queues = _client("dynamodb", url), _client("sqs", url)
    table.create_table(**TABLE.creation(TABLE_NAME))
    urls = [queues.create_queue(QueueName=name)["QueueUrl"] for name in ("uses", "faults")]
    yield {
        "AWS_ENDPOINT_URL": url,
        "OMOIDE_TABLE": TABLE_NAME,
        "OMOIDE_OPENSEARCH_URL": "http://127.0.0.1:9",
        "OMOIDE_USES_QUEUE": urls[0],
        "OMOIDE_DEAD_LETTERS": urls[1],
    }
    server.stop()


@pytest.fixture(scope="session")
def aws() -> Iterator[dict[str, str]]:
    """The settings of functions that run beside such a server."""
    with running_aws() as settings:
        yield settings


@pytest.fixture(autouse=True)
def _no_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine's own AWS configuration is read."""
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        monkeypatch.delenv(name)


def _client(service: str, url: str) -> Any:
    access = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}
    return cast("Any", boto3).client(service, region_name=REGION, endpoint_url=url, **access)
