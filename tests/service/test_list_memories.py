from datetime import timedelta

import pytest

from omoide.domain.errors import ForbiddenError, InvalidRequestError
from omoide.domain.memory import MemoryType, Status
from omoide.domain.memory_filter import MemoryFilter
from omoide.services.memory_patch import MemoryPatch
from omoide.services.store_memory import NewMemory
from tests.service.write_desk import LOCAL, WriteDesk, key

ALL = MemoryFilter()


def test_a_namespace_is_listed_newest_first(desk: WriteDesk) -> None:
    for text in ["one", "two", "three"]:
        desk.say(text)
        desk.clock.advance(seconds=1)

    listing = desk.list(LOCAL, None, ALL)

    assert [v.memory.content for v in listing.views] == ["three", "two", "one"]
    assert (listing.namespace, listing.next_cursor, listing.total) == ("default", None, 3)


def test_pages_hold_every_memory_once_while_others_write(desk: WriteDesk) -> None:
    for start in range(0, 300, 100):
        desk.store_many(LOCAL, [NewMemory(content=f"fact {start + n}") for n in range(100)])
        desk.clock.advance(seconds=1)
    seen: list[str] = []
    cursor = None

    for page in range(100):
        listing = desk.list(LOCAL, None, ALL, limit=7, cursor=cursor)
        seen += [view.memory.content for view in listing.views]
        desk.say(f"written between pages {page}")
        cursor = listing.next_cursor
        if cursor is None:
            break

    assert sorted(seen) == sorted(f"fact {n}" for n in range(300))


def test_the_total_counts_all_pages_of_the_filter(desk: WriteDesk) -> None:
    for n in range(6):
        desk.say(f"fact {n}", tags=("even",) if n % 2 == 0 else ())

    listing = desk.list(LOCAL, None, MemoryFilter(tags_any=("even",)), limit=2)

    assert (len(listing.views), listing.total) == (2, 3)
    assert listing.next_cursor is not None


def test_a_list_can_be_filtered(desk: WriteDesk) -> None:
    desk.say("one", memory_type=MemoryType.EPISODIC)
    two = desk.say("two", session_id="s")

    by_type = desk.list(LOCAL, None, MemoryFilter(memory_types=(MemoryType.SEMANTIC,)))
    by_session = desk.list(LOCAL, None, MemoryFilter(session_id="s"))

    assert [v.memory.id for v in by_type.views] == [two.id]
    assert [v.memory.id for v in by_session.views] == [two.id]


def test_archived_and_expired_memories_are_listed_only_when_asked_for(desk: WriteDesk) -> None:
    archived = desk.say("one")
    desk.update(LOCAL, archived.id, MemoryPatch(status=Status.ARCHIVED))
    desk.say("two", expires_at=desk.clock.now() + timedelta(hours=1))
    desk.clock.advance(hours=1)

    assert desk.list(LOCAL, None, ALL).total == 0
    only_archived = desk.list(LOCAL, None, MemoryFilter(statuses=(Status.ARCHIVED,)))
    assert [v.memory.id for v in only_archived.views] == [archived.id]
    assert desk.count(LOCAL, None).count == 2
    only_expired = desk.list(LOCAL, None, MemoryFilter(statuses=(Status.EXPIRED,)))
    assert [(v.memory.content, v.status) for v in only_expired.views] == [("two", Status.EXPIRED)]
    assert only_expired.total == 1


@pytest.mark.parametrize("limit", [0, -1, 201, 10**9])
def test_a_page_of_another_size_is_refused(desk: WriteDesk, limit: int) -> None:
    with pytest.raises(InvalidRequestError) as refused:
        desk.list(LOCAL, None, ALL, limit=limit)

    assert refused.value.details[0].field == "limit"


def test_a_cursor_serves_only_its_own_list(desk: WriteDesk) -> None:
    for n in range(3):
        desk.say(f"fact {n}")
        desk.say(f"fact {n}", namespace="other")
    cursor = desk.list(LOCAL, None, ALL, limit=1).next_cursor
    assert cursor is not None

    for namespace, where, text in [
        ("other", ALL, cursor),
        (None, MemoryFilter(pinned=True), cursor),
        (None, ALL, cursor[:-1]),
        (None, ALL, "x"),
        (None, ALL, ""),
    ]:
        with pytest.raises(InvalidRequestError) as refused:
            desk.list(LOCAL, namespace, where, cursor=text)
        assert refused.value.details[0].field == "cursor"


def test_listing_and_counting_and_getting_are_no_uses(desk: WriteDesk) -> None:
    memory = desk.say("one")

    desk.list(LOCAL, None, ALL)
    desk.count(LOCAL, None)

    assert desk.get(LOCAL, memory.id).use is None


def test_a_list_shows_how_present_a_memory_is(desk: WriteDesk) -> None:
    desk.say("one", memory_type=MemoryType.EPISODIC)
    fresh = desk.list(LOCAL, None, ALL).views[0].strength
    desk.clock.advance(days=30)

    faded = desk.list(LOCAL, None, ALL).views[0].strength

    assert 0 < faded < fresh


def test_a_namespace_that_a_key_may_not_read_is_refused_empty_or_not(desk: WriteDesk) -> None:
    desk.say("one", namespace="team/b")
    reader = key("read:team/a/**")

    for namespace in ["team/b", "team/c"]:
        with pytest.raises(ForbiddenError) as listed:
            desk.list(reader, namespace, ALL)
        with pytest.raises(ForbiddenError) as counted:
            desk.count(reader, namespace)
        assert "team" not in str(listed.value) + str(counted.value)
    assert desk.list(reader, None, ALL).total == 0


def test_an_empty_namespace_name_is_not_the_default_one(desk: WriteDesk) -> None:
    for call in [
        lambda: desk.list(LOCAL, "", ALL),
        lambda: desk.count(LOCAL, ""),
        lambda: desk.store(LOCAL, NewMemory(content="x", namespace="")),
    ]:
        with pytest.raises(InvalidRequestError) as refused:
            call()
        assert refused.value.details[0].field == "namespace"
