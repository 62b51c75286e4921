"""Texts and queries to measure with."""

import json
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import cast

from infra.local.bench.fill import SEED
from omoide.domain.errors import UnavailableError
from omoide.ports.embedder import Embedder

CALIBRATION = Path(__file__).parents[3] / "layers" / "embedding" / "calibration.jsonl"
"""Texts that ship with the project."""

_SENTENCE = re.compile(r"(?<=[.!?。！？])\s*")
_PIECE_WORDS = 6
_MOST_TRIES = 200
_QUESTIONS = ("what did", "when did", "why does", "how often does", "where was", "who told")


def real_texts(evaluation: Path | None, count: int) -> list[str]:
    """Return texts people wrote, recombined by sentences when there are too few.

    Args:
        evaluation: Folder with ``locomo_dev.json``; None takes the project's calibration texts.
        count: How many.
    """
    originals = list(dict.fromkeys(_originals(evaluation)))
    rng = _rng(0)
    rng.shuffle(originals)
    texts = originals[:count]
    sentences = [s for text in originals for s in _SENTENCE.split(text) if len(s) > 12]
    known = set(texts)
    while len(texts) < count:
        text = " ".join(rng.sample(sentences, 2))
        if text not in known:
            known.add(text)
            texts.append(text)
    return texts


def queries(embedder: Embedder, texts: Sequence[str], tokens: int, count: int) -> list[str]:
    """Distinct questions of about a number of tokens, made of the texts' own words.

    Args:
        embedder: Counts.
        texts: Where the words come from.
        tokens: Pieces a question shall have, within one.
        count: How many.
    """
    rng = _rng(1)

    def candidates() -> Iterator[str]:
        while True:
            words = rng.choice(texts).split()
            at = rng.randrange(max(1, len(words) - 4))
            yield f"{rng.choice(_QUESTIONS)} {' '.join(words[at : at + tokens])}"

    return _of_length(embedder, candidates(), tokens, count)


def passages(
    embedder: Embedder, texts: Sequence[str], tokens: int, count: int, *, series: int = 0
) -> list[str]:
    """Distinct texts of about a number of tokens, made of pieces of the texts.

    Args:
        embedder: Counts.
        texts: Where the pieces come from.
        tokens: Pieces a text shall have, within a twentieth.
        count: How many.
        series: Another number gives other texts.
    """
    rng = _rng(tokens + 1_000 * series)

    def candidates() -> Iterator[str]:
        while True:
            words: list[str] = []
            while len(words) < tokens + 2:
                given = rng.choice(texts).split()
                at = rng.randrange(len(given))
                words += given[at : at + _PIECE_WORDS]
            yield " ".join(words[: tokens + 2])

    return _of_length(embedder, candidates(), tokens, count)


def _of_length(embedder: Embedder, candidates: Iterator[str], tokens: int, count: int) -> list[str]:
    """Cut candidates at a word so that they have the length; keep those that come out right."""
    kept: dict[str, None] = {}
    slack = max(1, tokens // 20)
    for candidate in islice(candidates, _MOST_TRIES * count):
        text = _cut(embedder, candidate.split(), tokens)
        if tokens - slack <= embedder.count_tokens(text) <= tokens:
            kept[text] = None
        if len(kept) == count:
            return list(kept)
    raise UnavailableError(f"the texts give too few distinct ones of {tokens} tokens")


def _cut(embedder: Embedder, words: Sequence[str], tokens: int) -> str:
    """The longest beginning of the words with no more tokens than that."""
    low, high = 1, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if embedder.count_tokens(" ".join(words[:middle])) <= tokens:
            low = middle
        else:
            high = middle - 1
    return " ".join(words[:low])


def _originals(evaluation: Path | None) -> Iterable[str]:
    if evaluation is None:
        with CALIBRATION.open(encoding="utf-8") as lines:
            for line in lines:
                yield from _strings(json.loads(line))
        return
    conversations = json.loads((evaluation / "locomo_dev.json").read_text(encoding="utf-8"))
    for conversation in cast("list[dict[str, object]]", conversations):
        yield from _turns(cast("dict[str, object]", conversation["conversation"]))


def _turns(conversation: dict[str, object]) -> Iterator[str]:
    for name, turns in conversation.items():
        if name.startswith("session_") and isinstance(turns, list):
            for turn in cast("list[dict[str, str]]", turns):
                yield f"{turn['speaker']}: {turn['text']}"


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        if len(value) > 12:
            yield value
    elif isinstance(value, dict):
        for one in cast("dict[str, object]", value).values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in cast("list[object]", value):
            yield from _strings(one)


def _rng(offset: int) -> random.Random:
    return random.Random(SEED + offset)  # noqa: S311 - the same texts in each run
