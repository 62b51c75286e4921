"""Everything that follows from a changed record: its scoring data and those of its followers."""

from dataclasses import replace

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.memory import Memory
from omoide.domain.scoring_data import ScoringData
from omoide.ports.embedder import Embedder
from omoide.ports.memory_records import MemoryChange, Rescoring, WriteLookups
from omoide.services.scoring import InContext, score, scored_text, with_columns_of
from omoide.services.session_turns import SessionTurns


def change_record(
    lookups: WriteLookups, embedder: Embedder, old: Memory, new: Memory
) -> MemoryChange:
    """The change from one version of a record to the next.

    Only what is encoded differently is encoded: the memory when its text, speaker or place in
    the session changes, a follower when its previous turn does. A session without a turn gets
    the next one. Where nothing is encoded, the neighbours in the session do not matter. An
    encoding of another model is renewed, or kept while there is no model.

    Raises:
        ModelUnavailableError: Something must be encoded and the model cannot be loaded.
    """
    stored = _scoring_in_place(lookups, old, new)
    if stored is not None and _is_of(stored, embedder):
        return _without_encoding(stored, old, new)
    turns = SessionTurns(lookups)
    is_assigned = new.turn is None
    new = turns.place(new)
    place = turns.seen_place(new, is_assigned=is_assigned)
    followers = turns.followers(old, new)
    own = InContext(memory=new, previous=turns.previous(new))
    try:
        scoring, *scorings = score(embedder, [own, *followers])
    except ModelUnavailableError:
        if stored is None:
            raise
        return _without_encoding(stored, old, new)
    return MemoryChange(
        memory=new,
        expected_version=old.version,
        scoring=scoring,
        rescorings=tuple(Rescoring(scoring=s) for s in scorings),
        place=place,
    )


def remove_record(
    lookups: WriteLookups, embedder: Embedder, old: Memory, tombstone: Memory
) -> MemoryChange:
    """The change that deletes a record; its follower is encoded without it.

    A deletion does not wait for a model that cannot be loaded: the follower then keeps its own
    encoding and loses the terms of the deleted text.
    """
    turns = SessionTurns(lookups)
    turns.remove(old)
    place = turns.seen_place(old)
    followers = turns.followers(old, None)
    try:
        scorings = score(embedder, followers)
    except ModelUnavailableError:
        scorings = _without_context(lookups, followers)
    return MemoryChange(
        memory=tombstone,
        expected_version=old.version,
        scoring=None,
        rescorings=tuple(Rescoring(scoring=s) for s in scorings),
        place=place,
    )


def _scoring_in_place(lookups: WriteLookups, old: Memory, new: Memory) -> ScoringData | None:
    """The stored scoring data, of whichever model, where the new version reads as the old."""
    is_in_place = (old.session_id, old.turn) == (new.session_id, new.turn)
    if not is_in_place or scored_text(old) != scored_text(new):
        return None
    stored = lookups.find_scoring(old.id)
    return stored if stored is not None and stored.version == old.version else None


def _is_of(stored: ScoringData, embedder: Embedder) -> bool:
    try:
        return stored.revision == embedder.profile.revision
    except ModelUnavailableError:
        return False


def _without_encoding(stored: ScoringData, old: Memory, new: Memory) -> MemoryChange:
    scoring = with_columns_of(stored, new)
    return MemoryChange(memory=new, expected_version=old.version, scoring=scoring)


def _without_context(lookups: WriteLookups, followers: list[InContext]) -> list[ScoringData]:
    stored = [lookups.find_scoring(item.memory.id) for item in followers]
    return [
        replace(
            s,
            context_terms=replace(
                s.context_terms, keys=s.context_terms.keys[:0], counts=s.context_terms.counts[:0]
            ),
        )
        for s in stored
        if s is not None
    ]
