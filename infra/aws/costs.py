"""What a deployment costs: list prices, quantities, and the table of the documentation.

``python -m infra.aws.costs`` prints the table; a test holds ``docs/aws.md`` to it, and the
quantities to the stack and to the requests that the code makes.
"""

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from infra.aws.options import SearchMode
from infra.aws.search_domain import VOLUME_GIB
from omoide.adapters.dynamodb.table import DUE_SHARDS

PRICED_ON = "2026-11-30"
"""When the prices were looked up; AWS's price list of the region decides."""

HOURS = 730
"""Of a month, as AWS counts."""

MILLION = 1_000_000


class Price(StrEnum):
    """What AWS charges for, by the unit it is counted in here."""

    API_REQUEST = "request to a REST API"
    LAMBDA_REQUEST = "call of a function"
    LAMBDA_GB_SECOND = "GB-second of a function (arm64)"
    WRITE_UNIT = "write request unit of DynamoDB"
    READ_UNIT = "read request unit of DynamoDB"
    QUEUE_REQUEST = "request to SQS"
    TABLE_GB = "GB of a table, a month"
    BACKUP_GB = "GB of point-in-time recovery, a month"
    NODE_HOUR = "hour of a t3.small.search node"
    VOLUME_GB = "GB of gp3 of the node, a month"
    ALARM = "alarm, a month"


