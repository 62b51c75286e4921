"""An index whose node fails as told, over three memories."""

from typing import Any

import pytest

from omoide.adapters.fake.following import FollowedFolder
from omoide.adapters.opensearch import OpenSearchMemoryIndex
from tests.contract.samples import creation_of, memory_of
from tests.unit.opensearch.node import LAYOUT, Node, Stopwatch


@pytest.fixture
def folder() -> FollowedFolder:
    made = FollowedFolder()
    for i, text in enumerate(["red car", "red bus", "blue sky"]):
        made.records.commit(creation_of(memory_of(f"m{i}", text)))
    return made


@pytest.fixture
def node() -> Node:
    return Node()


@pytest.fixture
def stopwatch() -> Stopwatch:
    return Stopwatch()


@pytest.fixture
def index(folder: FollowedFolder, node: Any, stopwatch: Stopwatch) -> OpenSearchMemoryIndex:
    return OpenSearchMemoryIndex(
        node, LAYOUT, pending=folder.pending, source=folder.source, stopwatch=stopwatch
    )
