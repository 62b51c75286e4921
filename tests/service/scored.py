"""What the index keeps of a memory, compared with what it ought to be."""

import numpy as np

from omoide.domain.analysis import analyse
from omoide.domain.memory import Memory
from omoide.domain.scoring_data import ScoringData
from omoide.ports.embedder import Passage
from tests.service.write_desk import LOCAL, WriteDesk


def scoring_of(desk: WriteDesk, memory: Memory) -> ScoringData:
    scoring = desk.folder.records.find_scoring(memory.id, desk.embedder.profile.revision)
    assert scoring is not None
    return scoring


def assert_encoded_after(desk: WriteDesk, memory: Memory, text: str, previous: str) -> None:
    """The memory's scoring data is that of the text with this previous turn."""
    scoring = scoring_of(desk, memory)
    expected = desk.embedder.embed_passages([Passage(text=text, context=previous)])[0]
    assert np.array_equal(scoring.vectors, expected.vectors.astype(np.float16))
    assert np.array_equal(scoring.token_bits, expected.token_bits)
    assert np.array_equal(scoring.own_terms.keys, analyse(text).keys)
    assert np.array_equal(scoring.context_terms.keys, analyse(previous).keys)
    assert scoring.version == desk.get(LOCAL, memory.id).memory.version
