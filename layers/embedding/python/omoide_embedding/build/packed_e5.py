"""Reading the E5S1 container: multilingual-e5-small with 4-bit weights.

Layout (little endian): 8 bytes magic and version; seven int32 (dims, layers, heads, inner size,
pieces, positions, token types); float32 epsilon; int32 block size; the tokenizer (five int32, a
uint64 length, offsets, scores, text); names; then a directory of tensors, each ``uint16`` length,
name, uint8 type, uint32 count, uint64 offset, uint64 bytes. A 4-bit block is a float16 scale and
16 bytes: low nibbles are inputs 0..15, high nibbles inputs 16..31 of the block (GGML's Q4_0).
"""

import struct
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from omoide_embedding.build.weights import (
    BLOCK_SIZE,
    EncoderLayer,
    EncoderWeights,
    LayerNorm,
    Linear,
    QuantisedMatrix,
)

_MAGIC: Final = b"E5S1"
_BLOCK: Final = np.dtype([("scale", "<f2"), ("codes", "u1", (BLOCK_SIZE // 2,))])


@dataclass(frozen=True, slots=True)
class _Shape:
    dims: int
    layers: int
    heads: int
    inner: int
    pieces: int
    positions: int
    epsilon: float


def read_packed_e5(content: bytes) -> EncoderWeights:
    """Read the encoder from the bytes of an E5S1 file.

    Raises:
        ValueError: The bytes are no E5S1 container with blocks of 32.
    """
    if content[:4] != _MAGIC:
        raise ValueError("not an E5S1 container")
    dims, layers, heads, inner, pieces, positions, _ = struct.unpack_from("<7i", content, 8)
    (epsilon,) = struct.unpack_from("<f", content, 36)
    (block_size,) = struct.unpack_from("<i", content, 40)
    if block_size != BLOCK_SIZE:
        raise ValueError(f"blocks of {block_size} instead of {BLOCK_SIZE}")
    shape = _Shape(dims, layers, heads, inner, pieces, positions, epsilon)
    return _TensorReader(content, _directory(content), shape).encoder()


def _directory(content: bytes) -> dict[str, int]:
    at = 44
    (pieces,) = struct.unpack_from("<i", content, at)
    (text_length,) = struct.unpack_from("<Q", content, at + 20)
    at += 28 + 4 * (pieces + 1) + 4 * pieces + text_length
    _, name_bytes = struct.unpack_from("<iI", content, at)
    at += 8 + name_bytes
    (count,) = struct.unpack_from("<i", content, at)
    at += 4
    offsets: dict[str, int] = {}
    for _ in range(count):
        (length,) = struct.unpack_from("<H", content, at)
        name = content[at + 2 : at + 2 + length].decode()
        at += 2 + length + 1
        _, offset, _ = struct.unpack_from("<IQQ", content, at)
        at += 20
        offsets[name] = offset
    return offsets


class _TensorReader:
    def __init__(self, content: bytes, offsets: dict[str, int], shape: _Shape) -> None:
        self._content = content
        self._offsets = offsets
        self._shape = shape

    def encoder(self) -> EncoderWeights:
        shape = self._shape
        token_type = self._floats("emb.type", shape.dims)
        positions = self._floats("emb.pos", shape.positions * shape.dims)
        return EncoderWeights(
            words=self._matrix("emb.word", shape.pieces, shape.dims),
            positions=positions.reshape(shape.positions, shape.dims) + token_type,
            embedding_norm=self._norm("emb.ln"),
            layers=tuple(self._layer(f"l{index}") for index in range(shape.layers)),
            heads=shape.heads,
            epsilon=shape.epsilon,
        )

    def _layer(self, name: str) -> EncoderLayer:
        dims, inner = self._shape.dims, self._shape.inner
        return EncoderLayer(
            query=self._linear(f"{name}.q", dims, dims),
            key=self._linear(f"{name}.k", dims, dims),
            value=self._linear(f"{name}.v", dims, dims),
            attention_output=self._linear(f"{name}.ao", dims, dims),
            attention_norm=self._norm(f"{name}.aln"),
            intermediate=self._linear(f"{name}.fi", inner, dims),
            output=self._linear(f"{name}.fo", dims, inner),
            output_norm=self._norm(f"{name}.oln"),
        )

    def _floats(self, name: str, count: int) -> NDArray[np.float32]:
        return np.frombuffer(self._content, "<f4", count, self._offsets[name]).astype(np.float32)

    def _norm(self, name: str) -> LayerNorm:
        dims = self._shape.dims
        return LayerNorm(
            scale=self._floats(f"{name}.w", dims), shift=self._floats(f"{name}.b", dims)
        )

    def _linear(self, name: str, outputs: int, inputs: int) -> Linear:
        matrix = self._matrix(f"{name}.w", outputs, inputs)
        return Linear(matrix=matrix, bias=self._floats(f"{name}.b", outputs))

    def _matrix(self, name: str, outputs: int, inputs: int) -> QuantisedMatrix:
        count = outputs * inputs // BLOCK_SIZE
        blocks = np.frombuffer(self._content, _BLOCK, count, self._offsets[name])
        packed = blocks["codes"]
        codes = np.concatenate([packed & 15, packed >> 4], axis=1).astype(np.uint8)
        scales = blocks["scale"].astype(np.float32).reshape(outputs, inputs // BLOCK_SIZE)
        return QuantisedMatrix(codes=codes.reshape(outputs, inputs), scales=scales, bits=4)
