import pytest

from omoide.domain.errors import NotFoundError
from omoide.domain.memory_filter import MemoryFilter
from tests.service.write_desk import LOCAL, WriteDesk


def test_a_deleted_memory_is_gone_from_every_read(desk: WriteDesk) -> None:
    memory = desk.say("Hanako likes tea.", session_id="s")

    desk.delete(LOCAL, memory.id)

    with pytest.raises(NotFoundError):
        desk.get(LOCAL, memory.id)
    assert desk.count(LOCAL, None).count == 0
    assert desk.list(LOCAL, None, MemoryFilter()).views == ()
    records = desk.folder.records
    assert records.find_scoring(memory.id, desk.embedder.profile.revision) is None
    assert records.last_turn("default", "s") is None
    assert records.history(memory.id) == ()


@pytest.mark.parametrize("memory_id", ["", "nonsense", "019b76da-a800-70a2-be0a-1128a3d399d2"])
def test_what_does_not_exist_cannot_be_deleted(desk: WriteDesk, memory_id: str) -> None:
    with pytest.raises(NotFoundError):
        desk.delete(LOCAL, memory_id)


def test_a_memory_is_deleted_once(desk: WriteDesk) -> None:
    memory = desk.say("one")
    desk.delete(LOCAL, memory.id)

    with pytest.raises(NotFoundError):
        desk.delete(LOCAL, memory.id)


def test_an_agent_deletes_only_its_own(desk: WriteDesk) -> None:
    memory = desk.say("one", agent_id="a1")
    nobodys = desk.say("two")

    for memory_id, agent_id in [(memory.id, "a2"), (nobodys.id, "a1"), (memory.id, "")]:
        with pytest.raises(NotFoundError):
            desk.delete(LOCAL, memory_id, agent_id=agent_id)
    desk.delete(LOCAL, memory.id, agent_id="a1")

    assert desk.count(LOCAL, None).count == 1


def test_cascading_from_a_stored_memory_deletes_that_memory(desk: WriteDesk) -> None:
    memory = desk.say("one")
    desk.say("two")

    desk.delete(LOCAL, memory.id, cascade=True)

    assert desk.count(LOCAL, None).count == 1
