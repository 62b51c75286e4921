"""The stacks most tests look at, synthesised once."""

import os

import pytest

os.environ.setdefault("JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION", "1")

from tests.infra_aws.synthesis import Synthesis


@pytest.fixture(scope="session")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Synthesis:
    """As `make deploy` makes it, checked by cdk-nag."""
    return Synthesis(tmp_path_factory.mktemp("usual"), checks=True)


@pytest.fixture(scope="session")
def exact(tmp_path_factory: pytest.TempPathFactory) -> Synthesis:
    """Without a domain, with the other options set too."""
    choices = {
        "name": "Notes",
        "search": "exact",
        "keep_data": "false",
        "architecture": "x86_64",
        "python": "3.12",
        "alarm_email": "operator@example.com",
        "requests_per_second": "7",
        "burst": "9",
    }
    return Synthesis(tmp_path_factory.mktemp("exact"), choices, checks=True)
