"""A server over a folder of many namespaces: its start, its first answers, its memory."""

from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import httpx

from infra.local.bench.calls import over_http
from infra.local.bench.report import Figure
from infra.local.bench.server_process import ServerProcess, server_process
from infra.local.bench.spread import Spread

_UNCACHED = {"OMOIDE_EMBEDDING_CACHE": "0"}


def server_figures(data: Path, spread: Spread, query: str) -> list[Figure]:
    """Start a server, search the large namespace, then each small one.

    Args:
        data: The folder.
        spread: What it holds.
        query: What is searched.
    """
    figures: list[Figure] = []

    def note(name: str, value: float, unit: str) -> None:
        figures.append(Figure(name=f"{name}, {spread.total:,} memories", value=value, unit=unit))

    with (
        server_process(data, workers=1, environment=_UNCACHED) as server,
        httpx.Client(base_url=server.url, timeout=60, trust_env=False) as client,
    ):
        post = over_http(client)

        def search(namespace: str) -> float:
            return _took_ms(
                lambda: post("/v1/memories/search", {"query": query, "namespace": namespace})
            )

        note("serve: first answer", server.first_answer_s * 1000, "ms")
        note("serve: ready, model loaded", server.ready_s * 1000, "ms")
        note("first search, a small namespace", search(spread.small[0].namespace), "ms")
        _note_process(note, server, "after one search")
        note("first search, the large namespace", search(spread.large.namespace), "ms")
        _note_process(note, server, "large namespace searched")
        for share in spread.small:
            search(share.namespace)
        _note_process(note, server, "every namespace searched")
    return figures


def _note_process(
    note: Callable[[str, float, str], None], server: ServerProcess, when: str
) -> None:
    note(f"server memory, {when}", server.resident_mb(), "MB")
    mapped = server.mapped_files()
    if mapped is not None:
        note(f"mapped files, {when}", mapped, "files")


def _took_ms(call: Callable[[], None]) -> float:
    began = perf_counter()
    call()
    return (perf_counter() - began) * 1000
