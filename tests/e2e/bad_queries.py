"""Namespaces, query strings, ids and cursors that the operations must refuse."""

from tests.e2e.bad_request import OTHER_ID, SEARCH, STORE, UNFILLED, BadRequest


def _namespaces() -> list[BadRequest]:
    """Namespaces nobody meant."""
    bad = [*UNFILLED, "a//b", "/a", "a/", "", "a\0b", "n" * 1_101]
    return [
        *(
            t.bad(f"namespace {n[:20]!r}", {"namespace": n}, "namespace")
            for t in (STORE, SEARCH)
            for n in bad
        ),
        *(
            BadRequest(
                name=f"namespace {n!r}",
                operation=operation,
                method="GET",
                path=f"{path}?namespace={n}",
                field="namespace",
            )
            for operation, path in (
                ("list_memories", "/v1/memories"),
                ("count_memories", "/v1/memories/count"),
            )
            for n in ("users/%7BuserId%7D/facts", "a//b", "a%00b")
        ),
    ]


def _queries() -> list[BadRequest]:
    """Wrong query strings, ids and cursors."""
    by_id = [
        (operation, method, b'{"content": "x"}' if method == "PATCH" else None)
        for operation, method in (
            ("get_memory", "GET"),
            ("update_memory", "PATCH"),
            ("delete_memory", "DELETE"),
        )
    ]
    return [
        *(
            BadRequest(
                name=name,
                operation="list_memories",
                method="GET",
                path=f"/v1/memories?{query}",
                field=at,
            )
            for name, query, at in (
                ("limit 0", "limit=0", "limit"),
                ("limit 201", "limit=201", "limit"),
                ("limit no number", "limit=all", "limit"),
                ("a forged cursor", "cursor=bm90LXNpZ25lZA", "cursor"),
                ("a cursor of garbage", "cursor=%00%ff", "cursor"),
                ("an unknown parameter", "colour=red", "colour"),
                ("an unknown type", "memory_type=imaginary", "memory_type"),
                ("an unknown status", "status=lost", "status"),
            )
        ),
        BadRequest(
            name="an unknown parameter",
            operation="count_memories",
            method="GET",
            path="/v1/memories/count?colour=red",
            field="colour",
        ),
        *(
            BadRequest(
                name=f"id {memory_id!r}",
                operation=operation,
                method=method,
                path=f"/v1/memories/{memory_id}",
                body=body,
                field="memory_id",
            )
            for operation, method, body in by_id
            for memory_id in ("not-an-id", "0190a5e4", "..%2F..%2Fetc", "%00")
        ),
        BadRequest(
            name="cascade that is no truth",
            operation="delete_memory",
            method="DELETE",
            path=f"/v1/memories/{OTHER_ID}?cascade=perhaps",
            field="cascade",
        ),
        BadRequest(
            name="an unknown parameter",
            operation="list_keys",
            method="GET",
            path="/v1/keys?colour=red",
            field="colour",
        ),
        BadRequest(
            name="an id that cannot be one",
            operation="revoke_key",
            method="DELETE",
            path="/v1/keys/..%2F",
            field="key_id",
        ),
    ]


BAD_QUERIES: tuple[BadRequest, ...] = (*_namespaces(), *_queries())
"""All of them."""
