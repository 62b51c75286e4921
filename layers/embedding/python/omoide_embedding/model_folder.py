"""A folder that holds a model: ``model.onnx``, ``tokenizer.json`` and ``embed.json``."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from omoide.domain.errors import ModelUnavailableError
from omoide.domain.model_profile import ModelProfile, Scale
from omoide_embedding.chunks import LEAST_WINDOW
from omoide_embedding.embed_fields import EmbedFields
from omoide_embedding.revision import (
    FIELDS_FILE,
    GRAPH_FILE,
    TOKENIZER_FILE,
    Shaping,
    known_revision,
)


class Pooling(StrEnum):
    """How token states become one vector."""

    GRAPH = "graph"
    MEAN = "mean"
    CLS = "cls"


UNCALIBRATED_DENSE: Final = Scale(floor=0.4, ceiling=0.9)
"""Used until ``omoide doctor --calibrate`` has measured a folder."""

UNCALIBRATED_LATE: Final = Scale(floor=0.25, ceiling=0.8)
"""The same for the late interaction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFolder:
    """A model folder, described but not loaded.

    Attributes:
        path: The folder.
        pooling: Whether the graph pools or we do.
        normalise: Whether to L2-normalise what the graph or the pooling gives.
        query_prefix: Put before each query.
        passage_prefix: Put before each chunk of a passage.
        vector_output: Name of the output that is pooled, or to be pooled.
        token_output: Name of the output with token vectors; None without late interaction.
        chunk_tokens: Pieces of a chunk when a text exceeds the window.
        chunk_overlap: Pieces two neighbouring chunks share.
        languages: Those it is calibrated on, as in ``calibration.jsonl``; empty for all.
        profile: What ranking needs to know.
    """

    path: Path
    pooling: Pooling
    normalise: bool
    query_prefix: str
    passage_prefix: str
    vector_output: str
    token_output: str | None
    chunk_tokens: int
    chunk_overlap: int
    languages: tuple[str, ...]
    profile: ModelProfile


def built_model_folder(name: str) -> Path:
    """Where this project's build puts the model of that name."""
    return Path(__file__).parents[2] / ".build" / name


def read_model_folder(path: Path) -> ModelFolder:
    """Read and check ``embed.json`` of a folder; loads no model.

    Raises:
        ModelUnavailableError: A file is missing, or a field of ``embed.json`` is wrong.
    """
    for name in (GRAPH_FILE, TOKENIZER_FILE, FIELDS_FILE):
        if not (path / name).is_file():
            raise ModelUnavailableError(
                f"the model folder {path} lacks {name}; `make models ARGS=NAME` builds a model of "
                "models.toml, docs/models.md describes folders of your own"
            )
    fields = EmbedFields.read(path / FIELDS_FILE, path / "config.json")
    shaping = _shaping(fields)
    profile = _profile(path, fields, shaping)
    languages = fields.names("languages")
    fields.text("licence", "")
    fields.refuse_unread()
    return ModelFolder(
        path=path,
        pooling=Pooling(shaping.pooling),
        normalise=shaping.normalize,
        query_prefix=shaping.query_prefix,
        passage_prefix=shaping.passage_prefix,
        vector_output=shaping.vector_output,
        token_output=shaping.token_output or None,
        chunk_tokens=shaping.chunk_tokens,
        chunk_overlap=shaping.chunk_overlap,
        languages=languages,
        profile=profile,
    )


def read_shaping(path: Path) -> Shaping:
    """The vector-shaping fields of a folder's ``embed.json``.

    Raises:
        ModelUnavailableError: A field is wrong.
    """
    return _shaping(EmbedFields.read(path / FIELDS_FILE, path / "config.json"))


def _shaping(fields: EmbedFields) -> Shaping:
    dims = fields.size("dims", "hidden_size")
    if dims % 8:
        raise fields.problem("dims", f"must be a multiple of 8, not {dims}")
    max_tokens = fields.size("max_tokens", "max_position_embeddings")
    if max_tokens < LEAST_WINDOW:
        raise fields.problem("max_tokens", f"must be at least {LEAST_WINDOW}, not {max_tokens}")
    pooling = fields.choice("pooling", [kind.value for kind in Pooling])
    default_output = "embedding" if pooling == Pooling.GRAPH else "last_hidden_state"
    chunk_tokens = fields.count("chunk_tokens", min(256, max_tokens))
    chunk_overlap = fields.count("chunk_overlap", max(1, chunk_tokens // 8))
    if chunk_overlap >= chunk_tokens:
        raise fields.problem("chunk_overlap", f"must be below chunk_tokens, {chunk_tokens}")
    return Shaping(
        dims=dims,
        max_tokens=max_tokens,
        pooling=pooling,
        normalize=fields.flag("normalize", default=True),
        query_prefix=fields.text("query_prefix", ""),
        passage_prefix=fields.text("passage_prefix", ""),
        vector_output=fields.text("vector_output", default_output),
        token_output=fields.text("token_output", ""),
        chunk_tokens=chunk_tokens,
        chunk_overlap=chunk_overlap,
    )


def _profile(path: Path, fields: EmbedFields, shaping: Shaping) -> ModelProfile:
    dense = fields.scale("dense", UNCALIBRATED_DENSE)
    late = fields.scale("late", UNCALIBRATED_LATE)
    return ModelProfile(
        model_id=fields.text("model_id", path.resolve().name),
        revision=known_revision(path, shaping, fields.recorded_revision()),
        dims=shaping.dims,
        max_tokens=shaping.max_tokens,
        has_token_vectors=bool(shaping.token_output),
        dense=dense,
        dense_cross_script=fields.scale("dense_cross_script", dense),
        late=late,
        late_cross_script=fields.scale("late_cross_script", late),
        weights=fields.weights(),
    )
