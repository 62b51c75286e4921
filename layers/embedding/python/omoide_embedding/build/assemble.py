"""Putting a model folder together from its sources."""

import json
import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from omoide_embedding.build.external_data import DATA_FILE, part_weights
from omoide_embedding.build.graph import sentence_encoder
from omoide_embedding.build.models_file import ModelEntry, ModelsFileError
from omoide_embedding.build.packed_e5 import read_packed_e5
from omoide_embedding.build.safetensors_bert import read_safetensors_bert
from omoide_embedding.build.sources import fetch
from omoide_embedding.build.stamp import write_stamp
from omoide_embedding.build.vocabulary import fast_vocabulary, prune_vocabulary
from omoide_embedding.build.weights import EncoderWeights, QuantisedMatrix
from omoide_embedding.model_folder import read_shaping
from omoide_embedding.revision import (
    FIELDS_FILE,
    GRAPH_FILE,
    MEAN_FILE,
    TOKENIZER_FILE,
    WEIGHTS_FILE,
    record_revision,
)
from omoide_embedding.token_weights import tokenizer_weights
from omoide_embedding.unigram import UNIGRAM_FILE


def build_model(
    entry: ModelEntry, *, scripts: Sequence[str] | None, output: Path, cache: Path, inputs: str
) -> Path:
    """Build one model folder; it appears whole or not at all.

    Args:
        entry: What to build.
        scripts: Scripts whose pieces are kept; None keeps the vocabulary.
        output: Folder of all built models.
        cache: Folder for downloads.
        inputs: Hash recorded in the folder's stamp.

    Raises:
        SourceError: A source cannot be had or is not what it should be.
        ModelsFileError: The entry is wrong.
        ValueError: The sources do not fit each other.
    """
    output.mkdir(parents=True, exist_ok=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{entry.name}-", dir=output))
    try:
        _write_folder(partial, entry, scripts, cache)
        write_stamp(partial, inputs)
        partial.chmod(0o755)
        return _put_in_place(partial, output / entry.name)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _write_folder(
    folder: Path, entry: ModelEntry, scripts: Sequence[str] | None, cache: Path
) -> None:
    tokenizer = fetch(entry.sources["tokenizer"], cache)
    kept: NDArray[np.int64] | None = None
    if scripts is not None:
        tokenizer, kept = prune_vocabulary(tokenizer, scripts)
    for name, content in _graph_files(entry, kept, cache).items():
        (folder / name).write_bytes(content)
    (folder / TOKENIZER_FILE).write_bytes(tokenizer)
    fields: dict[str, Any] = {"model_id": entry.name, **entry.embed}
    if entry.reader != "onnx":
        fields |= {"pooling": "graph", "normalize": False, "token_output": "tokens"}
    if entry.reader == "packed-e5":
        fast_vocabulary(tokenizer).save(folder / UNIGRAM_FILE)
    if fields.get("token_output"):
        np.save(folder / WEIGHTS_FILE, tokenizer_weights(tokenizer))
        if entry.mean is not None and entry.mean.is_file():
            shutil.copyfile(entry.mean, folder / MEAN_FILE)
    _write_fields(folder, fields)
    fields["revision"] = record_revision(folder, read_shaping(folder))
    _write_fields(folder, fields)


def _graph_files(
    entry: ModelEntry, kept: NDArray[np.int64] | None, cache: Path
) -> dict[str, bytes]:
    if entry.reader == "onnx":
        return {GRAPH_FILE: fetch(entry.sources["graph"], cache)}
    if entry.embed.get("pooling") != "mean":
        raise ModelsFileError(f"models.{entry.name}.pooling: graphs built here pool by mean only")
    weights = _read_weights(entry, fetch(entry.sources["weights"], cache))
    if kept is not None:
        if not isinstance(weights.words, QuantisedMatrix):
            raise ModelsFileError(f"models.{entry.name}.scripts: this vocabulary is not pruned")
        weights = replace(weights, words=weights.words.rows(kept))
    model = sentence_encoder(weights, token_layer=int(entry.settings["token_layer"]))
    graph, data = part_weights(model)
    return {GRAPH_FILE: graph, DATA_FILE: data}


def _read_weights(entry: ModelEntry, content: bytes) -> EncoderWeights:
    if entry.reader == "packed-e5":
        return read_packed_e5(content)
    if entry.reader == "safetensors-bert":
        heads, epsilon = int(entry.settings["heads"]), float(entry.settings["epsilon"])
        return read_safetensors_bert(content, heads=heads, epsilon=epsilon)
    raise ModelsFileError(
        f"models.{entry.name}.reader: {entry.reader!r} is none of packed-e5, safetensors-bert, onnx"
    )


def _write_fields(folder: Path, fields: dict[str, Any]) -> None:
    text = json.dumps(fields, ensure_ascii=False, indent=1)
    (folder / FIELDS_FILE).write_text(text + "\n", encoding="utf-8")


def _put_in_place(partial: Path, target: Path) -> Path:
    retired = target.with_name(f".{target.name}-retired-{os.getpid()}")
    if target.exists():
        target.rename(retired)
    partial.rename(target)
    shutil.rmtree(retired, ignore_errors=True)
    return target
