"""What `RateLimiter` promises."""

import pytest

from omoide.adapters.fake import FakeClock
from omoide.domain.errors import RateLimitedError
from omoide.ports.rate_limiter import RequestKind
from tests.contract.folders import Folder

WRITE, SEARCH = RequestKind.WRITE, RequestKind.SEARCH


def refused(folder: Folder, subject: str, kind: RequestKind, limit: int) -> RateLimitedError:
    with pytest.raises(RateLimitedError) as refusal:
        folder.limiter.check(subject, kind, limit)
    return refusal.value


def test_as_many_requests_as_the_limit_pass(folder: Folder) -> None:
    for _ in range(3):
        folder.limiter.check("key", WRITE, 3)

    error = refused(folder, "key", WRITE, 3)

    assert error.count == 3
    assert error.retry_after_s == 60


def test_subjects_and_kinds_are_counted_apart(folder: Folder) -> None:
    folder.limiter.check("key", WRITE, 1)

    folder.limiter.check("key", SEARCH, 1)
    folder.limiter.check("other", WRITE, 1)

    assert refused(folder, "key", WRITE, 1).count == 1


def test_the_window_slides(folder: Folder, clock: FakeClock) -> None:
    folder.limiter.check("key", WRITE, 2)
    clock.advance(seconds=40)
    folder.limiter.check("key", WRITE, 2)
    assert refused(folder, "key", WRITE, 2).retry_after_s == 20

    clock.advance(seconds=20)

    folder.limiter.check("key", WRITE, 2)
    assert refused(folder, "key", WRITE, 2).retry_after_s == 40


def test_refused_requests_do_not_count(folder: Folder, clock: FakeClock) -> None:
    folder.limiter.check("key", WRITE, 1)
    clock.advance(seconds=59)
    for _ in range(5):
        refused(folder, "key", WRITE, 1)
    clock.advance(seconds=1)

    folder.limiter.check("key", WRITE, 1)


def test_a_limit_of_nothing_refuses_everything(folder: Folder) -> None:
    assert refused(folder, "key", SEARCH, 0).count == 0


def test_a_lowered_limit_tells_when_there_is_room_again(folder: Folder, clock: FakeClock) -> None:
    for _ in range(3):
        folder.limiter.check("key", WRITE, 3)
        clock.advance(seconds=10)

    assert refused(folder, "key", WRITE, 1).retry_after_s == 50


def test_a_clock_that_was_set_back_locks_nobody_out(folder: Folder, clock: FakeClock) -> None:
    folder.limiter.check("key", WRITE, 1)
    clock.advance(days=-1)

    folder.limiter.check("key", WRITE, 1)
