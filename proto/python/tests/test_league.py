"""The league games of Terra Mystica as lessons."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gamekeeper.door import has_native

if not has_native():
    pytest.skip("the module for games in this process is not installed", allow_module_level=True)

import league

GAMES = sorted(league.GAMES.glob("game*.json"))

pytestmark = pytest.mark.skipif(not GAMES, reason="the games are in the repository, not in the package")


def test_every_game_is_lessons_to_its_last_point() -> None:
    whole = [recorded for recorded in map(json.loads, map(Path.read_text, GAMES)) if "final" in recorded]
    assert len(whole) == 16
    for recorded in whole:
        lessons = list(league.lessons(recorded))  # compares all final scores
        players = len(recorded["setup"]["seat_order"])
        assert len(lessons) > 100 * players and {lesson.seat for lesson in lessons} == set(range(players))
        for lesson in lessons:
            assert lesson.mask[lesson.word] == 1 and np.count_nonzero(lesson.mask) > 1 and lesson.observation.any()


def test_what_the_rules_refuse_is_no_lesson() -> None:
    recorded = json.loads(GAMES[-1].read_text())
    recorded["moves"][0]["ops"][0]["space"] = "A1"
    with pytest.raises(ValueError, match="at version 1 is 0 of"):
        list(league.lessons(recorded))
