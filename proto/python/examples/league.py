"""League games of Terra Mystica as lessons: what a strong player saw, could say, and said.

    python league.py                                    # counts the lessons
    python league.py --lessons lessons.npz              # writes them: observations, masks, words, seats, games

The games are those by which the rules are tested (service/rules/tests/terra_mystica_games): 14 whole league games with
four players, played on terra.snellman.net and published with the repository LuKev/tm_server, and 2 with five players,
published with lvandeve/tmai. Each file names its source; people are named in none. Name the sources, too, when you publish
what you learned from them.

A learner that imitates gets one lesson for each word. Where a player had no choice there is none.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gamekeeper_native as native
import numpy as np
from google.protobuf import json_format

from gamekeeper.terra_mystica.v1 import action_pb2, options_pb2

GAMES = Path(__file__).resolve().parents[3] / "service/rules/tests/terra_mystica_games"

# The power and special actions by their names on the board: field, and what it holds.
POWER = {"ACT1": "bridge", "ACT2": "priest", "ACT3": "workers", "ACT4": "coins", "ACT5": "spade", "ACT6": "twoSpades"}
WORKS = {"ACT5", "ACT6", "BON1", "ACTG"}
SPECIAL = {
    "BON1": "bonusSpade",
    "BON2": "bonusCultStep",
    "FAV6": "favorCultStep",
    "ACTA": "cultSteps",
    "ACTW": "witchesRide",
    "ACTS": "freeTradingHouse",
    "ACTC": "doubleTurn",
    "ACTG": "giantSpades",
    "ACTN": "sandstorm",
}


class Lesson(NamedTuple):
    """A sample to learn from: the knowledge of a player, the legal words, and the word that was said."""

    seat: int
    observation: np.ndarray
    mask: np.ndarray
    word: int


def transforms(op: dict[str, Any]) -> list[dict[str, str]]:
    """The spaces to be transformed."""
    return [
        {"space": one["space"], "target": f"TERRAIN_{one['target'].upper()}", "direction": f"DIRECTION_{one.get('direction', 'SHORT')}"}
        for one in op.get("transforms", ())
    ]


def work(op: dict[str, Any]) -> dict[str, Any]:
    """Spades and a dwelling."""
    return {"transforms": transforms(op), **({"buildAt": op["build_at"]} if "build_at" in op else {})}


def special(op: dict[str, Any]) -> Any:
    """Converts a special action of a recorded game."""
    kind = op["action"]
    if kind in WORKS:
        return work(op)
    if kind == "ACTC":
        return {}
    if kind == "ACTN":
        return {"space": op["space"], "build": op.get("build", False)}
    return f"CULT_{op['cult'].upper()}" if "cult" in op else op["space"]


def message(op: dict[str, Any]) -> action_pb2.Action:
    """The action of the contract for one of a recorded game."""
    name = {"pass": "pass_turn"}.get(op["op"], op["op"])
    given: dict[str, Any] = {}
    for key, value in op.items():
        match key:
            case "op" | "transforms" | "build_at" | "action" | "build":
                pass
            case "bridge":
                given["bridge"] = {"span": value}
            case "card":
                given[key] = f"BONUS_CARD_{value}"
            case "kind":
                given[key] = f"CONVERSION_{value}"
            case "slot":
                given[key] = f"PRIEST_SLOT_{value}"
            case "to":
                given["toStructure"] = f"STRUCTURE_{value.upper()}"
            case "tile":
                given[key] = f"{'FAVOR' if value.startswith('FAV') else 'TOWN'}_TILE_{value}"
            case "cult":
                given[key] = f"CULT_{value.upper()}"
            case "key_cults":
                given[key] = [f"CULT_{cult.upper()}" for cult in value]
            case "a" | "b":
                given.setdefault("span", {})[key] = value
            case _:
                given[key] = value
    match name:
        case "transform_and_build" | "use_stronghold_spades":
            given["work"] = work(op)
        case "use_cult_spades":
            given["transforms"] = transforms(op)
        case "take_power_action" if op["action"] in WORKS:
            given[POWER[op["action"]]] = work(op)
        case "take_power_action":
            given.setdefault(POWER[op["action"]], {})
        case "take_special_action":
            given = {SPECIAL[op["action"]]: special(op)}
    return json_format.ParseDict({name: given}, action_pb2.Action())


def plain(action: action_pb2.Action) -> Any:
    """An action without the freedom to say it in several ways."""

    def sorted_lists(value: Any) -> Any:
        if isinstance(value, dict):
            if "target" in value:
                value = {"direction": "DIRECTION_SHORT", **value}
            if "a" in value:
                value = dict(zip("ab", sorted(value.values())))
            return {key: sorted_lists(part) for key, part in sorted(value.items()) if part not in ([], {"transforms": []})}
        if isinstance(value, list):
            return sorted((sorted_lists(part) for part in value), key=str)
        return value

    found: dict[str, Any] = json_format.MessageToDict(action)
    return sorted_lists(found)


def options(setup: dict[str, Any]) -> bytes:
    """The options of a game with this set-up."""
    chosen = setup.get("options", {})
    order = "TURN_ORDER_PASSING_ORDER" if chosen.get("turn_order") == "passing_order" else "TURN_ORDER_CLOCKWISE"
    given = {
        "firstPlayer": setup["seat_order"].index(setup["start_player"]) + 1,
        "setupMode": "SETUP_MODE_CUSTOM",
        "factions": {"factions": [f"FACTION_{name.upper()}" for name in setup["seat_order"]]},
        "scoringTiles": {"tiles": [f"SCORING_TILE_{name}" for name in setup["scoring_tiles"]]},
        "bonusCards": {"cards": [f"BONUS_CARD_{name}" for name in setup["bonus_cards_in_play"]]},
        "freeSacrifice": chosen.get("free_sacrifice", False),
        "promoTiles": {tile: True for tile in chosen.get("promo_tiles", ())},
        "turnOrder": order,
        "cultistPowerNeedsOffer": True,
    }
    return json_format.ParseDict(given, options_pb2.Options()).SerializeToString()


def lessons(recorded: dict[str, Any]) -> Iterator[Lesson]:
    """All lessons of a game. Raises `ValueError` where the rules refuse what was played."""
    setup = recorded["setup"]
    space = native.Space("terra_mystica", len(setup["seat_order"]))
    # All ways to pay: a player may have burned more power than it takes.
    game = native.Game(space, native.Settings(options=options(setup), detail="all_payments"))
    game.begin(bytes(32))
    ops = (op for move in recorded["moves"] for op in move["ops"] if not op["op"].startswith("automatic"))
    for entry, op in enumerate(ops, start=2):
        if game.version >= entry:
            continue  # there was nothing else to do
        wanted = plain(message(op))
        same = [action for action in game.actions() if plain(action_pb2.Action.FromString(action)) == wanted]
        if len(same) != 1:
            raise ValueError(f"{op} at version {game.version} is {len(same)} of {len(game.actions())} legal actions")
        sentence = space.sentence(same[0])
        while game.version < entry and game.seat is not None:
            seat, word = game.seat, sentence[len(game.said)]
            observation, mask = np.zeros(space.size, np.float32), np.zeros(len(space.words), np.int8)
            game.observe(seat, observation)
            game.allow(mask)
            yield Lesson(seat, observation, mask, word)
            game.say(word)
    scores = {name: score for name, (_, score) in zip(setup["seat_order"], game.standings or ())}
    expected = {name: final["total"] for name, final in recorded.get("final", {}).items()}
    if expected and scores != expected:
        raise ValueError(f"the game ends with {scores}, not {expected}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=Path, default=GAMES, help="folder of the games")
    parser.add_argument("--players", type=int, default=4, help="only games of this many players: observations differ in size")
    parser.add_argument("--lessons", type=Path, help="file to write, of NumPy")
    args = parser.parse_args()
    seats, observations, masks, words, games = [], [], [], [], []
    for number, path in enumerate(sorted(args.games.glob("game*.json"))):
        recorded = json.loads(path.read_text())
        if len(recorded["setup"]["seat_order"]) != args.players or "final" not in recorded:
            continue
        for lesson in lessons(recorded):
            seats.append(lesson.seat)
            observations.append(lesson.observation.astype(np.float16))
            masks.append(np.packbits(lesson.mask))
            words.append(lesson.word)
            games.append(number)
    print(f"{len(words)} lessons of {len(set(games))} games with {args.players} players")
    if args.lessons:
        np.savez_compressed(args.lessons, seats=seats, observations=observations, masks=masks, words=words, games=games)


if __name__ == "__main__":
    main()
