from dataclasses import fields
from typing import Any, cast

import numpy as np

from omoide.domain.candidates import Pool
from omoide.domain.pool_union import union_of
from tests.unit.ranking.pools import Member, pool_of

ANN = Member(id="ann", dense=0.9, tokens=[[1] * 16], session="s", turn=1, speaker="Ann")
BEN = Member(id="ben", dense=0.3, tokens=[[-1] * 16, [1] * 16], age_days=2.0, pinned=True)
CAT = Member(id="cat", dense=0.1, importance=0.9)


def facts(pool: Pool) -> dict[str, list[str]]:
    """Every array and list of a pool, its values as texts: NaN equals NaN."""
    values: dict[str, Any] = {field.name: getattr(pool, field.name) for field in fields(Pool)}
    lists = {name: v.tolist() if isinstance(v, np.ndarray) else v for name, v in values.items()}
    return {
        name: list(map(str, cast("list[object]", v)))
        for name, v in lists.items()
        if isinstance(v, list)
    }


def test_a_union_holds_every_memory_once_with_all_its_facts() -> None:
    assert facts(union_of(pool_of(ANN, BEN), pool_of(BEN, CAT))) == facts(pool_of(ANN, BEN, CAT))


def test_a_union_with_nothing_new_is_the_pool_itself() -> None:
    assert facts(union_of(pool_of(ANN, BEN), pool_of(BEN))) == facts(pool_of(ANN, BEN))
    assert facts(union_of(pool_of(ANN), pool_of())) == facts(pool_of(ANN))
    assert facts(union_of(pool_of(), pool_of(ANN))) == facts(pool_of(ANN))


def test_every_array_of_a_pool_is_joined() -> None:
    joined = union_of(pool_of(ANN), pool_of(BEN, CAT))

    lengths = {name: len(values) for name, values in facts(joined).items()}
    assert lengths.pop("token_offsets") == 4
    assert lengths.pop("token_bits") == 3
    assert set(lengths.values()) == {3}
    assert joined.token_offsets.tolist() == [0, 1, 3, 3]
