"""The stack that `make e2e` has deployed; its address and an admin key are in the environment."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.emulated.deployed_api import DeployedApi

TIMEOUT_S = 60.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All need the deployed stack."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.emulator)


@pytest.fixture(scope="session")
def http() -> Iterator[httpx.Client]:
    """Connections to the deployed API."""
    with httpx.Client(base_url=os.environ["OMOIDE_URL"], timeout=TIMEOUT_S, trust_env=False) as one:
        yield one


@pytest.fixture
def api(http: httpx.Client) -> DeployedApi:
    """The API as an operator, with a namespace that no other test uses."""
    return DeployedApi(http, os.environ["OMOIDE_KEY"], f"e2e/{uuid.uuid4()}")
