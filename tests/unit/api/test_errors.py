import base64
import json
import logging
import threading
from typing import Any

import pytest

from functions import composition
from functions.api.get_memory import handler as get_memory
from functions.api.store_memory import handler as store_memory
from omoide.api.errors import STATUS, answer_error, status_of
from omoide.api.native.memory_model import ErrorAnswer
from omoide.api.shapes import Shape
from omoide.domain import errors
from omoide.domain.errors import (
    FieldProblem,
    FingerprintTakenError,
    IncompatibleDataError,
    InvalidRequestError,
    ModelUnavailableError,
    OmoideError,
    RateLimitedError,
    UnavailableError,
)
from tests.unit.api.api_desk import REQUEST_ID, ApiDesk, Context, principal

WORDS = "words of a memory"
INTERNAL = {"SettingError", "FingerprintTakenError", "OperationTakenError", "OmoideError"}


def public_errors() -> list[type[OmoideError]]:
    found = [OmoideError]
    for kind in found:
        found += kind.__subclasses__()
    of_ours = [
        kind for kind in found if kind.__module__.startswith(("omoide.domain", "omoide.api"))
    ]
    return [kind for kind in of_ours if kind.__name__ not in INTERNAL]


def test_every_error_has_a_status_and_a_stable_code() -> None:
    for kind in public_errors():
        status = next((STATUS[base] for base in kind.__mro__ if base in STATUS), None)

        assert status is not None, kind
        assert (kind.code == "INTERNAL") == (status == 500), kind


def test_an_error_has_one_shape() -> None:
    details = [FieldProblem(field="a", problem="is wrong")]

    answer = answer_error(InvalidRequestError("a: is wrong", details=details), request_id="r")

    assert answer.status == 422
    assert json.loads(answer.body) == {
        "error": {
            "code": "VALIDATION_ERROR",
            "message": "a: is wrong",
            "details": [{"field": "a", "problem": "is wrong"}],
            "request_id": "r",
        }
    }
    ErrorAnswer.model_validate_json(answer.body)


@pytest.mark.parametrize(("shape", "retry_after"), [(Shape.NATIVE, "7"), (Shape.MEMEX, "60")])
def test_a_limited_caller_is_told_when_to_come_back(shape: Shape, retry_after: str) -> None:
    error = RateLimitedError(retry_after_s=7, count=61)

    answer = answer_error(error, request_id="r", shape=shape)

    assert (answer.status, answer.headers["Retry-After"]) == (429, retry_after)
    assert ("61" in str(answer.payload.get("detail"))) == (shape is Shape.MEMEX)


@pytest.mark.parametrize("error", [FingerprintTakenError("id"), OmoideError("inner words")])
def test_what_is_internal_says_nothing_of_itself(error: OmoideError) -> None:
    answer = answer_error(error, request_id="r")

    assert status_of(error) is None
    assert (answer.status, answer.payload["error"]) == (
        500,
        {
            "code": "INTERNAL",
            "message": "Something went wrong on our side.",
            "details": [],
            "request_id": "r",
        },
    )


def test_why_a_model_is_missing_stays_on_its_machine_but_which_data_fits_is_told() -> None:
    missing = answer_error(ModelUnavailableError("the folder x lacks model.onnx"), request_id="r")
    misfit = answer_error(IncompatibleDataError("filled with model-a"), request_id="r")

    assert missing.status == misfit.status == 503
    assert "folder x" not in missing.body
    assert "filled with model-a" in misfit.body
    assert '"code":"UNAVAILABLE"' in misfit.body


@pytest.mark.parametrize("text", ["\ud800", "x" * 10_000])
def test_names_that_callers_made_up_are_shown_as_short_text(text: str) -> None:
    answer = answer_error(InvalidRequestError.of(text, "is unknown"), request_id="r")

    assert len(answer.body) < 2_000
    json.loads(answer.body)


