"""Bodies that the operations must refuse, each with the status and the field it names."""

from typing import Any

from tests.e2e.bad_request import (
    BATCH,
    BODY,
    DEEP,
    KEY,
    RETRIEVE,
    SEARCH,
    STORE,
    SURFACE,
    TOO_LONG,
    UPDATE,
    BadRequest,
    json_bytes,
)

_TARGETS = (STORE, SEARCH, RETRIEVE, SURFACE, UPDATE, BATCH, KEY)

_MALFORMED = {"status": 400, "code": "MALFORMED_BODY"}


def _bodies() -> list[BadRequest]:
    """What is wrong with a body whichever operation it goes to."""
    return [
        bad
        for t in _TARGETS
        for bad in (
            t.bad("an empty body", b"", BODY, **_MALFORMED),
            t.bad("no JSON", b"{content: no}", BODY, **_MALFORMED),
            t.bad("a list", b"[]", BODY),
            t.bad("invalid UTF-8", b'{"%s": "\xff\xfe"}' % t.text.encode(), BODY, **_MALFORMED),
            t.bad("JSON 100,000 deep", DEEP, BODY, **_MALFORMED),
            t.bad("an unknown field", {"colour": "red"}, "colour"),
            t.bad("a number for a text", {t.text: 7}, t.text),
            t.bad("null for what is needed", {t.text: None}, t.text),
            t.bad(
                "10 MB",
                b'{"%s": "%s"}' % (t.text.encode(), b"a" * 10_000_000),
                BODY,
                status=413,
                code="PAYLOAD_TOO_LARGE",
            ),
            t.bad(
                "a form",
                b"content=a",
                "Content-Type",
                headers={"Content-Type": "application/x-www-form-urlencoded"},
                status=415,
                code="UNSUPPORTED_MEDIA_TYPE",
            ),
        )
    ]


def _texts() -> list[BadRequest]:
    """What no text may be."""
    return [
        bad
        for t in (STORE, SEARCH, RETRIEVE, SURFACE, UPDATE)
        for bad in (
            t.bad("an empty text", {t.text: ""}, t.text),
            t.bad("white space alone", {t.text: " \n\t　"}, t.text),
            t.bad("NUL", {t.text: "a\0b"}, t.text),
            t.bad("a lone surrogate", b'{"%s": "a\\ud800b"}' % t.text.encode(), t.text),
        )
    ]


_TYPES_TWICE = {"memory_types": ["episodic"], "filters": {"memory_types": ["episodic"]}}
_STATUS_TWICE = {"include": ["archived"], "filters": {"statuses": ["active"]}}


