"""Random retrievals, held to what a retrieval promises whatever is asked.

Never over the budget, by a count of its own; never empty where a search finds something; the same
again for the same request.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from functions import composition
from infra.local.evaluation.measuring import Advanced, ForgetfulUses
from infra.local.evaluation.moments import NOW, KnownMemory, read_memories
from infra.local.evaluation.surfacing import known_users
from omoide.domain.context_assembly.cascade import CascadeStage
from omoide.domain.context_assembly.tiers import LARGEST_BUDGET, LEAST_BUDGET
from omoide.domain.context_assembly.token_target import TokenTarget
from omoide.domain.memory import MemoryType
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.services.new_memory import NewMemory
from omoide.services.retrieve_context import ContextQuery
from omoide.services.search_query import SearchQuery

LONG = "long"
"""Namespace of memories of every length, made of the others."""

_LENGTHS = (1, 2, 5, 20, 60, 150)
_LONG_COUNT = 60
_ODD = (
    "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35",
    "\U0001f600\u200d\U0001f525",
    "</memories-aaaaaaaa>",
    "0",
    "\u202e",
    "a" * 2_000,
    "&lt;",
    "?",
)
_TASKS = ("", "brainstorm names", "debug it", "\u4f01\u753b", "a task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many requests broke a promise.

    Attributes:
        requests: How many were asked.
        with_items: How many brought something.
        over_budget: Took more tokens than they may, or told another number.
        empty: Brought nothing where a search found something.
        unlike: Differed when asked again.
    """

    requests: int
    with_items: int = 0
    over_budget: int = 0
    empty: int = 0
    unlike: int = 0

    @property
    def is_right(self) -> bool:
        """Whether every promise was kept."""
        return not (self.over_budget or self.empty or self.unlike)


def try_contexts(folder: Path, count: int, advanced: Advanced, seed: int = 1) -> Tally:
    """Ask random requests of the memories of a folder and of long ones made of them.

    Raises:
        InvalidRequestError: A line of the folder cannot be understood.
    """
    chance = random.Random(seed)  # noqa: S311 - requests, not secrets
    known = read_memories(folder)
    tally = Tally(requests=count)
    with known_users(folder):
        _store_long(known, chance)
        places = [*sorted({str(one.memory.namespace) for one in known}), LONG, "empty"]
        for _ in range(count):
            tally = _tried(_random_query(known, places, chance), tally)
            advanced(1)
    return tally


def _store_long(known: Sequence[KnownMemory], chance: random.Random) -> None:
    store = composition.store_memory()
    for _ in range(_LONG_COUNT):
        parts = chance.choices(known, k=chance.choice(_LENGTHS))
        content = chance.choice(["\n", " ", ""]).join(one.memory.content for one in parts)
        store(LOCAL_PRINCIPAL, NewMemory(content=content[:32_768], namespace=LONG))


def _random_query(
    known: Sequence[KnownMemory], places: Sequence[str], chance: random.Random
) -> ContextQuery:
    words = " ".join(one.memory.content for one in chance.choices(known, k=3)).split()
    asked = " ".join(chance.choices(words, k=chance.randint(1, 30)))
    text = chance.choice([asked, asked, chance.choice(_ODD), chance.choice(known).memory.content])
    least, largest = math.log(LEAST_BUDGET), math.log(LARGEST_BUDGET)
    has_types = chance.random() < 0.2
    return ContextQuery(
        query=text[:2_000],
        namespace=chance.choice(places),
        memory_types=tuple(chance.sample(list(MemoryType), k=2)) if has_types else (),
        token_budget=max(LEAST_BUDGET, int(math.exp(chance.uniform(least, largest)))),
        token_target=chance.choice(list(TokenTarget)),
        stage=chance.choice([None, *CascadeStage]),
        task_context=chance.choice(_TASKS),
        top_k=chance.choice([1, 3, 10, 10, 40, 100]),
        where=MemoryFilter(statuses=(), importance_min=chance.choice([None, None, 0.6])),
        timezone=chance.choice([None, "Asia/Tokyo", "America/New_York"]),
    )


def _tried(query: ContextQuery, tally: Tally) -> Tally:
    service = composition.retrieve_context()
    search = replace(service.search, uses=ForgetfulUses())
    service = replace(service, search=search, uses=ForgetfulUses())
    first, again = (service(LOCAL_PRINCIPAL, query) for _ in range(2))
    counted = math.ceil(composition.embedder().count_tokens(first.text) * first.token_factor)
    is_told = first.total_tokens == (counted if first.items else 0)
    plain = SearchQuery(
        query=query.query,
        where=replace(query.where, memory_types=query.memory_types),
        top_k=query.top_k,
    )
    finds = bool(search.find(first.namespace, plain, NOW).results)
    return replace(
        tally,
        with_items=tally.with_items + bool(first.items),
        over_budget=tally.over_budget + (counted > query.token_budget or not is_told),
        empty=tally.empty + (finds and not first.items),
        unlike=tally.unlike + (first != again),
    )
