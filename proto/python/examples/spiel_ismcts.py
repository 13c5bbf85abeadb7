"""OpenSpiel's own ISMCTS plays a ruleset as one player, against random players. It sees no more than its seat.

    python spiel_ismcts.py kingsburg --games 20 --simulations 8

Nothing is learned: the search draws worlds that its seat cannot tell from the real one (`resample_from_infostate`), and
plays them to their end at random. The player changes seats from game to game.
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import pyspiel
from curve import Point
from open_spiel.python.algorithms import ismcts, mcts

import gamekeeper.spiel  # noqa: F401, registers the game


def play(game: pyspiel.Game, bot: ismcts.ISMCTSBot, seat: int, rng: np.random.RandomState) -> list[float]:
    """Plays a game: what everybody has earned."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, odds = zip(*state.chance_outcomes())
            state.apply_action(int(rng.choice(outcomes, p=odds)))
        elif state.current_player() == seat:
            state.apply_action(bot.step(state))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return list(state.returns())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=32, help="of each decision")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    rng = np.random.RandomState(args.seed)
    game = pyspiel.load_game(f"gamekeeper(ruleset={args.ruleset},players={args.players})")
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=2.0, max_simulations=args.simulations, random_state=rng)
    begun, won = time.process_time(), 0.0
    for number in range(args.games):
        seat = number % args.players
        earned = play(game, bot, seat, rng)
        won += (earned[seat] == max(earned)) / earned.count(max(earned))
    point = Point(0, won / args.games, args.games)
    low, high = point.interval()
    seconds = time.process_time() - begun
    print(f"{point.share:6.1%} of {args.games} games won against random players ({low:.1%} to {high:.1%}), {seconds:.0f} s of a processor")


if __name__ == "__main__":
    main()
