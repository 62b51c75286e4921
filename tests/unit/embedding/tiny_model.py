"""Model folders small enough to build in a test: two layers, 32 dimensions, random weights."""

import json
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, helper

from omoide_embedding.build.graph import sentence_encoder
from omoide_embedding.build.weights import (
    EncoderLayer,
    EncoderWeights,
    LayerNorm,
    Linear,
    quantise_8_bit,
    quantise_word_table,
)

DIMS = 32
MAX_TOKENS = 48
WORDS = [
    *("the", "cat", "sat", "on", "a", "mat", "and", "dog", "ran", "to", "blue", "harbour"),
    *("boats", "were", "red", "query", "passage", ":", "winter", "summer", "tea", "coffee"),
    *("kept", "warm", "in", "old", "house", "where", "who", "what", "zebra"),
]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.?!"


_TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [
        {"SpecialToken": {"id": "<s>", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "</s>", "type_id": 0}},
    ],
    "pair": [],
    "special_tokens": {
        "<s>": {"id": "<s>", "ids": [0], "tokens": ["<s>"]},
        "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]},
    },
}


def unigram_tokenizer() -> dict[str, object]:
    """A unigram tokenizer of some words and all Latin letters, as ``tokenizer.json``."""
    special = ["<s>", "<pad>", "</s>", "<unk>"]
    pieces: list[tuple[str, float]] = [(piece, 0.0) for piece in special]
    pieces += [("▁" + word, -5.0 - index / 10) for index, word in enumerate(WORDS)]
    pieces += [("▁", -4.5), *((letter, -9.0) for letter in LETTERS), ("猫", -10.0)]
    return {
        "version": "1.0",
        "truncation": {
            "max_length": 8,
            "strategy": "LongestFirst",
            "stride": 0,
            "direction": "Right",
        },
        "padding": None,
        "added_tokens": [
            {
                "id": number,
                "content": piece,
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
            for number, piece in enumerate(special)
        ],
        "normalizer": {
            "type": "Sequence",
            "normalizers": [
                {"type": "Replace", "pattern": {"String": "\n"}, "content": " "},
                {"type": "Lowercase"},
            ],
        },
        "pre_tokenizer": {"type": "Metaspace", "replacement": "▁", "add_prefix_space": True},
        "post_processor": _TEMPLATE,
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": 3, "vocab": pieces},
    }


def random_weights(pieces: int, seed: int = 7) -> EncoderWeights:
    """Weights of a two-layer encoder, the same for the same seed."""
    numbers = np.random.default_rng(seed)

    def matrix(outputs: int, inputs: int) -> NDArray[np.float32]:
        return (numbers.standard_normal((outputs, inputs)) * 0.3).astype(np.float32)

    def linear(outputs: int, inputs: int) -> Linear:
        return Linear(
            matrix=quantise_8_bit(matrix(outputs, inputs)), bias=matrix(1, outputs)[0] * 0.1
        )

    norm = LayerNorm(scale=np.ones(DIMS, np.float32), shift=np.zeros(DIMS, np.float32))

    def layer() -> EncoderLayer:
        return EncoderLayer(
            query=linear(DIMS, DIMS),
            key=linear(DIMS, DIMS),
            value=linear(DIMS, DIMS),
            attention_output=linear(DIMS, DIMS),
            attention_norm=norm,
            intermediate=linear(64, DIMS),
            output=linear(DIMS, 64),
            output_norm=norm,
        )

    return EncoderWeights(
        words=quantise_word_table(matrix(pieces, DIMS)),
        positions=matrix(MAX_TOKENS, DIMS) * np.float32(0.2),
        embedding_norm=norm,
        layers=(layer(), layer()),
        heads=4,
        epsilon=1e-6,
    )


def write_tiny_model(folder: Path, **fields: object) -> Path:
    """Write a folder with both outputs, as the build of this project does.

    Args:
        folder: Where to.
        fields: Added to, or replacing, those of ``embed.json``.
    """
    tokenizer = unigram_tokenizer()
    graph = sentence_encoder(random_weights(_pieces(tokenizer)), token_layer=1)
    defaults: dict[str, object] = {
        "dims": DIMS,
        "max_tokens": MAX_TOKENS,
        "pooling": "graph",
        "token_output": "tokens",
        "query_prefix": "query: ",
        "passage_prefix": "passage: ",
        "chunk_tokens": 40,
        "chunk_overlap": 8,
    }
    return _write(folder, graph, tokenizer, {**defaults, **fields})


def write_public_model(folder: Path, **fields: object) -> Path:
    """Write a folder as others publish them: token states only, and an input of token types."""
    tokenizer = unigram_tokenizer()
    graph = sentence_encoder(random_weights(_pieces(tokenizer)), token_layer=2)
    for output in graph.graph.output:
        if output.name == "tokens":
            output.name = "last_hidden_state"
    for node in graph.graph.node:
        node.output[:] = ["last_hidden_state" if name == "tokens" else name for name in node.output]
    token_types = helper.make_tensor_value_info("token_type_ids", 7, ["batch", "length"])
    graph.graph.input.append(token_types)
    return _write(folder, graph, tokenizer, {"pooling": "mean", **fields})


def _write(
    folder: Path, graph: ModelProto, tokenizer: dict[str, object], fields: dict[str, object]
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.onnx").write_bytes(graph.SerializeToString())
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer), encoding="utf-8")
    (folder / "embed.json").write_text(json.dumps(fields), encoding="utf-8")
    return folder


def _pieces(tokenizer: dict[str, object]) -> int:
    model = cast(dict[str, list[object]], tokenizer["model"])
    return len(model["vocab"])
