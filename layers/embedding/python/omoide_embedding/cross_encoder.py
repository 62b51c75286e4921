"""A cross-encoder of the user's own: a folder with ``model.onnx`` and ``tokenizer.json``.

The graph takes ``input_ids`` and ``attention_mask`` (and ``token_type_ids``, if it has that input),
int64 ``(batch, length)``, and gives one logit a pair, ``(batch,)`` or ``(batch, 1)``, or two,
``(batch, 2)``, the second for "answers". ``rerank.json`` may set ``max_tokens`` (512), ``depth``
(20), ``weight`` (0.5) and ``activation``: ``sigmoid`` (default) for logits, ``none`` for outputs
that are 0..1 already.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from omoide.domain.errors import ModelUnavailableError
from omoide_embedding.onnx_model import Session, open_session
from omoide_embedding.revision import GRAPH_FILE, TOKENIZER_FILE

FIELDS_FILE: Final = "rerank.json"
_MOST_TOKENS: Final = 8_192
_MOST_MEMORIES: Final = 100


class _Encoding(Protocol):
    @property
    def ids(self) -> list[int]: ...

    @property
    def type_ids(self) -> list[int]: ...


class _Tokenizer(Protocol):
    def encode(self, sequence: str, pair: str) -> _Encoding: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossEncoderFields:
    """What ``rerank.json`` says.

    Attributes:
        max_tokens: Longer pairs lose the end of the text.
        depth: How many of the best memories are read.
        weight: Share of the model's word in relevance, 0..1.
        activation: ``sigmoid`` or ``none``.
    """

    max_tokens: int = 512
    depth: int = 20
    weight: float = 0.5
    activation: str = "sigmoid"


class CrossEncoder:
    """Judges pairs one by one, so that no pair changes the score of another.

    Args:
        folder: Holds the files; they are read at the first query.
        threads: Threads one run may use.

    Raises:
        ModelUnavailableError: A file is missing, or ``rerank.json`` is wrong; names the field.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        for name in (GRAPH_FILE, TOKENIZER_FILE):
            if not (folder / name).is_file():
                raise ModelUnavailableError(f"{folder} has no {name}: it is no reranker")
        self._folder = folder
        self._fields = read_fields(folder / FIELDS_FILE)
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: tuple[Session, _Tokenizer] | None = None

    @property
    def depth(self) -> int:
        """How many of the best memories are read."""
        return self._fields.depth

    @property
    def weight(self) -> float:
        """Share of the model's word in relevance."""
        return self._fields.weight

    def judge(self, query: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return ``(n,)`` scores of texts, 0..1.

        Raises:
            ModelUnavailableError: The files are broken.
        """
        session, tokenizer = self._load()
        names = {entry.name for entry in session.get_inputs()}
        try:
            scores = [self._one(session, names, tokenizer.encode(query, t)) for t in texts]
        except Exception as error:
            raise ModelUnavailableError(f"the reranker in {self._folder} fails: {error}") from error
        return np.array(scores, dtype=np.float64)

    def _one(self, session: Session, names: set[str], encoding: _Encoding) -> float:
        ids = np.array([encoding.ids], dtype=np.int64)
        types = np.array([encoding.type_ids], dtype=np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        outputs = session.run(None, {name: feed[name] for name in names})
        logits = np.asarray(outputs[0], dtype=np.float64).reshape(-1)
        if len(logits) not in (1, 2):
            raise ValueError(f"its first output has {len(logits)} values a pair instead of 1 or 2")
        if self._fields.activation == "none":
            return float(np.clip(logits[-1], 0.0, 1.0))
        margin = logits[-1] - (logits[0] if len(logits) == 2 else 0.0)
        return float(1 / (1 + np.exp(-np.clip(margin, -60.0, 60.0))))

    def _load(self) -> tuple[Session, _Tokenizer]:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._opened()
            return self._loaded

    def _opened(self) -> tuple[Session, _Tokenizer]:
        from tokenizers import Tokenizer

        try:
            tokenizer = cast(Any, Tokenizer.from_file(str(self._folder / TOKENIZER_FILE)))
            tokenizer.no_padding()
            tokenizer.enable_truncation(self._fields.max_tokens, strategy="only_second")
            session = open_session(self._folder / GRAPH_FILE, self._threads)
        except Exception as error:
            raise ModelUnavailableError(
                f"the reranker in {self._folder} cannot be loaded: {error}"
            ) from error
        return session, cast(_Tokenizer, tokenizer)


def read_fields(path: Path) -> CrossEncoderFields:
    """Read ``rerank.json``; where there is none, the defaults.

    Raises:
        ModelUnavailableError: A field is wrong; names it.
    """
    if not path.is_file():
        return CrossEncoderFields()
    try:
        given: object = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelUnavailableError(f"{path} is not JSON: {error}") from error
    if not isinstance(given, dict):
        raise ModelUnavailableError(f"{path} must be a JSON object")
    entries = cast(Mapping[str, object], given)
    defaults = CrossEncoderFields()
    known = {
        "max_tokens": _whole(entries, "max_tokens", defaults.max_tokens, _MOST_TOKENS, path),
        "depth": _whole(entries, "depth", defaults.depth, _MOST_MEMORIES, path),
    }
    weight = entries.get("weight", defaults.weight)
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 <= weight <= 1:
        raise ModelUnavailableError(f"{path}: weight must be between 0 and 1")
    activation = entries.get("activation", defaults.activation)
    if activation not in ("sigmoid", "none"):
        raise ModelUnavailableError(f"{path}: activation must be sigmoid or none")
    unknown = sorted(set(entries) - {*known, "weight", "activation"})
    if unknown:
        raise ModelUnavailableError(f"{path}: {', '.join(unknown)}: no such field")
    return CrossEncoderFields(**known, weight=float(weight), activation=str(activation))


def _whole(entries: Mapping[str, object], name: str, default: int, most: int, path: Path) -> int:
    value = entries.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
        raise ModelUnavailableError(f"{path}: {name} must be a whole number from 1 to {most}")
    return value
