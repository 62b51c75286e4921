"""A cross-encoder from a folder: a tiny graph that counts pieces of the text."""

import json
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from omoide.domain.errors import ModelUnavailableError
from omoide_embedding.cross_encoder import CrossEncoder

WORDS = {"[UNK]": 0, "[SEP]": 1, "boat": 2, "oar": 3, "slug": 4}


def write_tokenizer(folder: Path) -> None:
    tokenizer = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="$A [SEP]:0", pair="$A [SEP]:0 $B:1 [SEP]:1", special_tokens=[("[SEP]", 1)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))


def write_graph(folder: Path, *, columns: int = 1, with_types: bool = True) -> None:
    """The logit is the number of boats in the second text, less one half."""
    shape = ["batch", "length"]
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, shape)
        for name in ("input_ids", "attention_mask", *(("token_type_ids",) if with_types else ()))
    ]
    second = "token_type_ids" if with_types else "attention_mask"
    nodes = [
        helper.make_node("Equal", ["input_ids", "boat"], ["is_boat"]),
        helper.make_node("Cast", ["is_boat"], ["boats"], to=TensorProto.FLOAT),
        helper.make_node("Cast", [second], ["counted"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["boats", "counted"], ["here"]),
        helper.make_node("ReduceSum", ["here", "axis"], ["sum"], keepdims=1),
        helper.make_node("Sub", ["sum", "half"], ["margin"]),
        helper.make_node("Mul", ["margin", "row"], ["logits"]),
    ]
    row = [[0.0] * (columns - 1) + [1.0]]
    constants = [
        helper.make_tensor("boat", TensorProto.INT64, [1], [WORDS["boat"]]),
        helper.make_tensor("axis", TensorProto.INT64, [1], [1]),
        helper.make_tensor("half", TensorProto.FLOAT, [1], [0.5]),
        helper.make_tensor("row", TensorProto.FLOAT, [1, columns], row[0]),
    ]
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", columns])
    graph = helper.make_graph(nodes, "pairs", inputs, [output], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 9
    (folder / "model.onnx").write_bytes(model.SerializeToString())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_tokenizer(tmp_path)
    write_graph(tmp_path)
    return tmp_path


def sigmoid(value: float) -> float:
    return float(1 / (1 + np.exp(-value)))


def test_pairs_are_judged_by_the_graph(folder: Path) -> None:
    scores = CrossEncoder(folder).judge("boat", ["boat oar", "slug", "boat boat"])

    assert scores == pytest.approx([sigmoid(0.5), sigmoid(-0.5), sigmoid(1.5)])


def test_a_graph_without_token_types_and_with_two_outputs_is_understood(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    write_graph(tmp_path, columns=2, with_types=False)

    assert CrossEncoder(tmp_path).judge("oar", ["boat"]) == pytest.approx([sigmoid(0.5)])


def test_outputs_that_are_shares_already_are_only_clipped(folder: Path) -> None:
    (folder / "rerank.json").write_text('{"activation": "none"}', encoding="utf-8")

    assert CrossEncoder(folder).judge("boat", ["boat", "slug", "boat boat"]).tolist() == [0.5, 0, 1]


def test_nothing_to_judge_gives_nothing(folder: Path) -> None:
    assert CrossEncoder(folder).judge("boat", []).tolist() == []


def test_long_texts_lose_their_end(folder: Path) -> None:
    (folder / "rerank.json").write_text('{"max_tokens": 5}', encoding="utf-8")

    scores = CrossEncoder(folder).judge("oar", ["slug slug slug boat"])

    assert scores == pytest.approx([sigmoid(-0.5)])


def test_its_settings_are_read(folder: Path) -> None:
    (folder / "rerank.json").write_text('{"depth": 7, "weight": 0.25}', encoding="utf-8")

    encoder = CrossEncoder(folder)

    assert (encoder.depth, encoder.weight) == (7, 0.25)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"max_tokens": 0}, "max_tokens"),
        ({"depth": 101}, "depth"),
        ({"depth": True}, "depth"),
        ({"weight": 2}, "weight"),
        ({"activation": "tanh"}, "activation"),
        ({"colour": "blue"}, "colour"),
        ([], "object"),
    ],
)
def test_a_wrong_field_is_named(folder: Path, fields: object, named: str) -> None:
    (folder / "rerank.json").write_text(json.dumps(fields), encoding="utf-8")

    with pytest.raises(ModelUnavailableError, match=named):
        CrossEncoder(folder)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()

    with pytest.raises(ModelUnavailableError, match=name):
        CrossEncoder(folder)


def test_a_broken_graph_is_told_at_the_first_query(folder: Path) -> None:
    (folder / "model.onnx").write_bytes(b"no graph")

    with pytest.raises(ModelUnavailableError, match="cannot be loaded"):
        CrossEncoder(folder).judge("boat", ["boat"])


def test_a_graph_with_more_outputs_a_pair_is_refused(tmp_path: Path) -> None:
    write_tokenizer(tmp_path)
    write_graph(tmp_path, columns=3)

    with pytest.raises(ModelUnavailableError, match="3 values a pair"):
        CrossEncoder(tmp_path).judge("boat", ["boat"])
