"""Reading a BERT sentence encoder from safetensors, rounded to 8 bits on the way."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load as load_safetensors

from omoide_embedding.build.weights import (
    EncoderLayer,
    EncoderWeights,
    LayerNorm,
    Linear,
    quantise_8_bit,
    quantise_word_table,
)


def read_safetensors_bert(content: bytes, *, heads: int, epsilon: float) -> EncoderWeights:
    """Read the encoder from the bytes of a safetensors file with the names of ``BertModel``.

    Raises:
        ValueError: A tensor of the encoder is missing.
    """
    tensors: Mapping[str, NDArray[np.float32]] = load_safetensors(content)
    try:
        return _encoder(tensors, heads=heads, epsilon=epsilon)
    except KeyError as missing:
        raise ValueError(f"the weights lack the tensor {missing}") from missing


def _encoder(
    tensors: Mapping[str, NDArray[np.float32]], *, heads: int, epsilon: float
) -> EncoderWeights:
    count = 1 + max(
        int(name.split(".")[2]) for name in tensors if name.startswith("encoder.layer.")
    )
    positions = tensors["embeddings.position_embeddings.weight"]
    token_type = tensors["embeddings.token_type_embeddings.weight"][0]
    return EncoderWeights(
        words=quantise_word_table(tensors["embeddings.word_embeddings.weight"]),
        positions=(positions + token_type).astype(np.float32),
        embedding_norm=_norm(tensors, "embeddings.LayerNorm"),
        layers=tuple(_layer(tensors, f"encoder.layer.{index}") for index in range(count)),
        heads=heads,
        epsilon=epsilon,
    )


def _layer(tensors: Mapping[str, NDArray[np.float32]], name: str) -> EncoderLayer:
    return EncoderLayer(
        query=_linear(tensors, f"{name}.attention.self.query"),
        key=_linear(tensors, f"{name}.attention.self.key"),
        value=_linear(tensors, f"{name}.attention.self.value"),
        attention_output=_linear(tensors, f"{name}.attention.output.dense"),
        attention_norm=_norm(tensors, f"{name}.attention.output.LayerNorm"),
        intermediate=_linear(tensors, f"{name}.intermediate.dense"),
        output=_linear(tensors, f"{name}.output.dense"),
        output_norm=_norm(tensors, f"{name}.output.LayerNorm"),
    )


def _linear(tensors: Mapping[str, NDArray[np.float32]], name: str) -> Linear:
    matrix = quantise_8_bit(tensors[f"{name}.weight"].astype(np.float32))
    return Linear(matrix=matrix, bias=tensors[f"{name}.bias"].astype(np.float32))


def _norm(tensors: Mapping[str, NDArray[np.float32]], name: str) -> LayerNorm:
    return LayerNorm(
        scale=tensors[f"{name}.weight"].astype(np.float32),
        shift=tensors[f"{name}.bias"].astype(np.float32),
    )
