"""A loaded model: texts to vectors, token bits and weights."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import numpy as np
from numpy.typing import NDArray

from omoide.domain.errors import ModelUnavailableError
from omoide.ports.embedder import Passage, PassageEncoding, QueryEncoding
from omoide_embedding.batches import BatchRunner, Run, default_workers
from omoide_embedding.chunks import LEAST_OWN_TOKENS, Chunk, ChunkPlan, choose_tokens
from omoide_embedding.model_folder import ModelFolder
from omoide_embedding.onnx_model import OnnxModel
from omoide_embedding.pieces import PieceCutter, normalised_text
from omoide_embedding.revision import FIELDS_FILE, MEAN_FILE
from omoide_embedding.token_weights import read_token_weights

MAX_UNKNOWN_SHARE: Final = 0.3
"""Texts with a larger share of unknown characters get no vectors."""


class Encoder:
    """Encodes texts; several threads may share it.

    Args:
        folder: Describes the model.
        cutter: Its tokenizer.
        model: Its graph.
        mean: ``(dims,)`` float32, subtracted from token vectors.
        weights: ``(pieces,)`` float32, the weight of each piece.
        workers: Runs of the model at a time when several texts are encoded.
    """

    def __init__(
        self,
        folder: ModelFolder,
        *,
        cutter: PieceCutter,
        model: OnnxModel,
        mean: NDArray[np.float32],
        weights: NDArray[np.float32],
        workers: int = 1,
    ) -> None:
        self._folder = folder
        self._dims = folder.profile.dims
        self._max_tokens = folder.profile.max_tokens
        self._query_prefix = folder.query_prefix
        self._plan = ChunkPlan(
            prefix=folder.passage_prefix,
            max_tokens=folder.profile.max_tokens,
            chunk_tokens=folder.chunk_tokens,
            overlap=folder.chunk_overlap,
        )
        self._cutter = cutter
        self._model = model
        self._mean = mean
        self._weights = weights
        self._workers = workers
        self._runner = BatchRunner(model, workers=workers)

    @classmethod
    def load(cls, folder: ModelFolder, threads: int) -> "Encoder":
        """Load the graph and, meanwhile, the tokenizer.

        Raises:
            ModelUnavailableError: A file is missing or broken.
        """
        try:
            OnnxModel.import_runtime()
            with ThreadPoolExecutor(max_workers=1, thread_name_prefix="model-load") as executor:
                opening = executor.submit(OnnxModel.load, folder, threads)
                cutter = PieceCutter.load(folder.path)
                weights = _weights(folder)
                model = opening.result()
            mean = _mean(folder)
            _require_room(folder, cutter)
        except ModelUnavailableError:
            raise
        except Exception as error:
            raise ModelUnavailableError(
                f"the model in {folder.path} cannot be loaded: {error}"
            ) from error
        return cls(
            folder,
            cutter=cutter,
            model=model,
            mean=mean,
            weights=weights,
            workers=default_workers(threads),
        )

    def centred_on(self, mean: NDArray[np.float32]) -> "Encoder":
        """The same model with another mean ``(dims,)`` subtracted from token vectors."""
        return Encoder(
            self._folder,
            cutter=self._cutter,
            model=self._model,
            mean=mean,
            weights=self._weights,
            workers=self._workers,
        )

    def token_states(self, text: str) -> NDArray[np.float32]:
        """Raw token vectors ``(n, dims)`` of a passage's own pieces, not centred."""
        (chunk, *_) = self._plan.chunks(self._cutter, normalised_text(text), "")
        states, _ = self._own(chunk, self._model.run(self._input(chunk)))
        return np.zeros((0, self._dims), np.float32) if states is None else states

    def count_tokens(self, text: str) -> int:
        """Number of pieces of a text."""
        return self._cutter.count(self._cutter.cut(normalised_text(text)))

    def passages(self, passages: Sequence[Passage]) -> list[PassageEncoding]:
        """Encode texts to be stored, in order, on all cores."""
        planned = [self._planned(passage) for passage in passages]
        inputs = [self._input(chunk) for chunks, _ in planned for chunk in chunks]
        runs = iter(self._runner.run(inputs))
        return [
            self._encoding([(chunk, next(runs)) for chunk in chunks], unknown_share)
            for chunks, unknown_share in planned
        ]

    def _planned(self, passage: Passage) -> tuple[list[Chunk], float]:
        """The chunks of a text, none when it lies mostly outside the vocabulary."""
        text = normalised_text(passage.text)
        unknown_share = self._cutter.unknown_share(self._cutter.cut(text))
        if unknown_share > MAX_UNKNOWN_SHARE:
            return [], unknown_share
        context = normalised_text(passage.context)
        return self._plan.chunks(self._cutter, text, context), unknown_share

    def _encoding(self, runs: Sequence[tuple[Chunk, Run]], unknown_share: float) -> PassageEncoding:
        if not runs:
            return self._unknown_passage(unknown_share)
        bits: list[NDArray[np.uint8]] = []
        weights: list[NDArray[np.float32]] = []
        for chunk, run in runs:
            states, chunk_weights = self._own(chunk, run)
            bits.append(self._bits(states))
            weights.append(chunk_weights)
        chosen = choose_tokens(weights)
        kept = [rows[places] for rows, places in zip(bits, chosen, strict=True)]
        return PassageEncoding(
            vectors=np.stack([run.vector for _, run in runs]),
            token_bits=np.concatenate(kept),
            unknown_share=unknown_share,
        )

    def query(self, text: str) -> QueryEncoding:
        """Encode a query; what exceeds the window is left out."""
        text = normalised_text(text)
        unknown_share = self._cutter.unknown_share(self._cutter.cut(text))
        nothing = np.zeros((0, self._dims), np.float32)
        no_weights = np.zeros(0, np.float32)
        if unknown_share > MAX_UNKNOWN_SHARE or not text.strip():
            return QueryEncoding(
                vector=None, tokens=nothing, weights=no_weights, unknown_share=unknown_share
            )
        pieces = self._cutter.cut(self._query_prefix + text)
        chunk = Chunk(pieces=pieces, own=pieces.ends > len(self._query_prefix))
        run = self._model.run(self._input(chunk))
        states, weights = self._own(chunk, run)
        if states is None:
            return QueryEncoding(
                vector=run.vector, tokens=nothing, weights=no_weights, unknown_share=unknown_share
            )
        (heavy,) = choose_tokens([weights])
        weights = weights[heavy]
        return QueryEncoding(
            vector=run.vector,
            tokens=_unit_rows(states[heavy] - self._mean),
            weights=weights if weights.any() else np.ones_like(weights),
            unknown_share=unknown_share,
            text=text,
            spans=self._query_spans(chunk)[heavy],
        )

    def _query_spans(self, chunk: Chunk) -> NDArray[np.int64]:
        """Where a query's own pieces begin and end in it, ``(n, 2)``, without the prefix."""
        own = self._own_pieces(chunk)
        spans = np.stack([chunk.pieces.starts[own], chunk.pieces.ends[own]], axis=1)
        return np.maximum(spans - len(self._query_prefix), 0)

    def _bits(self, states: NDArray[np.float32] | None) -> NDArray[np.uint8]:
        if states is None:
            return np.zeros((0, self._dims // 8), np.uint8)
        return np.packbits(states > self._mean, axis=1)

    def _input(self, chunk: Chunk) -> NDArray[np.int64]:
        return self._cutter.model_input(chunk.pieces, self._max_tokens)

    def _own(
        self, chunk: Chunk, run: Run
    ) -> tuple[NDArray[np.float32] | None, NDArray[np.float32]]:
        """States and weights of the chunk's own tokens."""
        if run.states is None:
            return None, np.zeros(0, np.float32)
        own = self._own_pieces(chunk)
        states = run.states[own + self._cutter.leading_count]
        return states, self._weights[chunk.pieces.numbers[own]]

    def _own_pieces(self, chunk: Chunk) -> NDArray[np.int64]:
        """Places of the chunk's own pieces that fit into the window."""
        room = self._max_tokens - self._cutter.special_count
        return np.nonzero(chunk.own[:room])[0].astype(np.int64)

    def _unknown_passage(self, unknown_share: float) -> PassageEncoding:
        return PassageEncoding(
            vectors=np.zeros((0, self._dims), np.float32),
            token_bits=np.zeros((0, self._dims // 8), np.uint8),
            unknown_share=unknown_share,
        )


def _require_room(folder: ModelFolder, cutter: PieceCutter) -> None:
    """Refuse prefixes that leave nothing of the window to texts."""
    prefixes = {"query_prefix": folder.query_prefix, "passage_prefix": folder.passage_prefix}
    window = folder.profile.max_tokens - cutter.special_count
    for field, prefix in prefixes.items():
        if len(cutter.cut(prefix)) > window - LEAST_OWN_TOKENS:
            raise ModelUnavailableError(
                f"{folder.path / FIELDS_FILE}: {field} fills the window of max_tokens, {window} "
                "pieces without the special ones"
            )


def _weights(folder: ModelFolder) -> NDArray[np.float32]:
    if folder.token_output is None:
        return np.zeros(0, np.float32)
    return read_token_weights(folder.path)


def _mean(folder: ModelFolder) -> NDArray[np.float32]:
    dims = folder.profile.dims
    file = folder.path / MEAN_FILE
    if not file.is_file():
        return np.zeros(dims, np.float32)
    mean = np.load(file, allow_pickle=False).astype(np.float32)
    if mean.shape != (dims,):
        raise ModelUnavailableError(f"{file} has the shape {mean.shape} instead of ({dims},)")
    return mean


def _unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.maximum(lengths, 1e-6)).astype(np.float32)