def test_an_unexpected_error_is_a_500_without_its_words_and_is_logged_without_them(
    desk: ApiDesk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_down() -> Any:
        raise RuntimeError(WORDS)

    monkeypatch.setattr(composition, "get_memory", break_down)
    logger = logging.getLogger("omoide")
    logger.addHandler(caplog.handler)
    try:
        answer = desk.call("get_memory", path=desk.one("0190a5e4-7c1e-7abc-8def-0123456789ab"))
    finally:
        logger.removeHandler(caplog.handler)

    assert (answer.status, answer.error["code"]) == (500, "INTERNAL")
    assert answer.error["request_id"] == answer.headers["X-Request-Id"] == REQUEST_ID
    assert WORDS not in answer.text
    record = caplog.records[-1]
    assert vars(record)["request_id"] == REQUEST_ID
    assert vars(record)["error_type"] == "RuntimeError"
    assert WORDS not in str(vars(record))


def test_a_store_that_is_down_is_503_and_says_to_come_back(desk: ApiDesk) -> None:
    desk.folder.is_down = True

    answer = desk.call("count_memories")

    assert (answer.status, answer.error["code"]) == (503, "UNAVAILABLE")
    assert int(answer.headers["Retry-After"]) >= 1


@pytest.mark.parametrize("name", ["store_memory", "list_memories", "list_keys", "delete_memory"])
def test_nobody_is_401(desk: ApiDesk, name: str) -> None:
    desk.principal = None
    path = {"memory_id": "not looked at"} if name == "delete_memory" else None

    answer = desk.call(name, "not looked at" if name == "store_memory" else None, path=path)

    assert (answer.status, answer.error["code"]) == (401, "UNAUTHENTICATED")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_a_reader_may_not_write(desk: ApiDesk) -> None:
    desk.principal = principal("read:team/a/**")

    answer = desk.call("store_memory", {"content": "x"})

    assert (answer.status, answer.error["code"]) == (403, "FORBIDDEN")


@pytest.mark.parametrize(
    "content_type",
    ["application/x-www-form-urlencoded", "text/plain", "", "application/jsonp", None],
)
def test_a_body_of_another_type_is_415(desk: ApiDesk, content_type: str | None) -> None:
    event = desk.event("store_memory", {"content": "x"})
    event["headers"] = {} if content_type is None else {"content-type": content_type}

    answer = desk.send("store_memory", event)

    assert (answer.status, answer.fields) == (415, ["Content-Type"])


def test_a_type_may_have_parameters(desk: ApiDesk) -> None:
    header = {"Content-Type": "Application/JSON; charset=utf-8"}

    assert desk.call("store_memory", {"content": "x"}, headers=header).status == 201


def test_a_body_may_come_in_base64_but_must_be_utf_8(desk: ApiDesk) -> None:
    event = desk.event("store_memory", {"content": "x"}) | {"isBase64Encoded": True}

    def send(body: bytes) -> Any:
        return desk.send("store_memory", event | {"body": base64.b64encode(body).decode()})

    assert send('{"content": "お茶"}'.encode()).json["content"] == "お茶"
    assert (send(b'{"content": "\xff"}').status, send(b"\xff").fields) == (400, ["body"])
    assert send(b"a" * (1 << 20) + b"a").status == 413
    assert desk.send("store_memory", event | {"body": "%%"}).error["code"] == "MALFORMED_BODY"


@pytest.mark.parametrize(("name", "mebibytes"), [("store_memory", 1), ("store_memories", 4)])
def test_a_body_over_its_limit_is_413(desk: ApiDesk, name: str, mebibytes: int) -> None:
    text = '{"x": "' + "a" * (mebibytes << 20) + '"}'

    answer = desk.call(name, text)

    assert (answer.status, answer.fields) == (413, ["body"])
    assert f"{mebibytes} MiB" in answer.error["message"]


def test_an_empty_body_is_400(desk: ApiDesk) -> None:
    event = desk.event("store_memory", {}) | {"body": None}

    answer = desk.send("store_memory", event)

    assert (answer.status, answer.error["code"], answer.fields) == (400, "MALFORMED_BODY", ["body"])


def test_a_path_of_another_function_is_404_in_the_one_shape(desk: ApiDesk) -> None:
    event = desk.event("count_memories") | {"path": "/v1/elsewhere"}

    answer = desk.send("count_memories", event)

    assert (answer.status, answer.error["code"]) == (404, "NOT_FOUND")


def test_requests_at_once_in_one_process_never_meet(
    desk: ApiDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each thread stands inside its request while the others read theirs."""
    ids = [desk.store(f"Memory {number}.")["id"] for number in range(4)]
    desk.call("get_memory", path=desk.one(ids[0]))
    all_inside = threading.Barrier(len(ids), timeout=10)
    service = composition.get_memory()
    seen: dict[str, tuple[str, str]] = {}

    def wait_for_all() -> Any:
        all_inside.wait()
        return service

    def read(memory_id: str) -> None:
        event = desk.event("get_memory", path=desk.one(memory_id))
        event["requestContext"]["requestId"] = f"of {memory_id}"
        get_memory.handler(event, Context(function_name="get_memory"))  # pyright: ignore[reportArgumentType]
        context = get_memory.app.current_event.request_context
        seen[memory_id] = (get_memory.app.call.request_id, str(context.request_id))

    monkeypatch.setattr(composition, "get_memory", wait_for_all)
    threads = [threading.Thread(target=read, args=(memory_id,)) for memory_id in ids]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)

    assert seen == {memory_id: (f"of {memory_id}", f"of {memory_id}") for memory_id in ids}


def test_the_first_requests_of_a_function_may_come_at_once(desk: ApiDesk) -> None:
    app = type(store_memory.app)()
    calls: list[str] = []
    app.get("/first")(lambda: calls.append(app.call.request_id) or {"done": True})
    statuses: list[int] = []
    ready = threading.Barrier(8, timeout=10)

    def send(number: int) -> None:
        event = desk.event("count_memories") | {"path": "/first"}
        event["requestContext"] = {"requestId": str(number)}
        ready.wait()
        result = app.resolve(event, Context(function_name="first"))  # pyright: ignore[reportArgumentType]
        statuses.append(result["statusCode"])

    threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=10)

    assert statuses == [200] * 8
    assert sorted(calls) == [str(number) for number in range(8)]


def test_the_tree_of_errors_is_drawn_whole() -> None:
    drawn = errors.__doc__ or ""

    for kind in public_errors():
        if kind.__module__ == errors.__name__:
            assert kind.__name__ in drawn
    assert issubclass(ModelUnavailableError, UnavailableError)