def _fields() -> list[BadRequest]:
    """Values out of their ranges."""
    stored: list[tuple[str, dict[str, Any], str]] = [
        ("importance over 1", {"importance": 1.01}, "importance"),
        ("importance as a text", {"importance": "high"}, "importance"),
        ("an unknown type", {"memory_type": "imaginary"}, "memory_type"),
        ("65 tags", {"tags": [str(n) for n in range(65)]}, "tags"),
        ("a text for a list", {"tags": "one"}, "tags"),
        ("metadata of 17 KB", {"metadata": {"a": "b" * 17_000}}, "metadata"),
        ("NUL in metadata", {"metadata": {"a": "\0"}}, "metadata.a"),
        ("an integer no database holds", {"metadata": {"a": 10**20}}, "metadata"),
        ("a negative turn", {"session_id": "s", "turn": -1}, "turn"),
        ("a turn beyond 2^31", {"session_id": "s", "turn": 2**31 + 1}, "turn"),
        ("no date", {"event_time": "yesterday"}, "event_time"),
        ("a zone that is none", {"timezone": "Mars/Olympus"}, "timezone"),
        ("arousal below 0", {"arousal": -0.1}, "arousal"),
        ("a speaker of 257 characters", {"speaker": "s" * 257}, "speaker"),
    ]
    searched: list[tuple[str, dict[str, Any], str]] = [
        ("a query of 2,001 characters", {"query": "a" * 2_001}, "query"),
        ("top_k 0", {"top_k": 0}, "top_k"),
        ("top_k -1", {"top_k": -1}, "top_k"),
        ("top_k 101", {"top_k": 101}, "top_k"),
        ("a huge top_k", {"top_k": 10**30}, "top_k"),
        ("a fractional top_k", {"top_k": 1.5}, "top_k"),
        ("an unknown mode", {"mode": "psychic"}, "mode"),
        ("alpha over 1", {"alpha": 1.5, "profile": "alpha"}, "alpha"),
        ("an unknown filter", {"filters": {"owner": "b"}}, "filters.owner"),
        ("a filter of a wrong type", {"filters": {"pinned": "x"}}, "filters.pinned"),
        ("filters as a list", {"filters": []}, "filters"),
        ("include beside statuses", _STATUS_TWICE, "include"),
        ("as_of no date", {"as_of": "then"}, "as_of"),
    ]
    retrieved: list[tuple[str, dict[str, Any], str]] = [
        ("a query of 2,001 characters", {"query": "a" * 2_001}, "query"),
        ("a budget of 99", {"token_budget": 99}, "token_budget"),
        ("a budget of 100,001", {"token_budget": 100_001}, "token_budget"),
        ("a negative budget", {"token_budget": -4_000}, "token_budget"),
        ("a fractional budget", {"token_budget": 100.5}, "token_budget"),
        ("an unknown stage", {"cascade_stage": "deepest"}, "cascade_stage"),
        ("an unknown target", {"token_target": "words"}, "token_target"),
        ("a task of 2,001 characters", {"task_context": "a" * 2_001}, "task_context"),
        ("NUL in the task", {"task_context": "a\0"}, "task_context"),
        ("an unknown type", {"memory_types": ["imaginary"]}, "memory_types.0"),
        ("a type for a list", {"memory_types": "episodic"}, "memory_types"),
        ("types twice", _TYPES_TWICE, "memory_types"),
        ("top_k 0", {"top_k": 0}, "top_k"),
        ("top_k 101", {"top_k": 101}, "top_k"),
        ("an unknown filter", {"filters": {"owner": "b"}}, "filters.owner"),
        ("as_of no date", {"as_of": "then"}, "as_of"),
        ("a zone that is none", {"timezone": "Mars/Olympus"}, "timezone"),
    ]
    surfaced: list[tuple[str, dict[str, Any], str]] = [
        ("a context of 32,769 characters", {"context": TOO_LONG}, "context"),
        ("no session", {"session_id": None}, "session_id"),
        ("an empty session", {"session_id": ""}, "session_id"),
        ("a session of 257 characters", {"session_id": "s" * 257}, "session_id"),
        ("a mood beyond 1", {"current_valence": 1.01}, "current_valence"),
        ("a mood in words", {"current_valence": "glad"}, "current_valence"),
        ("a budget of 99", {"token_budget": 99}, "token_budget"),
        ("a budget of 100,001", {"token_budget": 100_001}, "token_budget"),
        ("an unknown target", {"token_target": "words"}, "token_target"),
        ("a zone that is none", {"timezone": "Mars/Olympus"}, "timezone"),
    ]
    too_many = [{"content": str(n)} for n in range(101)]
    return [
        *(t.bad(name, body, at) for t in (STORE, UPDATE) for name, body, at in stored),
        *(SEARCH.bad(name, body, at) for name, body, at in searched),
        *(RETRIEVE.bad(name, body, at) for name, body, at in retrieved),
        *(SURFACE.bad(name, body, at) for name, body, at in surfaced),
        *(
            t.bad("NaN", json_bytes(t.good)[:-1] + b', "%s": NaN}' % at.encode(), at, **_MALFORMED)
            for t, at in ((STORE, "importance"), (UPDATE, "importance"), (SEARCH, "alpha"))
        ),
        *(
            t.bad("an infinite number", json_bytes(t.good)[:-1] + b', "arousal": 1e999}', "arousal")
            for t in (STORE, UPDATE)
        ),
        *(
            t.bad(
                "32,769 characters",
                {"content": TOO_LONG},
                "content",
                status=413,
                code="PAYLOAD_TOO_LARGE",
            )
            for t in (STORE, UPDATE)
        ),
        BATCH.bad("no items", {"memories": []}, "memories"),
        BATCH.bad("101 items", {"memories": too_many}, "memories"),
        KEY.bad("a scope that is none", {"scopes": ["own:everything"]}, "scopes"),
        KEY.bad("no scope", {"scopes": []}, "scopes"),
        UPDATE.bad("nothing to change", b"{}", BODY),
        UPDATE.bad("a field that never changes", {"namespace": "other"}, "namespace"),
        UPDATE.bad("a version that is no number", {}, "If-Match", headers={"If-Match": '"latest"'}),
    ]


BAD_BODIES: tuple[BadRequest, ...] = (*_bodies(), *_texts(), *_fields())
"""All of them."""
