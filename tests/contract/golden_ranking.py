"""The golden ranking set: one order of results that every search engine must lead to.

``golden/`` holds memories of an invented household in several languages, what the default model
says of them (``encodings.npz``), and the expected first ten results of each query with their
scores. After a change of the ranking ``python -m tests.contract.golden_ranking`` writes it anew.
"""

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from omoide.adapters.fake.clock import FakeClock
from omoide.adapters.fake.limiter import FakeRateLimiter
from omoide.domain.memory import Memory, MemoryType, Use
from omoide.domain.memory_filter import MemoryFilter
from omoide.domain.model_profile import ModelProfile, RankingWeights, Scale
from omoide.domain.principal import LOCAL_PRINCIPAL
from omoide.domain.ranking.options import Fusion, RankingProfile, SearchMode
from omoide.ports.embedder import Embedder, Passage, PassageEncoding, QueryEncoding
from omoide.ports.memory_index import MemoryIndex
from omoide.ports.memory_records import MemoryChange, MemoryRecords
from omoide.ports.use_log import Accessed
from omoide.services.limit_requests import LimitRequests
from omoide.services.scoring import InContext, score, scored_text
from omoide.services.search_memories import SearchMemories
from omoide.services.search_query import SearchQuery

NAMESPACE = "golden"
TOLERANCE = 0.004
"""Engines keep vectors in half precision: results whose scores differ by less may change places."""

_FOLDER = Path(__file__).parent / "golden"
_ENCODINGS = _FOLDER / "encodings.npz"
_MODEL = _FOLDER / "model.json"
_EXPECTED = _FOLDER / "expected.json"
_BEGIN = datetime(2026, 1, 1, 9, tzinfo=UTC)
_NOW = datetime(2026, 3, 1, tzinfo=UTC)


class RecordedEmbedder:
    """Gives what the default model said of the golden texts."""

    def __init__(self) -> None:
        self._arrays = dict(np.load(_ENCODINGS))
        constants: dict[str, Any] = json.loads(_MODEL.read_text(encoding="utf-8"))
        constants |= {name: Scale(**value) for name, value in constants.pop("scales").items()}
        constants["weights"] = RankingWeights(**constants["weights"])
        self._profile = ModelProfile(**constants)

    @property
    def profile(self) -> ModelProfile:
        """Constants of the model at the time of recording."""
        return self._profile

    def embed_passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """What was recorded of the texts."""
        return [
            PassageEncoding(
                vectors=self._arrays[f"vectors {p.context}\n{p.text}"].astype(np.float32),
                token_bits=self._arrays[f"bits {p.context}\n{p.text}"],
                unknown_share=0.0,
            )
            for p in passages
        ]

    def embed_query(self, text: str) -> QueryEncoding:
        """What was recorded of the query."""
        return QueryEncoding(
            vector=self._arrays[f"vector {text}"].astype(np.float32),
            tokens=self._arrays[f"tokens {text}"].astype(np.float32),
            weights=self._arrays[f"weights {text}"].astype(np.float32),
            unknown_share=0.0,
            text=_encoded(text),
            spans=self._arrays[f"spans {text}"].astype(np.int64),
        )

    def count_tokens(self, text: str) -> int:
        """Recorded texts are short."""
        return len(text)


class _NoUses:
    def record(self, accessed: Accessed) -> None: ...

    def get_many(self, namespace: str, memory_ids: Sequence[str]) -> dict[str, Use]:
        return {}


def golden_changes(embedder: Embedder | None = None) -> list[MemoryChange]:
    """Every golden memory as the write that stores it."""
    memories = _memories()
    items = [InContext(memory=m, previous=_previous(m, memories)) for m in memories]
    scored = score(embedder or RecordedEmbedder(), items)
    return [
        MemoryChange(memory=m, expected_version=None, scoring=s)
        for m, s in zip(memories, scored, strict=True)
    ]


def run_golden(records: MemoryRecords, index: MemoryIndex) -> None:
    """Assert that every golden query, searched through the service, gives the expected order.

    The golden memories must be stored: commit each of `golden_changes` first.
    """
    search = _search(records, index, RecordedEmbedder())
    for case in json.loads(_EXPECTED.read_text(encoding="utf-8")):
        expected: list[tuple[str, float]] = case["results"]
        answer = search(LOCAL_PRINCIPAL, _query(case["query"]))
        found = [(_short(r.view.memory.id), r.score) for r in answer.results]
        assert len(found) == len(expected), (case["query"], found)
        for rank, ((memory_id, value), (_, wanted)) in enumerate(zip(found, expected, strict=True)):
            recorded = case["all"].get(memory_id, value)
            message = f"{case['query']['query']!r}, rank {rank + 1}: {found} not {expected}"
            assert abs(recorded - wanted) <= TOLERANCE, message
            assert abs(value - wanted) <= TOLERANCE, message


def _memories() -> list[Memory]:
    lines = (_FOLDER / "memories.jsonl").read_text(encoding="utf-8").splitlines()
    return [_memory(json.loads(line), number) for number, line in enumerate(lines, start=1)]


