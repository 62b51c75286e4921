"""Reading LoCoMo (Maharana et al. 2024): long conversations and questions about them."""

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infra.local.evaluation.evaluation_set import (
    Corpus,
    EvaluationSet,
    LabelledMemory,
    LabelledQuery,
)
from omoide.domain.memory import MemoryType
from omoide.services.new_memory import Dedupe, NewMemory

CATEGORIES = {
    1: "1 multi-hop",
    2: "2 temporal",
    3: "3 open-domain",
    4: "4 single-hop",
    5: "5 adversarial",
}
_SESSION = re.compile(r"session_(\d+)")
_TURN_ID = re.compile(r"D\d+:\d+")
_DATE_FORM = "%I:%M %p on %d %B %Y"


def read_locomo(path: Path) -> EvaluationSet:
    """Read a file of conversations: one namespace each, one memory per turn.

    The text of a memory is ``Speaker: text [shares caption]``. Evidence that names no turn is
    dropped, and with it a question that has no other.
    """
    conversations: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return EvaluationSet(
        name=path.stem,
        corpora=tuple(_corpus(c) for c in conversations),
        apart=frozenset({CATEGORIES[5]}),
    )


def _corpus(sample: dict[str, Any]) -> Corpus:
    conversation: dict[str, Any] = sample["conversation"]
    numbers = sorted(int(m[1]) for key in conversation if (m := _SESSION.fullmatch(key)))
    memories = tuple(memory for number in numbers for memory in _session(conversation, number))
    known = {memory.label for memory in memories}
    queries = [_query(qa, known) for qa in sample["qa"]]
    return Corpus(
        name=str(sample["sample_id"]),
        memories=memories,
        queries=tuple(query for query in queries if query.relevant),
    )


def _session(conversation: dict[str, Any], number: int) -> list[LabelledMemory]:
    said = str(conversation[f"session_{number}_date_time"]).replace(",", "")
    time = datetime.strptime(said, _DATE_FORM).replace(tzinfo=UTC)
    turns: list[dict[str, str]] = conversation[f"session_{number}"]
    return [
        LabelledMemory(
            label=turn["dia_id"],
            memory=NewMemory(
                content=_text(turn),
                speaker=turn["speaker"],
                session_id=f"session_{number}",
                turn=index,
                event_time=time,
                memory_type=MemoryType.EPISODIC,
                dedupe=Dedupe.OFF,
            ),
        )
        for index, turn in enumerate(turns)
    ]


def _text(turn: dict[str, str]) -> str:
    caption = turn.get("blip_caption")
    shared = f" [shares {caption}]" if caption else ""
    return f"{turn['speaker']}: {turn['text']}{shared}".replace("\n", " ")


def _query(qa: dict[str, Any], known: set[str]) -> LabelledQuery:
    evidence = " ".join(qa.get("evidence") or [])
    return LabelledQuery(
        text=str(qa["question"]),
        relevant={label: 1 for label in _TURN_ID.findall(evidence) if label in known},
        category=CATEGORIES[qa["category"]],
        language="en",
    )
