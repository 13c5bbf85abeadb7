"""Plays a game of any ruleset over gRPC, as a front end of another team would.

Usage: python play.py HOST:PORT [RULESET]. README.md says how to make the stubs.
"""

from __future__ import annotations

import random
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import grpc
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from gamekeeper.dominion.v1 import action_pb2 as dominion, ids_pb2 as ids
from gamekeeper.v1 import game_pb2, game_service_pb2 as pb, messages_pb2 as messages, ruleset_service_pb2 as rules
from gamekeeper.v1.game_service_pb2_grpc import GameServiceStub
from gamekeeper.v1.ruleset_service_pb2_grpc import RulesetServiceStub

Request = TypeVar("Request")
Response = TypeVar("Response")


def act(action: dominion.Action) -> messages.Action:
    """An action of Dominion, as the service takes it."""
    return messages.Action(dominion=action)


# What to buy, best first.
WISHES = [ids.CARD_PROVINCE, ids.CARD_GOLD, ids.CARD_SILVER]
BUY_GOLD = act(dominion.Action(buy_card=dominion.BuyCard(card=ids.CARD_GOLD)))

EVENTS = pb.Show(events=True, text=True)


@dataclass(frozen=True)
class Failure:
    """Why a call failed."""

    code: grpc.StatusCode
    info: ErrorInfo
    """Branch on its reason. No reason: the service did not answer."""
    wait: float | None
    """How many seconds to wait before the next try, if the service says so."""
    refusal: messages.RefusalDetail | None
    """The values of a refusal of the rules, typed."""

    @property
    def is_passing(self) -> bool:
        """Whether to send the same call again."""
        if self.info.reason in ("", "CONTENDED", "LIMIT_EXCEEDED"):
            return True
        if self.code in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED):
            return True
        # Who claims a timeout too early learns when to come back, and decides whether to wait.
        return self.wait is not None and self.code is not grpc.StatusCode.FAILED_PRECONDITION


def failure(error: grpc.RpcError) -> Failure:
    """Returns the error that the service reports for a failed call."""
    status, info, retry, refusal = Status(), ErrorInfo(), RetryInfo(), messages.RefusalDetail()
    for entry in error.trailing_metadata() or ():
        if entry.key == "grpc-status-details-bin":
            status.ParseFromString(entry.value)
    found = [known for known in (info, retry, refusal) if any(detail.Unpack(known) for detail in status.details)]
    wait = retry.retry_delay.ToTimedelta().total_seconds() if retry in found else None
    return Failure(error.code(), info, wait, refusal if refusal in found else None)


class Pauses:
    """Waits before the next try: longer each time, and as long as the service asks."""

    def __init__(self, patience: float = 30.0) -> None:
        self.wait, self.end = 0.05, time.monotonic() + patience

    def after(self, error: grpc.RpcError) -> None:
        """Waits, or raises the error if another try is useless or too late."""
        failed = failure(error)
        wait = max(failed.wait or 0.0, self.wait * random.uniform(0.5, 1.0))
        if not failed.is_passing or time.monotonic() + wait > self.end:
            raise error
        time.sleep(wait)
        self.wait = min(2 * self.wait, 2.0)


def again(call: grpc.UnaryUnaryMultiCallable[Request, Response], request: Request) -> Response:
    """The answer of a call that is sent until there is one; with a request id it is played once."""
    pauses = Pauses()
    while True:
        try:
            return call(request, timeout=10)
        except grpc.RpcError as error:
            pauses.after(error)


def watch(games: GameServiceStub, game_id: str, after_version: int) -> Iterator[pb.WatchGameResponse]:
    """Every version after this one, in order and each once, across cuts, until the game is over."""
    request = pb.WatchGameRequest(game_id=game_id, after_version=after_version, show=EVENTS)
    pauses = Pauses()
    while True:
        try:
            for message in games.WatchGame(request):
                pauses = Pauses()
                if not message.HasField("table"):
                    continue  # nothing is new
                game = message.table.game
                request.after_version = game.version
                request.after_time.CopyFrom(game.update_time)
                yield message
                if game.status == game_pb2.GAME_STATUS_FINISHED:
                    return
        except grpc.RpcError as error:
            pauses.after(error)


