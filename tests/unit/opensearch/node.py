"""What stands in for a node, for slow records and for time."""

from collections.abc import Sequence
from typing import Any

from omoide.adapters.fake.following import FakeScoringSource
from omoide.adapters.opensearch import IndexLayout
from omoide.ports.pending_writes import MemoryRef
from omoide.ports.scoring_source import IndexEntry
from tests.contract.samples import DIMS, REVISION, request_of

LAYOUT = IndexLayout(revision=REVISION, dims=DIMS)
REQUEST = request_of("red", vector=None, neighbours=False)


class Stopwatch:
    """Shows the time it was moved to."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def move(self, seconds: float) -> None:
        self.now += seconds


class SlowSource:
    """Scoring data of which each reading takes a time.

    Attributes:
        step_s: Seconds.
    """

    def __init__(self, source: FakeScoringSource, stopwatch: Stopwatch) -> None:
        self._source = source
        self._stopwatch = stopwatch
        self.step_s = 0.0
        self.read = source.read
        self.newest = source.newest
        self.page = source.page

    def read_live(self, memories: Sequence[MemoryRef]) -> list[IndexEntry]:
        self._stopwatch.move(self.step_s)
        return self._source.read_live(memories)


class Node:
    """Stands for the client: fails as told, else answers as an empty index."""

    def __init__(self) -> None:
        self.failure: Exception | None = None
        self.answers: list[dict[str, Any]] = []
        self.timeouts: list[float] = []
        self.excluded: list[Any] = []

    def msearch(self, *, body: list[dict[str, Any]], params: dict[str, Any]) -> dict[str, Any]:
        self.timeouts.append(params["request_timeout"])
        self.excluded.append(body[3]["query"]["bool"]["filter"]["bool"].get("must_not"))
        if self.failure is not None:
            raise self.failure
        if self.answers:
            return {"responses": self.answers}
        empty = {"value": 0}
        terms = {"buckets": [{"doc_count": 0}]}
        statistics = {
            "hits": {"total": empty},
            "aggregations": {
                "own_length": empty,
                "context_length": empty,
                "own": terms,
                "words": terms,
            },
        }
        return {"responses": [statistics, {"hits": {"hits": []}}]}
