"""OpenSpiel's own DQN (PyTorch) learns a ruleset as the first player, against random players.

    pip install torch dm-tree
    python spiel_dqn.py kingsburg --minutes 8
"""

from __future__ import annotations

import argparse
import time

import numpy as np
import torch
from curve import Point
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import random_agent
from open_spiel.python.pytorch import dqn

import gamekeeper.spiel  # noqa: F401, registers the game


def play(table: rl_environment.Environment, agents: list, is_evaluation: bool) -> float:
    """Plays a game: what the first player has earned."""
    now = table.reset()
    while not now.last():
        agent = agents[now.observations["current_player"]]
        now = table.step([agent.step(now, is_evaluation).action])
    for agent in agents:
        agent.step(now, is_evaluation)  # So that they see the result.
    return now.rewards[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=8.0, help="time to learn; measuring is extra")
    parser.add_argument("--games", type=int, default=200, help="games of a measurement")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    torch.set_num_threads(1)
    np.random.seed(args.seed)
    game = f"gamekeeper(ruleset={args.ruleset},players={args.players})"
    table = rl_environment.Environment(game, chance_event_sampler=rl_environment.ChanceEventSampler(args.seed))
    words = table.action_spec()["num_actions"]
    (size,) = table.observation_spec()["info_state"]
    learner = dqn.DQN(
        0,
        size,
        words,
        hidden_layers_sizes=(128,),
        batch_size=64,
        replay_buffer_capacity=50_000,
        learning_rate=5e-4,
        optimizer_str="adam",
        learn_every=4,
        update_target_network_every=500,
        epsilon_decay_duration=6_000,
        epsilon_decay_schedule_str="linear",
        epsilon_end=0.05,
        seed=args.seed,
    )
    agents = [learner, *(random_agent.RandomAgent(player, words) for player in range(1, args.players))]
    played = 0
    for minutes in (0.0, args.minutes):
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            play(table, agents, is_evaluation=False)
            played += 1
        won = sum(play(table, agents, is_evaluation=True) == 1.0 for _ in range(args.games))
        point = Point(played, won / args.games, args.games)
        low, high = point.interval()
        print(f"{played:6} games: {point.share:6.1%} of {args.games} games won against random players ({low:.1%} to {high:.1%})", flush=True)


if __name__ == "__main__":
    main()
