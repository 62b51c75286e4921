"""Too many requests of one key."""

import os

import pytest

from omoide.adapters.dynamodb.folder import DynamoTable
from omoide.adapters.system.clock import SystemClock, SystemEntropy
from omoide.ports.rate_limiter import RequestKind
from omoide.settings import Settings
from tests.emulated.deployed_api import DeployedApi

WRITES = Settings().writes_per_minute
SEARCHES = Settings().searches_per_minute


def use_up(key_id: str, kind: RequestKind, limit: int) -> None:
    """Count requests as other functions do that the key has called within the minute."""
    table = DynamoTable(os.environ["OMOIDE_TABLE"], clock=SystemClock(), entropy=SystemEntropy())
    for _ in range(limit):
        table.limiter.check(key_id, kind, limit)


@pytest.mark.parametrize(
    ("kind", "limit"), [(RequestKind.WRITE, WRITES), (RequestKind.SEARCH, SEARCHES)]
)
def test_one_request_too_many_in_a_minute_is_refused_and_told_when_to_come_again(
    operator: DeployedApi, kind: RequestKind, limit: int
) -> None:
    key_id, api = operator.make_key(["admin:**"])
    _, other = operator.make_key(["admin:**"])
    requests = {
        RequestKind.WRITE: ("/v1/memories", {"content": "Once more."}),
        RequestKind.SEARCH: ("/v1/memories/search", {"query": "more"}),
    }
    path, body = requests[kind]
    body |= {"namespace": api.namespace}
    use_up(key_id, kind, limit)

    refused = api.send("POST", path, body)
    of_another_kind = api.send("GET", "/v1/memories/count", None, namespace=api.namespace)
    of_another_key = other.send("POST", path, body)

    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "RATE_LIMITED"
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert of_another_kind.status_code == 200
    assert of_another_key.is_success
