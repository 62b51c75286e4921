"""The revision of a model: a short hash of everything that shapes its vectors."""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from omoide.domain.stop_words import STOP_WORDS
from omoide_embedding.embed_fields import RecordedRevision

GRAPH_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
FIELDS_FILE: Final = "embed.json"
MEAN_FILE: Final = "mean.npy"
WEIGHTS_FILE: Final = "token_weights.npy"
WEIGHTS_JSON_FILE: Final = "token_weights.json"

_HASHED_FILES: Final = (
    GRAPH_FILE,
    "model.onnx_data",
    "model.onnx.data",
    TOKENIZER_FILE,
    MEAN_FILE,
    WEIGHTS_FILE,
    WEIGHTS_JSON_FILE,
)
"""Graphs too large for one file keep their weights beside it under one of the two names."""

_LENGTH: Final = 16
_ENCODING_VERSION: Final = 1
"""Raised when the same files begin to give other vectors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaping:
    """The fields of ``embed.json`` that change vectors, with their defaults filled in."""

    dims: int
    max_tokens: int
    pooling: str
    normalize: bool
    query_prefix: str
    passage_prefix: str
    vector_output: str
    token_output: str
    chunk_tokens: int
    chunk_overlap: int


def known_revision(path: Path, shaping: Shaping, recorded: RecordedRevision | None) -> str:
    """The recorded revision while it still fits the folder, else a new one.

    The record fits when fields and file sizes are the same and no file is newer than
    ``embed.json``; then no large file is read.
    """
    if recorded is not None and _still_fits(path, shaping, recorded):
        return recorded.value
    return compute_revision(path, shaping)


def compute_revision(path: Path, shaping: Shaping) -> str:
    """Hash the files and fields of a model folder; reads each file once per process."""
    digest = hashlib.sha256(_shaping_text(path, shaping).encode())
    for file in _files(path):
        digest.update(f"\n{file.name} {_file_hash(file)}".encode())
    return digest.hexdigest()[:_LENGTH]


def record_revision(path: Path, shaping: Shaping) -> dict[str, object]:
    """The value of the field ``revision`` of ``embed.json`` for a finished folder."""
    return {
        "value": compute_revision(path, shaping),
        "sizes": {file.name: file.stat().st_size for file in _files(path)},
        "shaping": _shaping_hash(path, shaping),
    }


def _still_fits(path: Path, shaping: Shaping, recorded: RecordedRevision) -> bool:
    if recorded.shaping != _shaping_hash(path, shaping):
        return False
    status = {file.name: file.stat() for file in _files(path)}
    if {name: entry.st_size for name, entry in status.items()} != recorded.sizes:
        return False
    written_ns = (path / FIELDS_FILE).stat().st_mtime_ns
    return all(entry.st_mtime_ns <= written_ns for entry in status.values())


def _files(path: Path) -> list[Path]:
    return [path / name for name in _HASHED_FILES if (path / name).is_file()]


def _shaping_hash(path: Path, shaping: Shaping) -> str:
    return hashlib.sha256(_shaping_text(path, shaping).encode()).hexdigest()[:_LENGTH]


def _shaping_text(path: Path, shaping: Shaping) -> str:
    text = json.dumps({"encoding": _ENCODING_VERSION, **asdict(shaping)}, ensure_ascii=False)
    weights_given = any((path / name).is_file() for name in (WEIGHTS_FILE, WEIGHTS_JSON_FILE))
    if shaping.token_output and not weights_given:
        text += " ".join(sorted(STOP_WORDS))
    return text


def _file_hash(file: Path) -> str:
    status = file.stat()
    return _hash_of_state(file, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _hash_of_state(file: Path, size: int, modified_ns: int) -> str:
    del size, modified_ns
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
