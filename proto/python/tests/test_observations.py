"""Views as vectors."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from gamekeeper import Arena, Client
from gamekeeper.contract import names, opened, ruleset, rulesets
from gamekeeper.dominion.v1 import ids_pb2, view_pb2
from gamekeeper.flatten import BY_SEAT, SEATS, Layout
from gamekeeper.mythotopia.v1 import view_pb2 as mythotopia
from gamekeeper.v1.self_play_service_pb2 import SelfPlayShow

SHOW = SelfPlayShow(view=True, action_count=True)


def written(layout: Layout, view: Any, seat: int) -> dict[str, float]:
    cells = np.zeros(len(layout), np.float32)
    layout.write(view, seat, cells)
    return {layout.cells[at]: pytest.approx(float(cells[at]), abs=1e-6) for at in np.flatnonzero(cells)}


def test_a_view_by_hand() -> None:
    layout = Layout(ruleset("dominion").view, 3)
    view = view_pb2.View(turn_number=7, active_player=1, bought_this_turn=True)
    view.supply.add(card=ids_pb2.CARD_GOLD, count=30)
    owner = view.players.add(seat=2, discard_top=ids_pb2.CARD_CURSE)
    owner.hand.cards.extend([ids_pb2.CARD_GOLD, ids_pb2.CARD_GOLD, ids_pb2.CARD_MOAT])
    assert written(layout, view, 2) == {
        "own seat=2": 1.0,
        "active_player=left 2": 1.0,
        "turn_number (small)": 7 / 10,
        "turn_number (large)": 7 / 37,
        "bought_this_turn": 1.0,
        "supply[CARD_GOLD] is set": 1.0,
        "supply[CARD_GOLD].count (small)": 30 / 33,
        "supply[CARD_GOLD].count (large)": 30 / 60,
        "players[own] is set": 1.0,
        "players[own].hand is set": 1.0,
        "players[own].hand.cards[CARD_GOLD] count": 2 / 4,
        "players[own].hand.cards[CARD_MOAT] count": 1 / 3,
        "players[own].hand.cards[CARD_GOLD] first": 1.0,
        "players[own].hand.cards[CARD_MOAT] first": 1 / 3,
        "players[own].discard_top is set": 1.0,
        "players[own].discard_top=CARD_CURSE": 1.0,
    }


def test_lists_by_seat_turn_with_who_looks() -> None:
    layout = Layout(ruleset("mythotopia").view, 3)
    view = mythotopia.View()
    view.seas.add(sea=1, ships=[3, 0, 5])
    seen = written(layout, view, 3)
    sea = next(cell for cell in seen if cell.startswith("seas[")).partition("]")[0] + "].ships"
    assert seen[f"{sea}[own] (small)"] == 5 / 8
    assert seen[f"{sea}[left 1] (small)"] == 3 / 6
    assert f"{sea}[left 2] (small)" not in seen


def test_the_names_of_seats_are_in_the_contract() -> None:
    fields: set[str] = set()
    for name in rulesets():
        waiting, known = [ruleset(name).view], set()
        while waiting:
            message = waiting.pop()
            known.add(message.full_name)
            for field in message.fields:
                fields.add(field.name)
                if field.message_type is not None and field.message_type.full_name not in known:
                    waiting.append(field.message_type)
    assert SEATS | BY_SEAT <= fields


def test_different_views_look_different(table: tuple[str, int], client: Client) -> None:
    name, players = table
    layout = Layout(ruleset(name).view, players, names(client.catalogue(name)))
    games = 4
    arena = Arena(client.connection, name, players, games=games, seed=bytes(32), show=SHOW)
    rng, answer = random.Random(1), arena.first
    views: dict[bytes, tuple[int, Any]] = {}
    for _ in range(120):
        for seen in answer.observations:
            cells = np.zeros(len(layout), np.float32)
            layout.write(opened(seen.view), seen.seat, cells)
            assert np.abs(cells).max() <= 1.0
            seat, view = views.setdefault(cells.tobytes(), (seen.seat, seen.view))
            assert (seat, view) == (seen.seat, seen.view)
        answer = arena.play([(seen.slot, rng.randrange(seen.action_count)) for seen in answer.observations])
    assert len(views) > 100
    arena.close()
