"""Plays a game of Dominion over gRPC, as a front end of another team would.

Usage: python play.py HOST:PORT. The stubs come from grpc_tools.protoc over the folder `proto`.
"""

import sys
import time
import uuid

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from gamekeeper.dominion.v1 import action_pb2, dominion_service_pb2 as dominion
from gamekeeper.dominion.v1 import dominion_service_pb2_grpc, ids_pb2
from gamekeeper.v1 import game_pb2, games_service_pb2, games_service_pb2_grpc

# What to buy, best first.
WISHES = [ids_pb2.CARD_PROVINCE, ids_pb2.CARD_GOLD, ids_pb2.CARD_SILVER]
BUY_GOLD = action_pb2.Action(buy_card=action_pb2.BuyCard(card=ids_pb2.CARD_GOLD))


def reason_of(error):
    """The ErrorInfo of a failed call: branch on its reason. None: the service did not answer."""
    status = rpc_status.from_call(error)
    for detail in status.details if status else []:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info
    return None


def is_passing(error):
    """Is it worth sending the same call again?"""
    info = reason_of(error)
    return (
        info is None
        or info.reason == "CONTENDED"
        or error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
    )


def again(call, request, tries=60):
    """The answer of a call that is sent until there is one; with a request id it is played once."""
    for left in reversed(range(tries)):
        try:
            return call(request, timeout=10)
        except grpc.RpcError as error:
            if left == 0 or not is_passing(error):
                raise
        time.sleep(0.25)


def watch(service, game_id, after_version):
    """Every version after this one, in order and each once, across cuts."""
    while True:
        request = dominion.WatchGameRequest(game_id=game_id, after_version=after_version)
        try:
            for message in service.WatchGame(request):
                if message.WhichOneof("update") == "version":
                    after_version = message.version.logged.version
                    yield message.version
        except grpc.RpcError as error:
            if not is_passing(error):
                raise
        time.sleep(0.25)


def choose(actions):
    """Money first, then the best card that can be bought, then the end of the turn."""
    kinds = {action.WhichOneof("kind"): action for action in reversed(actions)}
    if "play_all_treasures" in kinds:
        return kinds["play_all_treasures"]
    for wish in WISHES:
        for action in actions:
            if action.WhichOneof("kind") == "buy_card" and action.buy_card.card == wish:
                return action
    return kinds.get("end_turn", actions[0])


def play(service, game):
    """Plays both seats to the end; gives request and answer of every action."""
    while game.pending:
        seat = game.pending[0].seat
        question = dominion.ListLegalActionsRequest(game_id=game.game_id, seat=seat)
        listed = again(service.ListLegalActions, question)
        request = dominion.ApplyActionRequest(
            game_id=game.game_id,
            seat=seat,
            action=choose(listed.actions),
            expected_version=listed.version,
            request_id=str(uuid.uuid4()),
            with_text=True,
        )
        answer = again(service.ApplyAction, request)
        game = answer.game
        yield request, answer


def connect(address):
    """A channel that soon tries again when the server was away."""
    options = [("grpc.initial_reconnect_backoff_ms", 100), ("grpc.max_reconnect_backoff_ms", 500)]
    return grpc.insecure_channel(address, options)


def main(address):
    with connect(address) as channel:
        games = games_service_pb2_grpc.GamesServiceStub(channel)
        service = dominion_service_pb2_grpc.DominionServiceStub(channel)
        rulesets = games.ListRulesets(games_service_pb2.ListRulesetsRequest()).rulesets
        print(", ".join(ruleset.title for ruleset in rulesets))

        catalogue = service.GetCatalogue(dominion.GetCatalogueRequest()).catalogue
        names = {card.card: card.name for card in catalogue.cards}
        print("wishes:", ", ".join(names[card] for card in WISHES))

        players = [game_pb2.Player(name="Ada"), game_pb2.Player(name="Bob")]
        request = dominion.CreateGameRequest(players=players, request_id=str(uuid.uuid4()))
        game = again(service.CreateGame, request).game
        try:
            service.ApplyAction(
                dominion.ApplyActionRequest(game_id=game.game_id, seat=game.pending[0].seat, action=BUY_GOLD)
            )
        except grpc.RpcError as error:
            info = reason_of(error)
            print(f"refused: {info.reason}, rule {info.metadata['rule']}")

        for _, answer in play(service, game):
            for event in answer.events:
                print(event.text)
            game = answer.game
        for standing in game.standings:
            print(f"seat {standing.seat}: rank {standing.rank}, {standing.score} points")


if __name__ == "__main__":
    main(sys.argv[1])