def _memory(line: dict[str, Any], number: int) -> Memory:
    at = _BEGIN + timedelta(days=line["day"], minutes=line.get("turn", number))
    return Memory(
        id=f"00000000-0000-7000-8000-{number:012d}",
        namespace=NAMESPACE,
        content=line["content"],
        created_at=at,
        updated_at=at,
        stored_at=at,
        event_time=at,
        memory_type=MemoryType(line.get("type", "semantic")),
        importance=line.get("importance", 0.5),
        pinned=line.get("pinned", False),
        resolved=line.get("resolved", True),
        arousal=line.get("arousal"),
        valence=line.get("valence"),
        session_id=line.get("session"),
        speaker=line.get("speaker"),
        turn=line.get("turn"),
    )


def _previous(memory: Memory, memories: Sequence[Memory]) -> Memory | None:
    turn = memory.turn
    if memory.session_id is None or turn is None:
        return None
    earlier = [
        m
        for m in memories
        if m.session_id == memory.session_id and m.turn is not None and m.turn < turn
    ]
    return max(earlier, key=lambda m: m.turn or 0, default=None)


def _query(case: dict[str, Any]) -> SearchQuery:
    filters = dict(case.get("filters", {}))
    where = MemoryFilter(
        statuses=(),
        memory_types=tuple(MemoryType(t) for t in filters.get("memory_types", ())),
        session_id=filters.get("session_id"),
        event_after=_day(filters.get("event_after_day")),
        event_before=_day(filters.get("event_before_day")),
    )
    profile = case.get("profile")
    return SearchQuery(
        query=case["query"],
        namespace=NAMESPACE,
        top_k=case.get("top_k", 10),
        mode=SearchMode(case.get("mode", "hybrid")),
        fusion=Fusion(case.get("fusion", "weighted")),
        profile=None if profile is None else RankingProfile(profile),
        alpha=case.get("alpha"),
        current_valence=case.get("current_valence"),
        where=where,
    )


def _day(day: int | None) -> datetime | None:
    return None if day is None else _BEGIN + timedelta(days=day)


def _encoded(query: str) -> str:
    return unicodedata.normalize("NFKC", query)


def _short(memory_id: str) -> str:
    return f"g{int(memory_id[-12:]):02d}"


def _search(records: MemoryRecords, index: MemoryIndex, embedder: Embedder) -> SearchMemories:
    clock = FakeClock(_NOW)
    return SearchMemories(
        records=records,
        index=index,
        uses=_NoUses(),
        embedder=embedder,
        limit=LimitRequests(limiter=FakeRateLimiter(clock)),
        clock=clock,
    )


def _record_encodings(embedder: Embedder, queries: Sequence[str]) -> None:
    arrays: dict[str, Any] = {}
    memories = _memories()
    for memory in memories:
        previous = _previous(memory, memories)
        passage = Passage(
            text=scored_text(memory), context="" if previous is None else scored_text(previous)
        )
        (encoding,) = embedder.embed_passages([passage])
        key = f"{passage.context}\n{passage.text}"
        arrays[f"vectors {key}"] = encoding.vectors.astype(np.float16)
        arrays[f"bits {key}"] = encoding.token_bits
    for text in queries:
        query = embedder.embed_query(text)
        assert query.vector is not None, text
        arrays[f"vector {text}"] = query.vector.astype(np.float16)
        arrays[f"tokens {text}"] = query.tokens.astype(np.float16)
        arrays[f"weights {text}"] = query.weights.astype(np.float16)
        assert query.text == _encoded(text), text
        arrays[f"spans {text}"] = query.spans.astype(np.int32)
    np.savez_compressed(_ENCODINGS, **arrays)


def _record_model(profile: ModelProfile) -> None:
    constants = asdict(replace(profile, revision="golden"))
    names = ("dense", "dense_cross_script", "late", "late_cross_script")
    constants["scales"] = {name: constants.pop(name) for name in names}
    _MODEL.write_text(json.dumps(constants, indent=1) + "\n", encoding="utf-8")


def _record_expected(cases: Sequence[dict[str, Any]]) -> None:
    from omoide.adapters.fake.folder import FakeFolder

    with FakeFolder() as folder:
        for change in golden_changes():
            folder.records.commit(change)
        search = _search(folder.records, folder.index, RecordedEmbedder())
        expected: list[dict[str, Any]] = []
        for case in cases:
            query = _query(case)
            every = search(LOCAL_PRINCIPAL, replace(query, top_k=100)).results
            results = search(LOCAL_PRINCIPAL, query).results
            expected.append(
                {
                    "query": case,
                    "results": [[_short(r.view.memory.id), round(r.score, 5)] for r in results],
                    "all": {_short(r.view.memory.id): round(r.score, 5) for r in every},
                }
            )
    lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in expected)
    _EXPECTED.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def main() -> None:
    """Record what the default model and the ranking say now."""
    from omoide_embedding.embedder import OnnxEmbedder
    from omoide_embedding.model_folder import built_model_folder

    cases = json.loads((_FOLDER / "queries.json").read_text(encoding="utf-8"))
    embedder = OnnxEmbedder(built_model_folder("multilingual-e5-small"), threads=1, cache_bytes=0)
    _record_encodings(embedder, [case["query"] for case in cases])
    _record_model(embedder.profile)
    _record_expected(cases)


if __name__ == "__main__":
    main()
