"""Memories and the queries they are to answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from omoide.services.new_memory import NewMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledMemory:
    """A memory and the name its set knows it by.

    Attributes:
        label: Unique in its corpus.
        memory: What is stored.
        created_at: When it is stored; None means at its event time.
    """

    label: str
    memory: NewMemory
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledQuery:
    """A query and what answers it.

    Attributes:
        text: The query.
        relevant: Grade of each relevant memory by label; empty when nothing answers it.
        must_not_top: Labels of memories which must not rank above every relevant one.
        as_of: The time at which it is asked; None means after the last memory.
        category: What it is reported under.
        language: What it is reported under, too.
    """

    text: str
    relevant: Mapping[str, int]
    must_not_top: tuple[str, ...] = ()
    as_of: datetime | None = None
    category: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """One namespace of memories and its queries."""

    name: str
    memories: tuple[LabelledMemory, ...]
    queries: tuple[LabelledQuery, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationSet:
    """Corpora that are reported together.

    Attributes:
        name: Its name in reports.
        corpora: Its namespaces.
        apart: Categories that the overall figures leave out.
    """

    name: str
    corpora: tuple[Corpus, ...]
    apart: frozenset[str] = field(default_factory=frozenset[str])

    @property
    def memory_count(self) -> int:
        """Memories of all corpora."""
        return sum(len(corpus.memories) for corpus in self.corpora)

    @property
    def query_count(self) -> int:
        """Queries of all corpora."""
        return sum(len(corpus.queries) for corpus in self.corpora)
