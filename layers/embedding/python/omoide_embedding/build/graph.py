"""Writing a BERT sentence encoder as an ONNX graph, without torch.

Inputs ``input_ids`` and ``attention_mask`` ``(batch, tokens)`` int64. Outputs ``embedding``
``(batch, dims)`` float32, mean-pooled and L2-normalised, and ``tokens`` ``(batch, tokens, dims)``
float32, the hidden states of one layer. Attention heads, positions and pooling follow Devlin et al.
2019 and Reimers and Gurevych 2019. Linear layers are ``MatMulNBits`` whose activations are rounded
per block of a row, so that a text's vector does not depend on the other texts of its batch.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from omoide_embedding.build.weights import (
    BLOCK_SIZE,
    EncoderLayer,
    EncoderWeights,
    LayerNorm,
    Linear,
    QuantisedMatrix,
)

_OPSET = 21
_IR_VERSION = 10
_CONTRIB = "com.microsoft"
_INT8_ACTIVATIONS = 4
_MASKED = -10000.0


def sentence_encoder(weights: EncoderWeights, *, token_layer: int) -> onnx.ModelProto:
    """The graph of an encoder.

    Args:
        weights: Of the encoder.
        token_layer: Number of the layer (1 = first) whose states are the output ``tokens``.
    """
    graph = _GraphWriter()
    hidden = _embeddings(graph, weights)
    mask = graph.add("Cast", ["attention_mask"], to=TensorProto.FLOAT)
    bias = _attention_bias(graph, mask)
    for number, layer in enumerate(weights.layers, start=1):
        hidden = _layer(graph, weights, layer, hidden, bias, f"layer{number}")
        if number == token_layer:
            graph.add("Identity", [hidden], output="tokens")
    _pooled(graph, hidden, mask)
    return graph.model(weights.dims)


class _GraphWriter:
    def __init__(self) -> None:
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, values: NDArray[Any]) -> str:
        if name not in self._constants:
            tensor = numpy_helper.from_array(np.ascontiguousarray(values), name)
            self._constants[name] = tensor
        return name

    def four_bit_constant(self, name: str, matrix: QuantisedMatrix) -> str:
        signed = matrix.codes ^ 8
        tensor = TensorProto(name=name, data_type=TensorProto.INT4, dims=matrix.codes.shape)
        tensor.raw_data = (signed[:, 0::2] | (signed[:, 1::2] << 4)).tobytes()
        self._constants[name] = tensor
        return name

    def add(
        self,
        operator: str,
        inputs: Sequence[str],
        *,
        output: str = "",
        domain: str = "",
        **attributes: int | float | Sequence[int],
    ) -> str:
        output = output or f"{operator}_{len(self._nodes)}"
        node = helper.make_node(operator, inputs, [output], name=f"node_{output}", domain=domain)
        node.attribute.extend(
            helper.make_attribute(name, value) for name, value in sorted(attributes.items())
        )
        self._nodes.append(node)
        return output

    def model(self, dims: int) -> onnx.ModelProto:
        int64, float32 = TensorProto.INT64, TensorProto.FLOAT
        value = helper.make_tensor_value_info
        graph = helper.make_graph(
            self._nodes,
            "sentence_encoder",
            [value(name, int64, ["batch", "length"]) for name in ("input_ids", "attention_mask")],
            [
                value("embedding", float32, ["batch", dims]),
                value("tokens", float32, ["batch", "length", dims]),
            ],
            list(self._constants.values()),
        )
        opsets = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
        model = helper.make_model(graph, opset_imports=opsets, producer_name="omoide")
        model.ir_version = _IR_VERSION
        return model


def _int64(graph: _GraphWriter, *values: int) -> str:
    name = "int64_" + "_".join(str(value) for value in values)
    return graph.constant(name, np.array(values, np.int64))


def _embeddings(graph: _GraphWriter, weights: EncoderWeights) -> str:
    words = _word_vectors(graph, weights)
    length = graph.add("Shape", ["input_ids"], start=1, end=2)
    positions = graph.constant("positions", weights.positions)
    start = _int64(graph, 0)
    used = graph.add("Slice", [positions, start, length, start])
    summed = graph.add("Add", [words, used])
    return _normalised(graph, summed, weights.embedding_norm, "embeddings", weights.epsilon)


def _word_vectors(graph: _GraphWriter, weights: EncoderWeights) -> str:
    table = weights.words
    scales = graph.constant("words_scales", table.scales)
    if isinstance(table, QuantisedMatrix):
        codes = graph.four_bit_constant("words_codes", table)
        return graph.add(
            "GatherBlockQuantized",
            [codes, "input_ids", scales],
            domain=_CONTRIB,
            block_size=BLOCK_SIZE,
            gather_axis=0,
            quantize_axis=1,
        )
    codes = graph.add("Gather", [graph.constant("words_codes", table.codes), "input_ids"])
    as_float = graph.add("Cast", [codes], to=TensorProto.FLOAT)
    return graph.add("Mul", [as_float, graph.add("Gather", [scales, "input_ids"])])


def _attention_bias(graph: _GraphWriter, mask: str) -> str:
    one = graph.constant("one", np.array(1, np.float32))
    masked = graph.constant("masked", np.array(_MASKED, np.float32))
    bias = graph.add("Mul", [graph.add("Sub", [one, mask]), masked])
    return graph.add("Unsqueeze", [bias, _int64(graph, 1, 2)])


def _layer(
    graph: _GraphWriter,
    weights: EncoderWeights,
    layer: EncoderLayer,
    hidden: str,
    bias: str,
    name: str,
) -> str:
    attended = _attention(graph, weights, layer, hidden, bias, name)
    projected = _linear(graph, attended, layer.attention_output, f"{name}_attention_output")
    hidden = graph.add("Add", [projected, hidden])
    hidden = _normalised(graph, hidden, layer.attention_norm, f"{name}_attention", weights.epsilon)
    inner = graph.add("Gelu", [_linear(graph, hidden, layer.intermediate, f"{name}_inner")])
    outer = graph.add("Add", [_linear(graph, inner, layer.output, f"{name}_output"), hidden])
    return _normalised(graph, outer, layer.output_norm, f"{name}_output", weights.epsilon)


def _attention(
    graph: _GraphWriter,
    weights: EncoderWeights,
    layer: EncoderLayer,
    hidden: str,
    bias: str,
    name: str,
) -> str:
    head_dims = weights.dims // weights.heads
    scale = float(1 / np.sqrt(head_dims))
    scaled_query = Linear(
        matrix=layer.query.matrix.scaled(scale),
        bias=(layer.query.bias * np.float32(scale)).astype(np.float32),
    )
    split = _int64(graph, 0, 0, weights.heads, head_dims)

    def heads(linear: Linear, part: str, order: tuple[int, ...]) -> str:
        flat = _linear(graph, hidden, linear, f"{name}_{part}")
        return graph.add("Transpose", [graph.add("Reshape", [flat, split])], perm=order)

    query = heads(scaled_query, "query", (0, 2, 1, 3))
    key = heads(layer.key, "key", (0, 2, 3, 1))
    value = heads(layer.value, "value", (0, 2, 1, 3))
    scores = graph.add("Add", [graph.add("MatMul", [query, key]), bias])
    mixed = graph.add("MatMul", [graph.add("Softmax", [scores], axis=-1), value])
    joined = graph.add("Transpose", [mixed], perm=(0, 2, 1, 3))
    return graph.add("Reshape", [joined, _int64(graph, 0, 0, weights.dims)])


def _linear(graph: _GraphWriter, hidden: str, linear: Linear, name: str) -> str:
    matrix = linear.matrix
    outputs, inputs = matrix.codes.shape
    codes = matrix.codes.reshape(outputs, inputs // BLOCK_SIZE, BLOCK_SIZE)
    if matrix.bits == 4:
        codes = codes[..., 0::2] | (codes[..., 1::2] << 4)
    product = graph.add(
        "MatMulNBits",
        [
            hidden,
            graph.constant(f"{name}_codes", codes),
            graph.constant(f"{name}_scales", matrix.scales.reshape(-1)),
        ],
        domain=_CONTRIB,
        K=inputs,
        N=outputs,
        bits=matrix.bits,
        block_size=BLOCK_SIZE,
        accuracy_level=_INT8_ACTIVATIONS,
    )
    return graph.add("Add", [product, graph.constant(f"{name}_bias", linear.bias)])


def _normalised(
    graph: _GraphWriter, hidden: str, norm: LayerNorm, name: str, epsilon: float
) -> str:
    scale = graph.constant(f"{name}_norm_scale", norm.scale)
    shift = graph.constant(f"{name}_norm_shift", norm.shift)
    return graph.add("LayerNormalization", [hidden, scale, shift], axis=-1, epsilon=epsilon)


def _pooled(graph: _GraphWriter, hidden: str, mask: str) -> None:
    over_tokens, last = _int64(graph, 1), _int64(graph, -1)
    weighted = graph.add("Mul", [hidden, graph.add("Unsqueeze", [mask, _int64(graph, 2)])])
    total = graph.add("ReduceSum", [weighted, over_tokens], keepdims=0)
    mean = graph.add("Div", [total, graph.add("ReduceSum", [mask, over_tokens], keepdims=1)])
    length = graph.add("ReduceL2", [mean, last], keepdims=1)
    graph.add("Div", [mean, length], output="embedding")