PRICES: Mapping[Price, float] = {
    Price.API_REQUEST: 3.50 / MILLION,
    Price.LAMBDA_REQUEST: 0.20 / MILLION,
    Price.LAMBDA_GB_SECOND: 0.0000133334,
    Price.WRITE_UNIT: 0.625 / MILLION,
    Price.READ_UNIT: 0.125 / MILLION,
    Price.QUEUE_REQUEST: 0.40 / MILLION,
    Price.TABLE_GB: 0.25,
    Price.BACKUP_GB: 0.20,
    Price.NODE_HOUR: 0.036,
    Price.VOLUME_GB: 0.122,
    Price.ALARM: 0.10,
}
"""US dollars in us-east-1, on demand, without the free tier."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One thing that is charged.

    Attributes:
        price: What.
        quantity: How many.
        why: What for.
    """

    price: Price
    quantity: float
    why: str

    @property
    def dollars(self) -> float:
        """Its cost."""
        return PRICES[self.price] * self.quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one line of the table adds up.

    Attributes:
        name: What it is the cost of.
        times: How often its parts are paid.
        parts: What is paid each time.
        modes: The search modes it is about.
    """

    name: str
    parts: tuple[Part, ...]
    times: int = MILLION
    modes: tuple[SearchMode, ...] = (SearchMode.OPENSEARCH, SearchMode.EXACT)

    @property
    def dollars(self) -> float:
        """Its cost, all of it."""
        return self.times * sum(part.dollars for part in self.parts)


def _request(seconds: float, gigabytes: float, why: str) -> tuple[Part, ...]:
    return (
        Part(price=Price.API_REQUEST, quantity=1, why="the API"),
        Part(price=Price.LAMBDA_REQUEST, quantity=1, why="the function"),
        Part(price=Price.LAMBDA_GB_SECOND, quantity=seconds * gigabytes, why=why),
    )


def _units(writes: float, reads: float, why: str) -> tuple[Part, ...]:
    return (
        Part(price=Price.WRITE_UNIT, quantity=writes, why=why),
        Part(price=Price.READ_UNIT, quantity=reads, why=why),
    )


STORE_UNITS, INDEX_UNITS, GET_UNITS = (20, 5), (5, 3), (0, 3)
"""Write and read units: of a store by a key (60 tokens, no session), of taking it into the index,
of a memory by its id."""

RETURNED, CANDIDATES = 10, 150
"""Memories that a search answers with, and that it weighs, in a namespace of some thousands."""

SEARCH_UNITS = (1, 3 + CANDIDATES + RETURNED)
"""The rate; the rate, what is pending, the use of the candidates, the records of the answer."""

USE_UNITS = (RETURNED, 2 * RETURNED)
"""Counting the use of what was found: the record and the counters of each, the counters anew."""

_BATCH = 10
"""Messages or changes that one call in the background works off, with some load."""


def idle(alarms: int) -> tuple[Part, ...]:
    """What is paid while nobody asks anything."""
    return (
        Part(price=Price.ALARM, quantity=alarms, why="alarms"),
        Part(price=Price.LAMBDA_REQUEST, quantity=60 * HOURS, why="its calls"),
        Part(
            price=Price.LAMBDA_GB_SECOND,
            quantity=60 * HOURS * 0.05,
            why="the clock's function, 0.1 s at 512 MB",
        ),
        Part(
            price=Price.READ_UNIT,
            quantity=60 * HOURS * DUE_SHARDS,
            why="its queries for what is due",
        ),
    )


ALARMS: Mapping[SearchMode, int] = {SearchMode.OPENSEARCH: 12, SearchMode.EXACT: 10}
"""Alarms of a stack."""

_NODE = (
    Part(price=Price.NODE_HOUR, quantity=HOURS, why="the node"),
    Part(price=Price.VOLUME_GB, quantity=VOLUME_GIB, why=f"its {VOLUME_GIB} GB"),
)
_SEARCH = (
    *_request(0.15, 2, "0.15 s at 2 GB"),
    *_units(*SEARCH_UNITS, why="rate, pending writes, use of 150 candidates, 10 records"),
    *_units(*USE_UNITS, why="counting the use of 10 memories"),
    Part(price=Price.QUEUE_REQUEST, quantity=1 + 2 / _BATCH, why="the queue of uses"),
)

COSTS: Sequence[Cost] = (
    Cost(
        name="a month, idle",
        times=1,
        parts=(*idle(ALARMS[SearchMode.OPENSEARCH]), *_NODE),
        modes=(SearchMode.OPENSEARCH,),
    ),
    Cost(
        name="a month, idle",
        times=1,
        parts=idle(ALARMS[SearchMode.EXACT]),
        modes=(SearchMode.EXACT,),
    ),
    Cost(
        name="a million stores",
        parts=(
            *_request(0.2, 2, "0.2 s at 2 GB"),
            *_units(*STORE_UNITS, why="the transaction and what it is decided by"),
            *_units(*INDEX_UNITS, why="taking it into the index"),
            Part(price=Price.LAMBDA_REQUEST, quantity=1 / _BATCH, why="the indexer"),
            Part(price=Price.LAMBDA_GB_SECOND, quantity=1.5 * 0.5 / _BATCH, why="1.5 s for ten"),
        ),
    ),
    Cost(name="a million searches", parts=_SEARCH),
    Cost(
        name="reading a million memories into functions that search exactly",
        parts=_units(0, 3, why="record and scoring data of each"),
        modes=(SearchMode.EXACT,),
    ),
    Cost(
        name="a million reads by id",
        parts=(*_request(0.05, 0.5, "0.05 s at 512 MB"), *_units(*GET_UNITS, why="the memory")),
    ),
    Cost(
        name="a gigabyte of records, a month",
        times=1,
        parts=(
            Part(price=Price.TABLE_GB, quantity=1, why="the table"),
            Part(price=Price.BACKUP_GB, quantity=1, why="backups"),
        ),
    ),
)
"""Every line; a name may come once for each search mode."""


def table() -> str:
    """The lines and the prices as Markdown."""
    rows = ["| | `search=opensearch` | `search=exact` | made of |", "|---|---|---|---|"]
    for name in dict.fromkeys(cost.name for cost in COSTS):
        same = [cost for cost in COSTS if cost.name == name]
        shown = [_shown(same, mode) for mode in SearchMode]
        rows.append(f"| {name} | {' | '.join(shown)} | {_made_of(same[0])} |")
    rows += ["", "| list price | US dollars |", "|---|---|"]
    rows += [f"| {kind.value} | {_price(PRICES[kind])} |" for kind in Price]
    return "\n".join(rows) + "\n"


def _shown(same: Sequence[Cost], mode: SearchMode) -> str:
    return next((f"{cost.dollars:.2f}" for cost in same if mode in cost.modes), "none")


def _made_of(cost: Cost) -> str:
    """The costs by what they are for, largest first."""
    sums: dict[str, float] = {}
    for part in cost.parts:
        sums[part.why] = sums.get(part.why, 0.0) + cost.times * part.dollars
    largest = sorted(sums.items(), key=lambda item: -item[1])
    return "; ".join(f"{why} {dollars:.2f}" for why, dollars in largest if dollars >= 0.005)


def _price(dollars: float) -> str:
    return f"{dollars:.10f}".rstrip("0") if dollars < 0.01 else f"{dollars:.3f}"


if __name__ == "__main__":
    sys.stdout.write(table())
