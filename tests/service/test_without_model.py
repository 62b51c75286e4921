"""Writes that encode nothing go on without a model, and keep what was encoded."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from omoide.adapters.absent.embedder import AbsentEmbedder
from omoide.adapters.fake import FakeEmbedder
from omoide.domain.analysis import query_terms
from omoide.domain.errors import ModelUnavailableError, NotFoundError
from omoide.domain.memory import Status
from omoide.ports.embedder import Embedder
from omoide.services.memory_patch import MemoryPatch
from tests.service.write_desk import LOCAL, WriteDesk


def absent() -> Embedder:
    return AbsentEmbedder("no model folder")


def failing_other() -> Embedder:
    """A model of another revision that is described, but cannot be loaded."""
    embedder = FakeEmbedder(revision="fake-2")
    embedder.is_failing = True
    return embedder


WITHOUT_MODEL = pytest.mark.parametrize("make", [absent, failing_other])
Make = Callable[[], Embedder]


@WITHOUT_MODEL
@pytest.mark.parametrize(
    "patch",
    [
        MemoryPatch(pinned=True),
        MemoryPatch(tags=("tea",), importance=0.9),
        MemoryPatch(status=Status.ARCHIVED),
        MemoryPatch(summary="Tea."),
    ],
)
def test_a_change_that_encodes_nothing_needs_no_model(
    desk: WriteDesk, make: Make, patch: MemoryPatch
) -> None:
    desk.say("What do you drink?", session_id="s")
    memory = desk.say("Green tea.", session_id="s")
    before = desk.folder.records.find_scoring(memory.id)

    changed = replace(desk.update, embedder=make())(LOCAL, memory.id, patch).memory

    after = desk.folder.records.find_scoring(memory.id)
    assert changed.version == 2
    assert before is not None
    assert after is not None
    assert (after.version, after.pinned, after.tags) == (2, changed.pinned, changed.tags)
    assert after.revision == before.revision
    assert np.array_equal(after.vectors, before.vectors)


@WITHOUT_MODEL
def test_a_new_text_needs_the_model(desk: WriteDesk, make: Make) -> None:
    memory = desk.say("Green tea.")

    with pytest.raises(ModelUnavailableError):
        replace(desk.update, embedder=make())(LOCAL, memory.id, MemoryPatch(content="Black tea."))

    assert desk.get(LOCAL, memory.id).memory == memory


@WITHOUT_MODEL
def test_a_deletion_needs_no_model_and_leaves_none_of_the_text_behind(
    desk: WriteDesk, make: Make
) -> None:
    gone = desk.say("aardvark", session_id="s")
    follower = desk.say("Green tea.", session_id="s")

    replace(desk.delete, embedder=make())(LOCAL, gone.id)

    with pytest.raises(NotFoundError):
        desk.get(LOCAL, gone.id)
    left = desk.folder.records.find_scoring(follower.id)
    assert left is not None
    assert not np.isin(query_terms("aardvark"), left.context_terms.keys).any()
    assert np.isin(query_terms("tea"), left.own_terms.keys).all()


def test_a_change_under_a_new_model_encodes_anew(desk: WriteDesk) -> None:
    memory = desk.say("Green tea.")
    newer = FakeEmbedder(revision="fake-2")

    replace(desk.update, embedder=newer)(LOCAL, memory.id, MemoryPatch(pinned=True))

    assert desk.folder.records.find_scoring(memory.id, "fake-2") is not None
    assert desk.folder.records.find_scoring(memory.id, "fake-1") is None
