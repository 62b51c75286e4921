"""The stack that `make e2e` has deployed; its address and an admin key are in the environment."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.emulated.deployed_api import DeployedApi
from tests.emulated.deployed_stack import DeployedStack

TIMEOUT_S = 60.0
CONNECTIONS = 100


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All need the deployed stack; what stops a part of it runs alone, after the others."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.emulator)


@pytest.fixture(scope="session")
def http() -> Iterator[httpx.Client]:
    """Connections to the deployed API."""
    limits = httpx.Limits(max_connections=CONNECTIONS)
    url = os.environ["OMOIDE_URL"]
    with httpx.Client(base_url=url, timeout=TIMEOUT_S, limits=limits, trust_env=False) as opened:
        yield opened


@pytest.fixture
def operator(http: httpx.Client) -> DeployedApi:
    """The API with the key that deployment has made, with a namespace that no other test uses."""
    return DeployedApi(http, os.environ["OMOIDE_KEY"], f"e2e/{uuid.uuid4()}")


@pytest.fixture
def api(operator: DeployedApi) -> DeployedApi:
    """The API with an admin key of the test's own: no other test uses up what it may do.

    The gateway has asked whose it is already, as it does once a minute.
    """
    own = operator.make_key(["admin:**"])[1]
    assert own.count() == 0
    return own


@pytest.fixture(scope="session")
def stack() -> DeployedStack:
    """The AWS side."""
    return DeployedStack()
