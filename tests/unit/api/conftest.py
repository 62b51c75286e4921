from collections.abc import Iterator

import pytest

from functions import composition
from tests.unit.api.api_desk import ApiDesk, open_desk


@pytest.fixture
def desk() -> Iterator[ApiDesk]:
    yield open_desk()
    composition.configure()
