"""Exported networks say what was learned: they are read back, and run with numpy."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import learn
import numpy as np
import pytest

from gamekeeper.policies import Layout, Network, write_manifest, write_policy

LAYOUT = Layout("kingsburg", 2, 0xAB, 40, 9)
EXAMPLE = Path(__file__).parents[1] / "examples" / "policies" / "kingsburg.onnx"
Fields = dict[int, list[Any]]


def fields(message: bytes) -> Fields:
    """The fields of a protobuf message by number: numbers, or bytes."""
    found: Fields = defaultdict(list)
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            value |= (byte & 0x7F) << shift
            at, shift = at + 1, shift + 7
            if byte < 0x80:
                return value

    while at < len(message):
        tag = varint()
        size = varint()
        if tag & 7 == 0:
            found[tag >> 3].append(size)
        else:
            assert tag & 7 == 2
            found[tag >> 3].append(message[at : at + size])
            at += size
    return found


def run(network: bytes, cells: np.ndarray, output: int = 0) -> np.ndarray:
    """The scores of a network for rows of cells, or what its second output says."""
    graph = fields(fields(network)[7][0])
    values: dict[str, np.ndarray] = {fields(graph[11][0])[1][0].decode(): cells}
    for tensor in map(fields, graph[5]):
        kind = {1: "<f4", 3: "<i1", 7: "<i8"}[tensor[2][0]]
        values[tensor[8][0].decode()] = np.frombuffer(tensor[9][0], kind).reshape(tensor[1])
    for node in map(fields, graph[1]):
        given = [values[name.decode()] for name in node[1]]
        attributes = {fields(one)[1][0]: fields(one)[3][0] for one in node[5]}
        match node[4][0]:
            case b"Gather":
                value = given[0].take(given[1], axis=attributes[b"axis"])
            case b"Cast":
                assert attributes[b"to"] == 1
                value = given[0].astype(np.float32)
            case b"MatMul":
                value = given[0] @ given[1]
            case b"Mul":
                value = given[0] * given[1]
            case b"Add":
                value = given[0] + given[1]
            case b"Tanh":
                value = np.tanh(given[0])
            case b"Relu":
                value = np.maximum(given[0], 0)
            case other:
                raise AssertionError(other)
        values[node[2][0].decode()] = value
    return values[fields(graph[12][output])[1][0].decode()]


def test_layers_do_what_they_are_called_after() -> None:
    rng = np.random.default_rng(1)
    cells = rng.random((3, LAYOUT.cells), np.float32)
    first, second = rng.standard_normal((20, 8)), rng.standard_normal((8, LAYOUT.words))
    bias = rng.standard_normal(8)
    some = np.arange(0, 40, 2)
    for small, off in ((False, 1e-4), (True, 0.5)):
        network = Network(LAYOUT)
        hidden = network.relu(network.tanh(network.linear(network.take(network.cells, some), first, bias, small=small)))
        written = network.ended(network.linear(hidden, second, small=small))
        expected = np.maximum(np.tanh(cells[:, some] @ first + bias), 0) @ second
        assert np.abs(run(written, cells) - expected).max() < off


def test_an_agent_that_is_exported_says_the_same_words(tmp_path: Path) -> None:
    layout = Layout.of("kingsburg", 2)
    rng = np.random.default_rng(1)
    network = learn.Network(layout.cells, layout.words, rng)
    # Fewer numbers than an exported policy looks at: the weights of all others have learned nothing.
    seen = (rng.random((16, layout.cells)) < 0.05).astype(np.float32)
    seen[:, learn.EXPORTED // 2 :] = 0
    masks = np.ones((16, layout.words), bool)
    network.learn(seen, masks, np.arange(16), np.full(16, 0.5, np.float32), np.ones(16, np.float32), np.ones(16, np.float32))
    path = tmp_path / "agent.onnx"
    network.export(path, "kingsburg", 2)
    hidden = np.tanh(seen @ network.weights["hidden"] + network.weights["bias"])
    expected = hidden @ network.weights["words"]
    assert np.abs(run(path.read_bytes(), seen) - expected).max() < 0.02
    value = hidden @ network.weights["value"]
    assert np.abs(run(path.read_bytes(), seen, output=1) - np.hstack([value, -value])).max() < 0.02
    manifest = json.loads(path.with_suffix(".json").read_text())
    assert (manifest["ruleset"], manifest["seats"], manifest["temperature"]) == ("kingsburg", 2, 0.0)
    assert int(manifest["layout"], 16) == layout.version


def test_manifests_are_checked(tmp_path: Path) -> None:
    write_manifest(tmp_path / "sample.onnx", LAYOUT, temperature=0.5, description="A sample")
    manifest = json.loads((tmp_path / "sample.json").read_text())
    assert manifest == {"ruleset": "kingsburg", "seats": 2, "layout": "00000000000000ab", "temperature": 0.5, "description": "A sample"}
    for temperature in (-1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="temperature"):
            write_policy(tmp_path / "other.onnx", LAYOUT, b"", temperature=temperature)
    assert not (tmp_path / "other.onnx").exists()


def test_the_policy_of_the_examples_fits() -> None:
    manifest = json.loads(EXAMPLE.with_suffix(".json").read_text())
    layout = Layout.of(manifest["ruleset"], manifest["seats"])
    assert int(manifest["layout"], 16) == layout.version, "train it again: observations have changed"
    scores = run(EXAMPLE.read_bytes(), np.zeros((1, layout.cells), np.float32))
    assert scores.shape == (1, layout.words) and np.isfinite(scores).all()
    assert EXAMPLE.stat().st_size < 200_000
