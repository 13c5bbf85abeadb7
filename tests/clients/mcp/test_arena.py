"""The arena, with stand-ins for models and for hosts: no network is needed."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import arena
import pytest
import stand_ins
from conftest import Keeper

# A host of the protocol that plays the first action until the game is over. It knows the file of its servers alone.
HOST = '''
import json, re, sys
from arena import Tools
config = json.load(open(sys.argv[1]))["mcpServers"]["gamekeeper"]
game = re.search(r'game "([^"]+)"', sys.stdin.read())[1]
with Tools([config["command"], *config["args"]]) as tools:
    at = tools.call("wait", {"game": game})
    while not at.facts["is_over"]:
        version = at.facts["version"]
        if at.facts["must_decide"]:
            at = tools.call("play_action", {"game": game, "version": version, "number": 1})
        else:
            at = tools.call("wait", {"game": game, "after_version": version})
'''


@pytest.mark.parametrize("model", ["first", "words", "greedy"])
def test_a_stand_in_plays_whole_games(keeper: Keeper, tmp_path: Path, model: str) -> None:
    words = ["goofspiel", "--stand-in", "--model", model, "--against", "random", "--server", keeper.address, "--keep", str(tmp_path)]
    found = arena.main([*words, "--games", "4"])
    assert found["games"] == 4 and found["decisions"] > 20 and found["prompt_tokens"] > found["answer_tokens"] > 0
    assert found["share_interval"][0] <= found["share"] <= found["share_interval"][1]
    assert found["forfeited"] == 0
    assert (found["refused"].keys() == {"NO_SUCH_ACTION"}) == (model == "words"), found["refused"]
    results = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [(result["seed"], result["seat"]) for result in results] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    prompts = [json.loads(line) for line in (tmp_path / "prompts.jsonl").read_text().splitlines()]
    tries = found["decisions"] + sum(found["refused"].values())
    assert tries <= len(prompts) <= tries + found["overtaken"]


def test_who_says_nothing_forfeits_and_is_counted(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stand_ins, "choice", lambda *_: {"number": 1})
    found = arena.main(["goofspiel", "--stand-in", "--against", "random", "--server", keeper.address, "--games", "1", "--tries", "2"])
    assert found["forfeited"] == found["decisions"] and found["refused"] == {"MALFORMED": 2 * found["decisions"]}


def test_a_host_plays_on_its_own(keeper: Keeper, tmp_path: Path) -> None:
    (tmp_path / "host.py").write_text(HOST)
    host = f"{sys.executable} {tmp_path / 'host.py'} {{config}}"
    found = arena.main(["goofspiel", "--host", host, "--against", "random", "--server", keeper.address, "--games", "2"])
    assert found["games"] == 2 and not found["refused"]


def test_a_game_that_takes_too_long_is_resigned(keeper: Keeper) -> None:
    found = arena.main(["goofspiel", "--host", "true", "--against", "random", "--server", keeper.address, "--games", "1", "--limit", "5"])
    assert found["refused"] == {"TOO_SLOW": 1} and found["share"] == 0


def test_numbers_at_the_end_of_an_answer_are_actions() -> None:
    def said(text: str) -> list[tuple[str, str, dict[str, object]]]:
        return list(arena.wanted({"content": text}, 7))

    assert said("I play 12.") == [("", "play_action", {"version": 7, "number": 12})]
    assert said("12 seems good") == [] and said("") == []


def test_intervals_of_shares() -> None:
    low, high = arena.wilson(8, 10)
    assert low == pytest.approx(0.490, abs=1e-3) and high == pytest.approx(0.943, abs=1e-3)
    assert arena.wilson(0, 0) == (0, 1) and arena.rating(0.5) == 0
    assert arena.rating(10 / 11) == 400 and arena.rating(1) is None and arena.rating(0) is None
