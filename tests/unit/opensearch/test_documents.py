"""Documents hold what searches filter and count by, and no word of a caller."""

import base64
import json
from datetime import timedelta

import numpy as np
import pytest

from omoide.adapters.opensearch.documents import document_of, place_token, text_token
from omoide.adapters.opensearch.layout import IndexLayout
from omoide.domain.memory import Layer
from omoide.domain.scoring_data import ScoringData
from omoide.engine.codec import encode
from omoide.engine.entries import UnreadableScoringError
from omoide.engine.times import NEVER
from omoide.ports.pending_writes import MemoryRef
from tests.contract.samples import DIMS, NOW, REVISION, memory_of, scoring_of

WHOLE = encode(scoring_of(memory_of("m1")))
MEMORY = MemoryRef(namespace="team/a", memory_id="m1")


def document(scoring: ScoringData, revision: str = REVISION) -> dict[str, object]:
    return document_of(MEMORY, encode(scoring), revision=revision, dims=DIMS)


def test_strings_of_callers_are_hashed() -> None:
    memory = memory_of(
        "m1",
        "Hanako likes matcha.",
        session_id="talk with Kenji",
        turn=7,
        speaker="Hanako",
        agent_id="agent-1",
        user_id="user-1",
        tags=("drinks",),
    )

    made = document(scoring_of(memory, previous="Kenji likes coffee."))

    shown = json.dumps({name: value for name, value in made.items() if name != "payload"})
    words = ("Hanako", "matcha", "Kenji", "coffee", "agent-1", "user-1", "drinks", "talk")
    assert not any(word.lower() in shown.lower() for word in words)
    assert made["speaker"] == text_token("Hanako")
    assert made["place"] == place_token("talk with Kenji", 7)
    assert made["tags"] == [text_token("drinks")]


def test_every_field_is_in_the_mapping() -> None:
    memory = memory_of("m1", session_id="s", turn=1, layer=Layer.FACT, speaker="x", agent_id="a")

    made = document(scoring_of(memory))

    layout = IndexLayout(revision=REVISION, dims=DIMS)
    assert set(made) <= set(layout.mappings["properties"])


def test_lengths_and_words_count_what_the_engine_counts() -> None:
    scoring = scoring_of(memory_of("m1", "tea tea water"), previous="tea milk")

    made = document(scoring)

    assert made["own_length"] == 3
    assert made["context_length"] == 5
    assert len(str(made["own"]).split()) == 2
    words = str(made["words"]).split()
    assert len(words) == 5
    assert sorted(words.count(word) for word in set(words)) == [1, 1, 3]


def test_times_that_do_not_come_are_after_every_other() -> None:
    never = document(scoring_of(memory_of("m1")))
    soon = document(scoring_of(memory_of("m1", expires_at=NOW + timedelta(days=1))))

    assert never["expires_at"] == never["invalidated_at"] == NEVER
    assert soon["expires_at"] == 1_767_355_200_000_000


def test_the_payload_is_the_scoring_data() -> None:
    scoring = scoring_of(memory_of("m1"))

    assert base64.b64decode(str(document(scoring)["payload"])) == encode(scoring)


def test_only_vectors_of_the_model_that_have_a_direction_are_indexed() -> None:
    vectors = np.zeros((3, DIMS), dtype=np.float16)
    vectors[0, 0], vectors[2, 1] = 1, np.inf
    scoring = scoring_of(memory_of("m1"), vectors=vectors)

    assert document(scoring)["chunks"] == [{"vector": [1.0] + [0.0] * (DIMS - 1)}]
    assert document(scoring, revision="another")["chunks"] == []


@pytest.mark.parametrize(
    "damage", [b"", b"\x01", b"\xff" * 300, encode(scoring_of(memory_of("m1")))[:-9]]
)
def test_damaged_scoring_data_are_told(damage: bytes) -> None:
    with pytest.raises(UnreadableScoringError):
        document_of(MEMORY, damage, revision=REVISION, dims=DIMS)


def test_an_index_is_named_after_its_model_and_its_mapping() -> None:
    names = {
        IndexLayout(revision=revision, dims=dims, alias=alias).name
        for revision in ("e5 Small/1", "e5_small_1")
        for dims in (64, 384)
        for alias in ("omoide", "other")
    }

    assert len(names) == 8
    assert all(name == name.lower() and "/" not in name and " " not in name for name in names)
    same = IndexLayout(revision="x", dims=64)
    assert same.name == IndexLayout(revision="x", dims=64, replicas=2).name
