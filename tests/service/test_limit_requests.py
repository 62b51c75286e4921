from dataclasses import replace

import pytest

from omoide.adapters.fake.clock import FakeClock
from omoide.adapters.fake.limiter import FakeRateLimiter
from omoide.domain.errors import RateLimitedError
from omoide.domain.principal import Principal
from omoide.ports.rate_limiter import RequestKind
from omoide.services.limit_requests import LimitRequests
from tests.service.write_desk import LOCAL, key

WRITE, SEARCH = RequestKind.WRITE, RequestKind.SEARCH


def allowed(limit: LimitRequests, principal: Principal, kind: RequestKind) -> int:
    """How many requests pass before one is refused, of at most 2,000."""
    for count in range(2_000):
        try:
            limit(principal, kind)
        except RateLimitedError:
            return count
    return 2_000


@pytest.fixture
def limit() -> LimitRequests:
    return LimitRequests(limiter=FakeRateLimiter(FakeClock()))


def test_a_key_has_600_writes_and_1200_searches_a_minute(limit: LimitRequests) -> None:
    assert allowed(limit, key("write:**"), WRITE) == 600
    assert allowed(limit, key("write:**"), SEARCH) == 1_200


def test_keys_are_counted_apart(limit: LimitRequests) -> None:
    assert allowed(limit, key("write:**", key_id="one"), WRITE) == 600
    assert allowed(limit, key("write:**", key_id="other"), WRITE) == 600


def test_the_local_principal_is_not_counted(limit: LimitRequests) -> None:
    assert allowed(limit, LOCAL, WRITE) == 2_000


def test_agents_are_counted_when_a_limit_for_them_is_set(limit: LimitRequests) -> None:
    limit = replace(limit, agent_writes_per_minute=60, agent_searches_per_minute=120)
    one, other = (replace(LOCAL, limited_agent=agent) for agent in ("one", "other"))

    assert allowed(limit, one, WRITE) == 60
    assert allowed(limit, one, SEARCH) == 120
    assert allowed(limit, other, WRITE) == 60
    assert allowed(limit, LOCAL, WRITE) == 2_000


def test_agents_are_not_counted_unless_a_limit_is_set(limit: LimitRequests) -> None:
    assert allowed(limit, replace(LOCAL, limited_agent="one"), WRITE) == 2_000


def test_a_refusal_says_when_to_come_back(limit: LimitRequests) -> None:
    limit = replace(limit, writes_per_minute=1)
    limit(key("write:**"), WRITE)

    with pytest.raises(RateLimitedError) as refused:
        limit(key("write:**"), WRITE)

    assert 1 <= refused.value.retry_after_s <= 60
