"""Writes what was learned as a policy that bots of a server play, without further libraries.

A policy is two files: a network in the format ONNX, from an observation to a score for each word and, for tree searches, a
value for each seat; and a manifest beside it, which names what the network was trained on. The name of the file is the name
of the policy: `kingsburg.onnx` is `policy:kingsburg`. A network that another library writes, such as `torch.onnx.export`,
needs the manifest alone:

    layout = Layout.of("kingsburg", 2)
    write_manifest("kingsburg.onnx", layout, description="PPO, two hours")

A network of linear layers can be written here:

    network = Network(layout)
    hidden = network.tanh(network.linear(network.cells, weights, bias))
    scores = network.linear(hidden, other_weights)
    write_policy("kingsburg.onnx", layout, network.ended(scores))
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .door import has_native
from .space import space

_FLOAT, _INT8, _INT64 = 1, 3, 7
_FORMAT, _OPERATORS = 8, 13
_TYPES = {"f4": _FLOAT, "i1": _INT8, "i8": _INT64}


@dataclass(frozen=True)
class Layout:
    """The observations and words of a ruleset, for a number of players."""

    ruleset: str
    players: int
    version: int
    """Changes whenever the meaning of a number or a word does."""
    cells: int
    """How many numbers an observation has."""
    words: int
    """How many words there are."""

    @classmethod
    def of(cls, ruleset: str, players: int | None = None) -> Layout:
        """The layout in this process, or at a server that the process starts. `players` are the fewest of the ruleset unless
        given.

        Raises `ValueError` when the ruleset is unknown or does not take this number of players.
        """
        if has_native():
            # Only this door needs the module.
            from .inside import native_space

            inside = native_space(ruleset, players)
            return cls(ruleset, inside.players, inside.version, len(inside.cells), len(inside.words))
        named = space(ruleset, players)
        return cls(ruleset, named.players, named.version, len(named.cells), len(named.words))


def write_manifest(path: str | Path, layout: Layout, *, temperature: float = 0.0, description: str = "") -> None:
    """Writes the manifest of a network, beside it.

    At a temperature of 0 a bot says the word with the highest score. Otherwise it draws words with probabilities in
    proportion to e to the power of score / temperature: 1 for networks that were trained to play by chance.

    Raises `ValueError` when the temperature is not a number from 0 on.
    """
    if not 0.0 <= temperature < float("inf"):
        raise ValueError(f"temperature is {temperature}; it is a number from 0 on")
    manifest = {
        "ruleset": layout.ruleset,
        "seats": layout.players,
        "layout": f"{layout.version:016x}",
        "temperature": temperature,
        "description": description,
    }
    Path(path).with_suffix(".json").write_text(json.dumps(manifest, indent=2) + "\n")


def write_policy(path: str | Path, layout: Layout, network: bytes, *, temperature: float = 0.0, description: str = "") -> None:
    """Writes a network and its manifest, as `write_manifest` does."""
    write_manifest(path, layout, temperature=temperature, description=description)
    Path(path).write_bytes(network)


class Network:
    """A network in the format ONNX that is made layer by layer. Names stand for what flows between layers."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []
        self._names = 0
        self.cells = "cells"
        """The observation."""

    def take(self, given: str, indexes: NDArray[np.integer[Any]]) -> str:
        """Takes some numbers of each row."""
        return self._node("Gather", [given, self._tensor(indexes.astype("<i8"))], _attribute("axis", 1))

    def linear(self, given: str, weights: NDArray[np.floating[Any]], bias: NDArray[np.floating[Any]] | None = None, *, small: bool = False) -> str:
        """Multiplies by a matrix with a row for each input, and adds a bias. `small`: weights are kept in 8 bits, a quarter of
        the space, in steps of the greatest of their column / 127.
        """
        if small:
            most: NDArray[np.float32] = np.abs(weights.astype(np.float32)).max(axis=0, keepdims=True)
            steps = np.maximum(most, np.float32(1e-9)) / np.float32(127)
            kept = self._tensor(np.rint(weights / steps).astype("<i1"))
            matrix = self._node("Mul", [self._node("Cast", [kept], _attribute("to", _FLOAT)), self._tensor(steps.astype("<f4"))])
        else:
            matrix = self._tensor(weights.astype("<f4"))
        product = self._node("MatMul", [given, matrix])
        return product if bias is None else self._node("Add", [product, self._tensor(bias.astype("<f4").reshape(1, -1))])

    def tanh(self, given: str) -> str:
        """The hyperbolic tangent of each number."""
        return self._node("Tanh", [given])

    def relu(self, given: str) -> str:
        """Each number that is greater than 0, and 0 for the others."""
        return self._node("Relu", [given])

    def ended(self, scores: str, values: str | None = None) -> bytes:
        """Ends the network with the score of each word and, for tree searches, the value of each seat, counted from the one that
        looks. Returns the bytes of the file.
        """
        ends = [_field(11, _value(self.cells, self._layout.cells)), _field(12, _value(scores, self._layout.words))]
        if values is not None:
            ends.append(_field(12, _value(values, self._layout.players)))
        graph = b"".join([*self._nodes, _field(2, b"policy"), *self._tensors, *ends])
        return _number(1, _FORMAT) + _field(7, graph) + _field(8, _number(2, _OPERATORS))

    def _name(self) -> str:
        self._names += 1
        return f"n{self._names}"

    def _node(self, operator: str, inputs: Sequence[str], attribute: bytes = b"") -> str:
        name = self._name()
        parts = b"".join(_field(1, given.encode()) for given in inputs)
        self._nodes.append(_field(1, parts + _field(2, name.encode()) + _field(4, operator.encode()) + attribute))
        return name

    def _tensor(self, array: NDArray[Any]) -> str:
        name = self._name()
        shape = b"".join(_number(1, size) for size in array.shape)
        kind = _number(2, _TYPES[array.dtype.str[1:]])
        self._tensors.append(_field(5, shape + kind + _field(8, name.encode()) + _field(9, array.tobytes())))
        return name


def _attribute(name: str, value: int) -> bytes:
    return _field(5, _field(1, name.encode()) + _number(3, value) + _number(20, 2))


def _value(name: str, columns: int) -> bytes:
    """The type of an input or output: rows of numbers, as many as the caller likes."""
    shape = _field(1, _field(2, b"rows")) + _field(1, _number(1, columns))
    return _field(1, name.encode()) + _field(2, _field(1, _number(1, _FLOAT) + _field(2, shape)))


def _field(tag: int, content: bytes) -> bytes:
    return _varint(tag << 3 | 2) + _varint(len(content)) + content


def _number(tag: int, value: int) -> bytes:
    return _varint(tag << 3) + _varint(value)


def _varint(value: int) -> bytes:
    parts = bytearray()
    while value > 0x7F:
        parts.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*parts, value])
