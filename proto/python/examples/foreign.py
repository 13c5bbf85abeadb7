"""A library that knows nothing of Gamekeeper learns a ruleset: MaskablePPO of sb3-contrib, against random players.

    pip install sb3-contrib
    python foreign.py kingsburg --minutes 4 --export kingsburg.onnx

An agent that learned can be a bot at a server: `--export` writes its network of PyTorch as a policy.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import torch
from curve import Point
from sb3_contrib import MaskablePPO
from seat import SeatEnv
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv

from gamekeeper import gamekeeper_env
from gamekeeper.policies import Layout, Network, write_policy

TABLES = 8


class Clock(BaseCallback):
    """Ends the training after a time."""

    def __init__(self, minutes: float) -> None:
        super().__init__()
        self.end = time.monotonic() + 60 * minutes

    def _on_step(self) -> bool:
        return time.monotonic() < self.end


def measure(model: MaskablePPO, ruleset: str, players: int, games: int) -> Point:
    """Plays against random players, changing seats: how many games are won. A shared win is none."""
    env = SeatEnv(gamekeeper_env(ruleset, players))
    won = 0
    for game in range(games):
        observation, _ = env.reset(seed=1_000_000 if game == 0 else None)
        over = False
        while not over:
            word, _ = model.predict(observation, action_masks=env.action_masks())
            observation, reward, terminated, truncated, _ = env.step(int(word))
            over = terminated or truncated
        won += reward == 1.0
    env.close()
    return Point(model.num_timesteps, won / games, games)


def export(model: MaskablePPO, path: Path, ruleset: str, players: int) -> None:
    """Writes the network as a policy that bots of a server play: the likeliest word."""
    layout = Layout.of(ruleset, players)
    network = Network(layout)
    flow = network.cells
    for part in [*model.policy.mlp_extractor.policy_net, model.policy.action_net]:
        if isinstance(part, torch.nn.Linear):
            flow = network.linear(flow, part.weight.detach().numpy().T, part.bias.detach().numpy())
        elif isinstance(part, torch.nn.Tanh):
            flow = network.tanh(flow)
        elif isinstance(part, torch.nn.ReLU):
            flow = network.relu(flow)
        else:
            raise TypeError(f"a layer of the kind {type(part).__name__} cannot be written here; torch.onnx.export can")
    write_policy(path, layout, network.ended(flow), description=f"MaskablePPO of sb3-contrib, {model.num_timesteps} words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("ruleset")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=4.0, help="time to learn; measuring is extra")
    parser.add_argument("--games", type=int, default=200, help="games of a measurement")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--export", type=Path, help="file for a policy that bots of a server play, with its manifest beside it")
    args = parser.parse_args()

    torch.set_num_threads(1)
    np.random.seed(args.seed)
    tables = DummyVecEnv([lambda: SeatEnv(gamekeeper_env(args.ruleset, args.players))] * TABLES)
    tables.seed(args.seed)
    model = MaskablePPO("MlpPolicy", tables, n_steps=256, batch_size=256, gamma=1.0, learning_rate=1e-3, ent_coef=0.01, seed=args.seed)
    for minutes in (0.0, args.minutes):
        if minutes:
            model.learn(10**9, callback=Clock(minutes))
        point = measure(model, args.ruleset, args.players, args.games)
        low, high = point.interval()
        print(f"{point.learned:8} words: {point.share:6.1%} of {args.games} games won against random players ({low:.1%} to {high:.1%})", flush=True)
    if args.export:
        export(model, args.export, args.ruleset, args.players)
    tables.close()


if __name__ == "__main__":
    main()
