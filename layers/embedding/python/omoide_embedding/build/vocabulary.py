"""Pruning a unigram vocabulary to the scripts a user writes in."""

import json
import re
from collections.abc import Collection
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from omoide_embedding.unigram import UnigramVocabulary

BASE_SCRIPTS: Final = ("latin", "kana", "han", "hangul", "symbols")
"""Kept unless a model's entry or the command line names others."""

SCRIPT_RANGES: Final[dict[str, str]] = {
    "latin": "\u0000-\u024f\u0250-\u02ff\u0300-\u036f\u1d00-\u1dbf\u1e00-\u1eff\u2c60-\u2c7f"
    "\ua720-\ua7ff\ufb00-\ufb06",
    "kana": "\u3040-\u30ff\u31f0-\u31ff",
    "han": "\u2e80-\u2fdf\u3100-\u312f\u3190-\u319f\u31a0-\u31bf\u31c0-\u31ef\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff",
    "hangul": "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff",
    "symbols": "\u2000-\u2bff\u3000-\u303f\u3200-\u33ff\ufe00-\ufe0f\ufe10-\ufe6f\uff00-\uffef"
    "\u2581\U0001f000-\U0001faff",
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "cyrillic": "\u0400-\u052f\u1c80-\u1c8f\u2de0-\u2dff\ua640-\ua69f",
    "arabic": "\u0600-\u06ff\u0750-\u077f\u0870-\u08ff\ufb50-\ufdff\ufe70-\ufeff",
    "hebrew": "\u0590-\u05ff\ufb1d-\ufb4f",
    "thai": "\u0e00-\u0e7f",
    "devanagari": "\u0900-\u097f\ua8e0-\ua8ff\u1cd0-\u1cff",
}
"""Script name to character ranges; a piece is kept when all its characters lie in kept ranges."""

ALL_SCRIPTS: Final = "all"


def prune_vocabulary(tokenizer: bytes, scripts: Collection[str]) -> tuple[bytes, NDArray[np.int64]]:
    """Keep the pieces written in the given scripts, and every special piece.

    Args:
        tokenizer: ``tokenizer.json`` of a unigram model.
        scripts: Names from `SCRIPT_RANGES`, or ``all``.

    Returns:
        The smaller ``tokenizer.json`` and ``(pieces,)`` int64, the old number of each new piece,
        ascending.

    Raises:
        ValueError: A script is unknown, or the tokenizer is no unigram model.
    """
    document: dict[str, Any] = json.loads(tokenizer)
    model = document["model"]
    if model["type"] != "Unigram":
        raise ValueError(f"only unigram vocabularies can be pruned, not {model['type']}")
    vocabulary: list[tuple[str, float]] = model["vocab"]
    added: list[dict[str, Any]] = document["added_tokens"]
    special = {token["content"] for token in added}
    written = _written_in(scripts)
    kept = [
        number
        for number, (piece, _) in enumerate(vocabulary)
        if piece in special or written.fullmatch(piece)
    ]
    renumbered = {old: new for new, old in enumerate(kept)}
    model["vocab"] = [vocabulary[number] for number in kept]
    model["unk_id"] = renumbered[model["unk_id"]]
    document["added_tokens"] = [
        {**token, "id": renumbered[token["id"]]} for token in added if token["id"] in renumbered
    ]
    smaller = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return smaller.encode(), np.array(kept, np.int64)


def fast_vocabulary(tokenizer: bytes) -> UnigramVocabulary:
    """The vocabulary of an XLM-RoBERTa tokenizer in the form that opens quickly.

    Args:
        tokenizer: ``tokenizer.json`` that puts ``<s>`` before and ``</s>`` after a text.
    """
    document: dict[str, Any] = json.loads(tokenizer)
    vocabulary: list[tuple[str, float]] = document["model"]["vocab"]
    numbers = {token["content"]: int(token["id"]) for token in document["added_tokens"]}
    return UnigramVocabulary(
        pieces=[piece for piece, _ in vocabulary],
        scores=np.array([score for _, score in vocabulary], np.float64),
        special=frozenset(numbers.values()),
        before=(numbers["<s>"],),
        after=(numbers["</s>"],),
        unknown=int(document["model"]["unk_id"]),
    )


def _written_in(scripts: Collection[str]) -> re.Pattern[str]:
    if ALL_SCRIPTS in scripts:
        return re.compile(r".*", re.DOTALL)
    unknown = sorted(set(scripts) - set(SCRIPT_RANGES))
    if unknown:
        known = ", ".join([*SCRIPT_RANGES, ALL_SCRIPTS])
        raise ValueError(f"scripts: unknown {', '.join(unknown)}; known are {known}")
    ranges = "".join(SCRIPT_RANGES[name] for name in sorted(set(scripts)))
    return re.compile(f"[{ranges}]+")
