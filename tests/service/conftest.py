import pytest

from tests.service.write_desk import WriteDesk, open_desk


@pytest.fixture
def desk() -> WriteDesk:
    return open_desk()
