"""One large namespace and many small ones in one folder, as a data folder of many users is."""

from collections.abc import Iterator
from dataclasses import dataclass

from infra.local.bench.fill import NAMESPACE, PerturbedTexts, fill
from infra.local.bench.run_options import Advanced
from omoide.ports.memory_records import MemoryRecords

SMALL_SIZE = 1_000
"""Memories of a small namespace."""

_LARGE_SHARE = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The memories of one namespace.

    Attributes:
        namespace: Its name.
        begin: Number of the first memory.
        end: Number after the last.
    """

    namespace: str
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Spread:
    """A number of memories: a tenth in one namespace, the rest in small ones of 1,000.

    Attributes:
        total: How many in all.
    """

    total: int

    @property
    def large(self) -> Share:
        """The large namespace."""
        return Share(namespace=NAMESPACE, begin=0, end=round(self.total * _LARGE_SHARE))

    @property
    def small(self) -> list[Share]:
        """The small namespaces; the last one may hold fewer."""
        begins = range(self.large.end, self.total, SMALL_SIZE)
        return [
            Share(
                namespace=f"small-{number:03}",
                begin=begin,
                end=min(begin + SMALL_SIZE, self.total),
            )
            for number, begin in enumerate(begins)
        ]

    def __iter__(self) -> Iterator[Share]:
        yield self.large
        yield from self.small


def fill_spread(
    records: MemoryRecords, texts: PerturbedTexts, spread: Spread, advanced: Advanced
) -> int:
    """Commit what is not there yet; return how many memories that were.

    Args:
        records: Where to; what an interrupted run stored is left as it is.
        texts: What the memories say.
        spread: How many, and where.
        advanced: Called with how many more are there.
    """
    filled = 0
    for share in spread:
        there = min(share.end - share.begin, records.count(share.namespace))
        advanced(there)
        begin = share.begin + there
        fill(
            records,
            texts,
            begin=begin,
            end=share.end,
            namespace=share.namespace,
            advanced=advanced,
        )
        filled += share.end - begin
    return filled
