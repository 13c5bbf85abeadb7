"""The leaderboard measures what is missing, and says what its results belong to."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from gamekeeper import __version__
from gamekeeper.door import has_native

if not has_native():
    pytest.skip("the module for games in this process is not installed", allow_module_level=True)

import gamekeeper_native as native
import leaderboard
import learn

TINY = ["--rulesets=goofspiel", "--players", "2", "3", "--seeds=2", "--games=7", "--rounds=1"]


def arguments(folder: Path, *more: str) -> list[str]:
    return [*TINY, f"--results={folder / 'results.json'}", f"--agents={folder / 'agents'}", *more]


@pytest.fixture(autouse=True)
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(learn, "DECISIONS", 300)
    monkeypatch.setattr(learn, "GAMES", 8)
    monkeypatch.setattr(learn, "MINIBATCH", 64)


def test_a_tiny_plan_runs_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = ["--pairs", "greedy/random", "search:2/greedy", "learn/random", "learn/greedy"]
    first = leaderboard.run(arguments(tmp_path, *pairs))
    written = json.loads((tmp_path / "results.json").read_text())
    assert len(written) == 2 * 2 * 4
    for one in written:
        assert one["games"] == {2: 6, 3: 6}[one["players"]] and 0 <= one["share"] <= 1
        assert one["space"] == str(native.Space("goofspiel", one["players"]).version)
        assert (one["revision"], one["package"], one["native"]) == (1, __version__, native.__version__)
        if one["agent"] == "learn":
            agent = tmp_path / "agents" / f"goofspiel-{one['players']}-{one['seed']}-1.npz"
            assert one["sha256"] == hashlib.sha256(agent.read_bytes()).hexdigest()
    assert first.count("| Goofspiel |") == 4 and first.count(" of 12; seeds ") == 8

    # What is there is not played again; what is missing is, with the same games.
    play = leaderboard.Plan.measure
    monkeypatch.setattr(leaderboard.Plan, "measure", None)
    assert leaderboard.run(arguments(tmp_path, *pairs)) == first
    (tmp_path / "results.json").write_text(json.dumps(written[:5]))
    assert " of 6, 1 of 2 seeds" in leaderboard.run(arguments(tmp_path, "--table", *pairs))
    monkeypatch.setattr(leaderboard.Plan, "measure", play)
    assert leaderboard.run(arguments(tmp_path, *pairs)) == first
    assert json.loads((tmp_path / "results.json").read_text()) == written


def test_the_same_seed_learns_the_same_agent_and_another_agent_is_measured_again(tmp_path: Path) -> None:
    asked = arguments(tmp_path, "--pairs", "learn/random", "--players", "2", "--seeds=1")
    leaderboard.run(asked)
    agent = tmp_path / "agents" / "goofspiel-2-1-1.npz"
    before = agent.read_bytes()
    agent.unlink()
    leaderboard.run(asked)
    assert agent.read_bytes() == before
    agent.unlink()
    leaderboard.taught(agent, "goofspiel", 2, 9, 1)
    leaderboard.run(asked)
    written = json.loads((tmp_path / "results.json").read_text())
    assert [one["sha256"] for one in written] == [hashlib.sha256(file).hexdigest() for file in (before, agent.read_bytes())]


def test_a_cell_by_hand() -> None:
    cells = [
        (leaderboard.Cell("goofspiel", 2, "greedy", "random", seed, 50, 1, "1", "0", "0"), share) for seed, share in ((1, 0.4), (2, 0.6))
    ]
    assert leaderboard.shown(cells, 2) == "50.0% (40.4 to 59.6) of 100; seeds 40 to 60"
    assert leaderboard.shown(cells[:1], 2) == "40.0% (27.6 to 53.8) of 50, 1 of 2 seeds"
    assert leaderboard.shown([], 2) == ""


def test_shares_of_scripts_are_read() -> None:
    printed = "       0 words:  49.0% of 200 games won against random players (42.1% to 55.9%)\n   61448 words:  91.5% of 200 games won against random players"
    assert leaderboard.SHARE.findall(printed) == [("49.0", "200"), ("91.5", "200")]


@pytest.mark.parametrize(
    "more, word",
    [
        (["--pairs", "greedy"], "a pair is an agent and a bot"),
        (["--pairs", "greedy/learn"], "a pair is an agent and a bot"),
        (["--pairs", "ppo/greedy"], "ppo is measured against random only"),
        (["--pairs", "greedy/random", "greedy/nobody"], "no policy 'nobody' for goofspiel"),
        (["--pairs", "search:many/random"], "playouts are a number from 1"),
        (["--pairs", "search:0/random"], "playouts are a number from 1"),
        (["--rulesets", "chess"], "no ruleset 'chess'"),
        (["--players", "9"], "goofspiel is not played by 9 players"),
        (["--seeds", "0"], "numbers from 1"),
        (["--games", "0"], "numbers from 1"),
        (["--rounds", "-1"], "rounds from 0"),
    ],
)
def test_what_cannot_be_measured_gets_a_plain_word(tmp_path: Path, more: list[str], word: str) -> None:
    with pytest.raises(ValueError, match=word):
        leaderboard.run(arguments(tmp_path, *more))
    assert not (tmp_path / "results.json").exists()


@pytest.mark.parametrize("text", ["{", "{}x", '[{"share": 1}]', '{"share": 1}', "[1]"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(text)
    with pytest.raises(ValueError, match="has no results of a leaderboard"):
        leaderboard.run(arguments(tmp_path))
    assert path.read_text() == text
