"""Encodings of real texts, kept between runs."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from platformdirs import user_cache_path

from omoide.ports.embedder import Embedder, Passage, PassageEncoding

_TOGETHER = 64
"""Texts encoded in one call."""


def encodings_of(
    embedder: Embedder, texts: Sequence[str], advanced: Callable[[int], None]
) -> list[PassageEncoding]:
    """Encode texts, or read what an earlier run with this model and these texts encoded.

    Args:
        embedder: The model.
        texts: What to encode.
        advanced: Called with how many more are encoded.
    """
    digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]
    file = user_cache_path("omoide") / f"bench-{embedder.profile.revision}-{digest}.npz"
    if file.is_file():
        advanced(len(texts))
        return _read(file)
    encodings: list[PassageEncoding] = []
    for first in range(0, len(texts), _TOGETHER):
        batch = [Passage(text=text) for text in texts[first : first + _TOGETHER]]
        encodings += embedder.embed_passages(batch)
        advanced(len(batch))
    _write(file, encodings)
    return encodings


def _write(file: Path, encodings: Sequence[PassageEncoding]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial.npz")
    np.savez(
        partial,
        vectors=np.concatenate([e.vectors for e in encodings]),
        chunks=np.array([len(e.vectors) for e in encodings]),
        bits=np.concatenate([e.token_bits for e in encodings]),
        tokens=np.array([len(e.token_bits) for e in encodings]),
    )
    partial.replace(file)


def _read(file: Path) -> list[PassageEncoding]:
    with np.load(file) as kept:
        vectors = np.split(kept["vectors"], np.cumsum(kept["chunks"])[:-1])
        bits = np.split(kept["bits"], np.cumsum(kept["tokens"])[:-1])
    return [
        PassageEncoding(vectors=v, token_bits=b, unknown_share=0.0)
        for v, b in zip(vectors, bits, strict=True)
    ]