Choose = Callable[[Sequence[messages.LegalAction]], messages.Action]


def anything(actions: Sequence[messages.LegalAction]) -> messages.Action:
    """Good for every ruleset: one legal action is as good as another."""
    return random.choice(actions).action


def big_money(actions: Sequence[messages.LegalAction]) -> messages.Action:
    """Dominion: money first, then the best card that can be bought, then the end of the turn."""
    kinds = {legal.kind: legal.action for legal in reversed(actions)}
    if "play_all_treasures" in kinds:
        return kinds["play_all_treasures"]
    for wish in WISHES:
        for legal in actions:
            if legal.kind == "buy_card" and legal.action.dominion.buy_card.card == wish:
                return legal.action
    return kinds.get("end_turn", actions[0].action)


def play(
    games: GameServiceStub, game: game_pb2.GameInfo, choose: Choose
) -> Iterator[tuple[pb.ApplyActionRequest, pb.ApplyActionResponse]]:
    """Plays all seats to the end; gives request and answer of every action."""
    while game.pending:
        seat = game.pending[0].seat
        question = pb.ListLegalActionsRequest(game_id=game.game_id, seat=seat)
        listed = again(games.ListLegalActions, question)
        request = pb.ApplyActionRequest(
            game_id=game.game_id,
            seat=seat,
            action=choose(listed.actions),
            expected_version=listed.version,
            request_id=str(uuid.uuid4()),
            show=EVENTS,
        )
        answer = again(games.ApplyAction, request)
        game = answer.table.game
        yield request, answer


def new_game(games: GameServiceStub, ruleset: str) -> game_pb2.GameInfo:
    """A game of Ada and Bob."""
    players = [game_pb2.Player(name="Ada"), game_pb2.Player(name="Bob")]
    request = pb.CreateGameRequest(ruleset=ruleset, players=players, request_id=str(uuid.uuid4()))
    return again(games.CreateGame, request).table.game


def connect(address: str) -> grpc.Channel:
    """A channel that soon tries again when the server was away."""
    options = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 500)]
    return grpc.insecure_channel(address, options)


def refused_gold(games: GameServiceStub, catalogue: messages.Catalogue) -> None:
    """Prints the refusal of the rules for a player that buys a Gold without money."""
    game = new_game(games, "dominion")
    names = {card.card: card.name for card in catalogue.dominion.cards}
    try:
        games.ApplyAction(pb.ApplyActionRequest(game_id=game.game_id, seat=game.pending[0].seat, action=BUY_GOLD))
    except grpc.RpcError as error:
        failed = failure(error)
        print(f"refused: {failed.info.reason}, rule {failed.info.metadata['rule']}")
        if failed.refusal is not None and failed.refusal.dominion.HasField("cannot_afford"):
            poor = failed.refusal.dominion.cannot_afford
            print(f"{names[poor.card]} costs {poor.cost}, and there are {poor.coins} coins")


def main(address: str, ruleset: str = "dominion") -> None:
    with connect(address) as channel:
        games, about = GameServiceStub(channel), RulesetServiceStub(channel)
        rulesets = again(about.ListRulesets, rules.ListRulesetsRequest()).rulesets
        print(", ".join(ruleset.title for ruleset in rulesets))
        if ruleset == "dominion":
            refused_gold(games, again(about.GetCatalogue, rules.GetCatalogueRequest(ruleset=ruleset)).catalogue)

        game = new_game(games, ruleset)
        for _, answer in play(games, game, big_money if ruleset == "dominion" else anything):
            for event in answer.entry.events:
                print(event.text)
            game = answer.table.game
        for standing in game.standings:
            print(f"seat {standing.seat}: rank {standing.rank}, {standing.score} points")


if __name__ == "__main__":
    main(*sys.argv[1:])
