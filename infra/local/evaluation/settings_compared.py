"""The rows of the table of what each part gives: the whole, then the whole without something."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from omoide.domain.candidates import Pool
from omoide.domain.memory import Use
from omoide.domain.ranking.options import Fusion, RankingOptions, SearchMode
from omoide.domain.ranking.profiles import SEARCH_FACTORS
from omoide.domain.ranking.query_features import QueryFeatures
from omoide.domain.ranking.ranker import Ranked, rank
from omoide.domain.ranking.stages import STAGE_NAMES

WHOLE = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """One way to rank.

    Attributes:
        name: Its row in the table.
        mode: What the search looks at.
        fusion: How relevance is made.
        without: Parts left out.
    """

    name: str
    mode: SearchMode = SearchMode.HYBRID
    fusion: Fusion = Fusion.WEIGHTED
    without: frozenset[str] = frozenset()

    def rank(
        self,
        pool: Pool,
        query: QueryFeatures,
        options: RankingOptions,
        uses: Mapping[str, Use] | None = None,
    ) -> Ranked:
        """Rank a pool with what this variant leaves out."""
        return rank(pool, query, replace(options, without=self.without), uses)


def variants() -> tuple[Variant, ...]:
    """The whole, pure relevance, the whole without each part, and each text part alone."""
    factors = frozenset(SEARCH_FACTORS)
    rows = [Variant(name=WHOLE), Variant(name="relevance alone", without=factors)]
    rows += [Variant(name=f"without {n}", without=frozenset({n})) for n in SEARCH_FACTORS]
    rows += [Variant(name=f"without {n}", without=frozenset({n})) for n in STAGE_NAMES]
    for alone in ("late", "dense", "lexical"):
        without = frozenset(STAGE_NAMES) - {alone} | factors
        rows.append(Variant(name=f"{alone} alone", without=without))
    rows.append(Variant(name="rank fusion of the arms", fusion=Fusion.RRF))
    rows.append(Variant(name="mode semantic", mode=SearchMode.SEMANTIC))
    rows.append(Variant(name="mode lexical", mode=SearchMode.LEXICAL))
    return tuple(rows)
