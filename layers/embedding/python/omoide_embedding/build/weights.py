"""The weights of a BERT encoder, quantised, as the graph builder takes them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK_SIZE = 32
"""Consecutive inputs which share one scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantisedMatrix:
    """A weight matrix ``(outputs, inputs)`` in blocks of 32 inputs.

    The value of a code is ``(code - 2 ** (bits - 1)) * scale``.

    Attributes:
        codes: ``(outputs, inputs)`` uint8.
        scales: ``(outputs, inputs // 32)`` float32.
        bits: 4 or 8.
    """

    codes: NDArray[np.uint8]
    scales: NDArray[np.float32]
    bits: int

    def scaled(self, factor: float) -> "QuantisedMatrix":
        """The matrix times a number, exact in the codes."""
        scales = (self.scales * np.float32(factor)).astype(np.float32)
        return QuantisedMatrix(codes=self.codes, scales=scales, bits=self.bits)

    def rows(self, kept: NDArray[np.int64]) -> "QuantisedMatrix":
        """Only the named rows, in their order."""
        return QuantisedMatrix(codes=self.codes[kept], scales=self.scales[kept], bits=self.bits)


@dataclass(frozen=True, slots=True, kw_only=True)
class WordTable:
    """Word vectors with one scale per row.

    Attributes:
        codes: ``(pieces, dims)`` int8.
        scales: ``(pieces, 1)`` float32.
    """

    codes: NDArray[np.int8]
    scales: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class Linear:
    """``x @ matrix.T + bias``."""

    matrix: QuantisedMatrix
    bias: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerNorm:
    """Scale and shift of a layer normalisation, ``(dims,)`` float32 each."""

    scale: NDArray[np.float32]
    shift: NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderLayer:
    """One transformer layer, normalised after each residual sum."""

    query: Linear
    key: Linear
    value: Linear
    attention_output: Linear
    attention_norm: LayerNorm
    intermediate: Linear
    output: Linear
    output_norm: LayerNorm


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderWeights:
    """A whole BERT encoder.

    Attributes:
        words: Word vectors; 4-bit blocks or one int8 scale per row.
        positions: ``(max_tokens, dims)`` float32, the vector of token type 0 already added.
        embedding_norm: Normalisation of the summed embeddings.
        layers: From first to last.
        heads: Attention heads of each layer.
        epsilon: Added to variances.
    """

    words: QuantisedMatrix | WordTable
    positions: NDArray[np.float32]
    embedding_norm: LayerNorm
    layers: tuple[EncoderLayer, ...]
    heads: int
    epsilon: float

    @property
    def dims(self) -> int:
        """Length of a hidden vector."""
        return int(self.positions.shape[1])


def quantise_8_bit(matrix: NDArray[np.float32]) -> QuantisedMatrix:
    """Round a ``(outputs, inputs)`` matrix to symmetric 8-bit blocks."""
    outputs, inputs = matrix.shape
    blocks = matrix.reshape(outputs, inputs // BLOCK_SIZE, BLOCK_SIZE)
    scales = np.abs(blocks).max(axis=-1) / np.float32(127)
    scales = np.where(scales == 0, np.float32(1e-8), scales).astype(np.float32)
    codes = np.clip(np.rint(blocks / scales[..., None]) + 128, 0, 255).astype(np.uint8)
    return QuantisedMatrix(codes=codes.reshape(outputs, inputs), scales=scales, bits=8)


def quantise_word_table(table: NDArray[np.float32]) -> WordTable:
    """Round word vectors ``(pieces, dims)`` to int8 with one scale per row."""
    scales = np.abs(table).max(axis=1, keepdims=True) / np.float32(127)
    scales = np.where(scales == 0, np.float32(1e-8), scales).astype(np.float32)
    codes = np.clip(np.rint(table / scales), -127, 127).astype(np.int8)
    return WordTable(codes=codes, scales=scales)
