"""Words say every legal action, and nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from gamekeeper import Arena, Client
from gamekeeper.caylus.v1 import action_pb2 as caylus
from gamekeeper.contract import names, opened, ruleset
from gamekeeper.dominion.v1 import action_pb2 as dominion, ids_pb2
from gamekeeper.selfplay import MAX_ACTIONS
from gamekeeper.v1.messages_pb2 import Action
from gamekeeper.v1.self_play_service_pb2 import SelfPlayShow
from gamekeeper.words import Speech, Vocabulary

SHOW = SelfPlayShow(actions=True)


def said(name: str, action: Any) -> list[str]:
    vocabulary = Vocabulary(ruleset(name).action)
    return [vocabulary.words[word] for word in vocabulary.sentence(action)]


def test_a_sentence() -> None:
    buy = dominion.Action(buy_card=dominion.BuyCard(card=ids_pb2.CARD_GOLD))
    assert said("dominion", buy) == ["Action.kind=buy_card", "BuyCard.card=CARD_GOLD"]
    trash = dominion.Action(chapel_trash=dominion.ChapelTrash(cards=[ids_pb2.CARD_CURSE, ids_pb2.CARD_ESTATE]))
    assert said("dominion", trash)[1:] == [
        "ChapelTrash.cards=CARD_CURSE",
        "ChapelTrash.cards=CARD_ESTATE",
        "ChapelTrash.cards=end",
    ]
    end = dominion.Action(end_turn=dominion.EndTurn())
    assert said("dominion", end) == ["Action.kind=end_turn", "EndTurn.discard_top=none"]


@pytest.mark.parametrize(
    ("delta", "words"),
    [(0, ["0"]), (31, ["31"]), (32, ["more", "0"]), (65, ["more", "more", "1"]), (-8, ["-8"]), (-9, ["less", "0"])],
)
def test_numbers(delta: int, words: list[str]) -> None:
    action = caylus.Action(move_provost=caylus.MoveProvost(delta=delta))
    assert said("caylus", action)[1:] == [f"MoveProvost.delta={word}" for word in words]


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
    vocabulary = Vocabulary(ruleset(name).action, names(client.catalogue(name)))
    arena = Arena(client.connection, name, players, seed=bytes(32), show=SHOW, max_actions=MAX_ACTIONS)
    rng, answer = random.Random(players), arena.first
    for _ in range(150):
        (observation,) = answer.observations
        actions = [opened(action) for action in observation.actions]
        assert len(actions) == observation.action_count
        sentences = [vocabulary.sentence(action) for action in actions]
        # Distinct, and none begins another.
        ordered = sorted(sentences)
        assert all(after[: len(before)] != before for before, after in zip(ordered, ordered[1:]))
        # Said word by word, each is what is chosen.
        for index in rng.sample(range(len(actions)), min(5, len(actions))):
            speech = Speech(sentences)
            while speech.chosen is None:
                speech.say(sentences[index][len(speech.said)])
            assert speech.chosen == index
        # Enumerating all that can be said gives the list again.
        assert sorted(everything(Speech(sentences))) == list(range(len(actions)))
        answer = arena.play([(0, rng.randrange(len(actions)))])
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


def test_vocabularies_do_not_depend_on_what_was_seen() -> None:
    for name in ("mythotopia", "kingsburg"):
        one, other = Vocabulary(ruleset(name).action), Vocabulary(ruleset(name).action)
        one.sentence(getattr(Action(), name))
        assert one.words == other.words
