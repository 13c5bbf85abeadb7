"""The ends of games, and what players earn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

RewardKind = Literal["rank", "win", "score", "margin"]

REWARDS: tuple[RewardKind, ...] = ("rank", "win", "score", "margin")
"""The kinds of reward at the end of a game, see `rewards`."""


@dataclass(frozen=True)
class Result:
    """The end of a game."""

    version: int
    """The last version of the game."""
    ranks: tuple[int, ...] = ()
    """The rank of each player, from 1; equal results share a rank. Empty: the game was cut off."""
    scores: tuple[int, ...] = ()
    """The score of each player."""

    @property
    def finished(self) -> bool:
        """Whether the rules ended the game."""
        return bool(self.ranks)


def checked(kind: str) -> RewardKind:
    """The name of a reward.

    Raises `ValueError` when there is none of this name.
    """
    for known in REWARDS:
        if kind == known:
            return known
    raise ValueError(f"no reward {kind!r}; there are {', '.join(REWARDS)}")


def rewards(result: Result | None, players: int, kind: RewardKind = "rank", fewest_win: bool = False) -> list[float]:
    """Returns the reward of each player. All are 0 before the end, and in a game that was cut off.

    * `rank`: 1 for the first, -1 for the last, evenly spaced between; who shares a rank shares what its places earn
    * `win`: 1, shared among the winners; the others share -1
    * `score`: the score, or its negative where the fewest points win
    * `margin`: the lead, which is the difference between the score and the best of the others
    """
    if result is None or not result.finished:
        return [0.0] * players
    merits = tuple(-score if fewest_win else score for score in result.scores)
    if kind == "score":
        return [float(merit) for merit in merits]
    if kind == "margin":
        return [float(merit - max(_others(merits, seat))) for seat, merit in enumerate(merits)]
    if kind == "win":
        winners = result.ranks.count(1)
        losers = players - winners
        if losers == 0:
            return [0.0] * players
        return [1.0 / winners if rank == 1 else -1.0 / losers for rank in result.ranks]
    return [_by_rank(rank, result.ranks) for rank in result.ranks]


def _others(merits: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return merits[:seat] + merits[seat + 1 :]


def _by_rank(rank: int, ranks: tuple[int, ...]) -> float:
    middle = rank - 1 + (ranks.count(rank) - 1) / 2
    return 1.0 - 2.0 * middle / (len(ranks) - 1)
