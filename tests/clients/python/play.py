"""Plays a game of Dominion over gRPC, as a front end of another team would.

Usage: python play.py HOST:PORT. The stubs come from grpc_tools.protoc over the folder `proto`.
"""

import sys
import uuid

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from gamekeeper.dominion.v1 import action_pb2, dominion_service_pb2 as dominion
from gamekeeper.dominion.v1 import dominion_service_pb2_grpc, ids_pb2
from gamekeeper.v1 import game_pb2, games_service_pb2, games_service_pb2_grpc

# What to buy, the best first.
WISHES = [ids_pb2.CARD_PROVINCE, ids_pb2.CARD_GOLD, ids_pb2.CARD_SILVER]


def reason_of(error):
    """The ErrorInfo of a failed call."""
    status = rpc_status.from_call(error)
    for detail in status.details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return info
    raise AssertionError(f"no ErrorInfo in {status}")


def expect_refusal(call, code, reason):
    """The call fails with this status and this reason."""
    try:
        call()
    except grpc.RpcError as error:
        info = reason_of(error)
        assert error.code() == code, (error.code(), code)
        assert (info.domain, info.reason) == ("gamekeeper", reason), info
        return info
    raise AssertionError(f"{reason} expected, the call went well")


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
    """Plays both seats to the end; returns the facts of the finished game."""
    while game.pending:
        seat = game.pending[0].seat
        listed = service.ListLegalActions(
            dominion.ListLegalActionsRequest(game_id=game.game_id, seat=seat)
        )
        assert listed.version == game.version and listed.exhaustive
        request = dominion.ApplyActionRequest(
            game_id=game.game_id,
            seat=seat,
            action=choose(listed.actions),
            expected_version=game.version,
            request_id=str(uuid.uuid4()),
            with_text=True,
        )
        answer = service.ApplyAction(request)
        assert answer.game.version == game.version + 1
        assert all(event.text for event in answer.events)
        # A retry plays nothing again and is answered alike.
        if answer.game.version % 10 == 0:
            assert service.ApplyAction(request) == answer
        game = answer.game
    return game


def refusals(service, game):
    """Errors carry a code to branch on."""

    def act(**fields):
        fields.setdefault("action", action_pb2.Action(buy_card=action_pb2.BuyCard(card=ids_pb2.CARD_GOLD)))
        return lambda: service.ApplyAction(
            dominion.ApplyActionRequest(game_id=game.game_id, **fields)
        )

    seat = game.pending[0].seat
    refused = expect_refusal(
        act(seat=seat), grpc.StatusCode.FAILED_PRECONDITION, "CANNOT_AFFORD"
    )
    assert refused.metadata["rule"] == "DOM-6.10", refused
    expect_refusal(act(seat=3 - seat), grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN")
    expect_refusal(act(seat=0), grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    expect_refusal(
        act(seat=seat, action=action_pb2.Action()), grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED"
    )
    stale = expect_refusal(
        act(seat=seat, expected_version=7), grpc.StatusCode.ABORTED, "STALE_VERSION"
    )
    assert stale.metadata["current"] == "1", stale


def main(address):
    with grpc.insecure_channel(address) as channel:
        games = games_service_pb2_grpc.GamesServiceStub(channel)
        service = dominion_service_pb2_grpc.DominionServiceStub(channel)
        rulesets = games.ListRulesets(games_service_pb2.ListRulesetsRequest()).rulesets
        assert "dominion" in [ruleset.id for ruleset in rulesets]
        catalogue = service.GetCatalogue(dominion.GetCatalogueRequest()).catalogue
        assert len(catalogue.cards) == 32

        created = service.CreateGame(
            dominion.CreateGameRequest(
                players=[game_pb2.Player(name="Ada"), game_pb2.Player(name="Bob")],
                request_id=str(uuid.uuid4()),
            )
        )
        refusals(service, created.game)
        watch = service.WatchGame(
            dominion.WatchGameRequest(game_id=created.game.game_id, after_version=1)
        )
        game = play(service, created.game)
        assert game.status == game_pb2.GAME_STATUS_FINISHED
        watched = [next(watch).version.logged.version for _ in range(game.version - 1)]
        assert watched == list(range(2, game.version + 1))
        watch.cancel()
        for standing in game.standings:
            print(f"seat {standing.seat}: rank {standing.rank}, {standing.score} points")
        print(f"{game.version - 1} actions played and watched")


if __name__ == "__main__":
    main(sys.argv[1])
