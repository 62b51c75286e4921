"""What `ShownMemories` promises."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from omoide.adapters.fake import FakeClock
from omoide.ports.shown_memories import SHOWN_LIFE
from tests.contract.folders import Folder

NAMESPACE, SESSION = "team/a", "session # 1/%"
IDS = [f"0190a5e4-0000-7000-8000-00000000000{n}" for n in range(8)]


def test_what_was_claimed_was_shown(folder: Folder, clock: FakeClock) -> None:
    now = clock.now()

    assert folder.shown.among(NAMESPACE, SESSION, IDS, now) == frozenset()
    assert folder.shown.claim(NAMESPACE, SESSION, IDS[:2], now) == set(IDS[:2])
    assert folder.shown.among(NAMESPACE, SESSION, IDS, now) == set(IDS[:2])


def test_nothing_is_claimed_twice(folder: Folder, clock: FakeClock) -> None:
    now = clock.now()
    folder.shown.claim(NAMESPACE, SESSION, IDS[:2], now)

    assert folder.shown.claim(NAMESPACE, SESSION, IDS[1:3], now) == {IDS[2]}
    assert folder.shown.claim(NAMESPACE, SESSION, IDS[:3], now) == frozenset()
    assert folder.shown.claim(NAMESPACE, SESSION, [], now) == frozenset()
    assert folder.shown.claim(NAMESPACE, SESSION, [IDS[4], IDS[4]], now) == {IDS[4]}


def test_sessions_and_namespaces_are_apart(folder: Folder, clock: FakeClock) -> None:
    now = clock.now()
    folder.shown.claim(NAMESPACE, SESSION, IDS, now)

    assert folder.shown.claim(NAMESPACE, "other", IDS[:1], now) == {IDS[0]}
    assert folder.shown.claim("team/b", SESSION, IDS[:1], now) == {IDS[0]}


def test_a_session_is_remembered_for_a_while_and_forgotten(
    folder: Folder, clock: FakeClock
) -> None:
    folder.shown.claim(NAMESPACE, SESSION, IDS[:1], clock.now())

    clock.advance(seconds=(SHOWN_LIFE - timedelta(minutes=1)).total_seconds())
    assert folder.shown.among(NAMESPACE, SESSION, IDS, clock.now()) == {IDS[0]}
    assert folder.shown.claim(NAMESPACE, SESSION, IDS[:1], clock.now()) == frozenset()

    clock.advance(days=8)
    assert folder.shown.among(NAMESPACE, SESSION, IDS, clock.now()) == frozenset()
    assert folder.shown.claim(NAMESPACE, SESSION, IDS[:1], clock.now()) == {IDS[0]}


def test_of_several_at_once_one_gets_each_memory(folder: Folder, clock: FakeClock) -> None:
    now = clock.now()

    with ThreadPoolExecutor(max_workers=4) as threads:
        claims = [
            threads.submit(folder.shown.claim, NAMESPACE, SESSION, IDS, now) for _ in range(4)
        ]

    assert sorted(one for claim in claims for one in claim.result()) == IDS
