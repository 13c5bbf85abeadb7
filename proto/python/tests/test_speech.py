"""Words say every legal action, and nothing else."""

from __future__ import annotations

import random

import numpy as np
import pytest

from gamekeeper import Arena, Client
from gamekeeper.contract import opened
from gamekeeper.selfplay import MAX_ACTIONS
from gamekeeper.space import Space
from gamekeeper.speech import Speech
from gamekeeper.v1.numbers_pb2 import SELF_PLAY_NUMBERS_FLOATS
from gamekeeper.v1.self_play_service_pb2 import SelfPlayShow
from gamekeeper.v1.ruleset_service_pb2 import Ruleset

SHOW = SelfPlayShow(actions=True, numbers=SELF_PLAY_NUMBERS_FLOATS, names=True)


def test_what_goes_without_saying() -> None:
    speech = Speech([(1, 2, 3), (1, 2, 4), (1, 5)])
    assert speech.said == [1] and sorted(speech.words) == [2, 5] and speech.chosen is None
    other = speech.copy()
    with pytest.raises(KeyError):
        speech.say(3)
    speech.say(2)
    assert speech.said == [1, 2] and sorted(speech.words) == [3, 4]
    speech.say(4)
    assert speech.chosen == 1 and not speech.words
    other.say(5)
    assert other.chosen == 2 and other.said == [1, 5]
    assert Speech([(7, 8)]).chosen == 0


def test_every_legal_action_can_be_said(table: tuple[str, int], client: Client) -> None:
    name, players = table
    arena = Arena(client.connection, name, players, seed=bytes(32), show=SHOW, max_actions=MAX_ACTIONS)
    space = Space(client.connection, Ruleset(id=name), players, arena.first.space)
    kind = {word: index for index, word in enumerate(space.words)}
    rng, answer = random.Random(players), arena.first
    for _ in range(150):
        (observation,) = answer.observations
        tensor = observation.tensor
        sentences = [list(tensor.words[begin:end]) for begin, end in zip([0, *tensor.ends], tensor.ends)]
        assert len(sentences) == len(observation.actions) == observation.action_count
        kinds = [opened(action).WhichOneof("kind") for action in observation.actions]
        assert [sentence[0] for sentence in sentences] == [kind[f"Action.kind={name}"] for name in kinds]
        # Distinct, and none begins another.
        ordered = sorted(sentences)
        assert all(after[: len(before)] != before for before, after in zip(ordered, ordered[1:]))
        # Said word by word, each is what is chosen.
        for index in rng.sample(range(len(sentences)), min(5, len(sentences))):
            speech = space.speech(tensor)
            while speech.chosen is None:
                speech.say(sentences[index][len(speech.said)])
            assert speech.chosen == index
        # Enumerating all that can be said gives the list again.
        assert sorted(everything(space.speech(tensor))) == list(range(len(sentences)))
        # The mask has what can be said first.
        bits = np.unpackbits(np.frombuffer(tensor.mask, np.uint8), bitorder="little")
        assert np.flatnonzero(bits).tolist() == sorted(space.speech(tensor).words)
        answer = arena.play([(0, rng.randrange(len(sentences)))])
    arena.close()


def everything(speech: Speech) -> list[int]:
    if speech.chosen is not None:
        return [speech.chosen]
    found = []
    for word in speech.words:
        further = speech.copy()
        further.say(word)
        found += everything(further)
    return found
