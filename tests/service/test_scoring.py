from dataclasses import fields
from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from omoide.adapters.fake import FakeEmbedder
from omoide.domain.analysis import Script
from omoide.domain.memory import Layer, MemoryType, Status
from omoide.domain.scoring_data import MAX_CONTEXT_TERMS, MAX_OWN_TERMS, ScoringData, TermCounts
from omoide.services.scoring import InContext, score, scored_text, with_columns_of
from tests.unit.memory_records import NOW, record

BARE = record()
FULL = record(
    version=4,
    memory_type=MemoryType.PROCEDURAL,
    status=Status.ARCHIVED,
    layer=Layer.DECISION,
    pinned=True,
    resolved=False,
    importance=0.9,
    confidence=0.1,
    arousal=0.7,
    valence=-0.7,
    created_at=NOW + timedelta(days=1),
    event_time=NOW + timedelta(days=2),
    invalidated_at=NOW + timedelta(days=3),
    expires_at=NOW + timedelta(days=4),
    last_activated_at=NOW + timedelta(days=5),
    session_id="s",
    turn=7,
    agent_id="a",
    user_id="u",
    tags=("x", "y"),
)


def plain(value: object) -> Any:
    if isinstance(value, TermCounts):
        return value.keys.tolist(), value.counts.tolist()
    return value.tolist() if isinstance(value, np.ndarray) else value


def as_plain(scoring: ScoringData) -> dict[str, Any]:
    return {f.name: plain(getattr(scoring, f.name)) for f in fields(ScoringData)}


def test_columns_of_another_version_are_all_taken_over() -> None:
    embedder = FakeEmbedder()
    old, new = score(embedder, [InContext(memory=BARE), InContext(memory=FULL)])

    assert as_plain(with_columns_of(old, FULL)) == as_plain(new)
    assert as_plain(with_columns_of(new, BARE)) == as_plain(old)


def test_every_column_of_the_record_is_in_its_scoring_data() -> None:
    (scoring,) = score(FakeEmbedder(), [InContext(memory=FULL)])

    for name in {f.name for f in fields(ScoringData)} & {f.name for f in fields(FULL)}:
        assert getattr(scoring, name) == getattr(FULL, name), name
    assert (scoring.memory_id, scoring.revision) == (FULL.id, "fake-1")
    assert scoring.vectors.dtype == np.float16


@pytest.mark.parametrize(
    ("speaker", "content", "text"),
    [
        (None, "Green tea.", "Green tea."),
        ("Hanako", "Green tea.", "Hanako: Green tea."),
        ("Hanako", "Hanako: Green tea.", "Hanako: Green tea."),
        ("Hanako", "Hanako likes tea.", "Hanako: Hanako likes tea."),
    ],
)
def test_a_memory_is_read_with_its_speaker(speaker: str | None, content: str, text: str) -> None:
    assert scored_text(record(speaker=speaker, content=content)) == text


def test_questions_and_scripts_are_told_from_the_content() -> None:
    question = record(content="お茶は好きですか？", speaker="Hanako")

    (scoring,) = score(FakeEmbedder(), [InContext(memory=question)])

    assert (scoring.asks, scoring.is_question) == (True, True)
    assert Script(scoring.scripts) & Script.KANA
    assert not Script(scoring.scripts) & Script.LATIN


def test_terms_are_limited_own_and_previous() -> None:
    long = record(content=" ".join(f"w{n}x" for n in range(MAX_OWN_TERMS + 500)))

    (scoring,) = score(FakeEmbedder(), [InContext(memory=BARE, previous=long)])
    (own,) = score(FakeEmbedder(), [InContext(memory=long)])

    assert len(own.own_terms.keys) == MAX_OWN_TERMS
    assert len(scoring.context_terms.keys) == MAX_CONTEXT_TERMS


def test_nothing_to_score_needs_no_model() -> None:
    embedder = FakeEmbedder()
    embedder.is_failing = True

    assert score(embedder, []) == []
