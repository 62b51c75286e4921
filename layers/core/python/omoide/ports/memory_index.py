"""Finding candidates."""

from typing import Protocol

from omoide.domain.candidates import NominationRequest, Pool


class MemoryIndex(Protocol):
    """A search engine: nominates, never ranks.

    Two arms each nominate up to ``pool`` memories: the dense one by the cosine of the best chunk,
    the lexical one by BM25 (k1 .9, b .4, Lucene's length quantisation) over own and previous
    terms. Every condition of the filter is applied inside the engine, so an arm returns ``pool``
    members if so many satisfy it. Deleted and invisible records are never returned; a write whose
    call has returned is seen by the next call, whichever process made it.
    """

    def nominate(self, request: NominationRequest) -> Pool:
        """Return the union of the arms, the newest and the neighbours, without duplicates.

        Raises:
            UnavailableError: The engine cannot be reached.
        """
        ...
