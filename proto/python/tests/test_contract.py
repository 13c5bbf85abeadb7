"""Wrappers and errors, without a server of the game."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.duration_pb2 import Duration
from google.rpc import error_details_pb2, status_pb2

from gamekeeper import Client, GamekeeperError, RefusedError, UnavailableError, act
from gamekeeper.caylus.v1 import options_pb2 as caylus, view_pb2 as caylus_view
from gamekeeper.connection import Tries
from gamekeeper.contract import opened, options_of, rulesets, view_of
from gamekeeper.dominion.v1 import action_pb2 as dominion, view_pb2
from gamekeeper.v1 import messages_pb2 as messages, ruleset_service_pb2 as pb
from gamekeeper.v1.ruleset_service_pb2_grpc import RulesetServiceServicer, add_RulesetServiceServicer_to_server

PLAY = dominion.Action(play_all_treasures=dominion.PlayAllTreasures())


def test_rulesets_are_those_of_every_wrapper() -> None:
    wrappers = [messages.Options, messages.Action, messages.Event, messages.View, messages.Catalogue]
    for wrapper in wrappers:
        numbers = {field.name: field.number for field in wrapper.DESCRIPTOR.oneofs_by_name["ruleset"].fields}
        assert tuple(sorted(numbers)) == rulesets()
        assert numbers == {name: messages.RefusalDetail.DESCRIPTOR.fields_by_name[name].number for name in rulesets()}


def test_an_action_is_wrapped_and_opened() -> None:
    assert act(PLAY) == messages.Action(dominion=PLAY)
    assert opened(act(PLAY)) == PLAY
    # Also an action without anything in it says whose it is.
    assert act(dominion.Action()).WhichOneof("ruleset") == "dominion"
    assert opened(messages.Event(kind="paused")) is None
    for other in (view_pb2.View(), caylus.Options(), act(PLAY)):
        with pytest.raises(TypeError, match="does not belong into gamekeeper.v1.Action"):
            act(other)


def test_options_are_wrapped() -> None:
    wanted = messages.Options(caylus=caylus.Options(simplified_favors=True))
    for options in ({"simplifiedFavors": True}, {"simplified_favors": True}, wanted.caylus, wanted):
        assert options_of("caylus", options) == wanted
    assert options_of("terra_mystica", {}).WhichOneof("ruleset") == "terra_mystica"
    with pytest.raises(ValueError, match="no ruleset 'chess'"):
        options_of("chess", {})


def test_described_tables_are_wrapped() -> None:
    wanted = messages.View(caylus=caylus_view.View(turn=3))
    for view in ({"turn": 3}, wanted.caylus, wanted):
        assert view_of("caylus", view) == wanted


class Failing(RulesetServiceServicer):
    """Fails as told, then answers."""

    def __init__(self) -> None:
        self.failures: list[status_pb2.Status] = []
        self.calls = 0

    def ListRulesets(self, request: pb.ListRulesetsRequest, context: grpc.ServicerContext) -> pb.ListRulesetsResponse:
        self.calls += 1
        if self.failures:
            status = self.failures.pop(0)
            context.set_trailing_metadata((("grpc-status-details-bin", status.SerializeToString()),))
            code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
            context.abort(code, status.message)
        return pb.ListRulesetsResponse(server_version="1.2.3")


def failure(code: grpc.StatusCode, reason: str, *, wait: float | None = None, refusal: messages.RefusalDetail | None = None, **metadata: str) -> status_pb2.Status:
    status = status_pb2.Status(code=code.value[0], message="It failed.")
    details = [error_details_pb2.ErrorInfo(reason=reason, domain="gamekeeper", metadata=metadata)]
    if wait is not None:
        delay = Duration()
        delay.FromMilliseconds(round(1000 * wait))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    if refusal is not None:
        details.append(refusal)
    for detail in details:
        packed = Packed()
        packed.Pack(detail)
        status.details.append(packed)
    return status


@pytest.fixture
def failing() -> Iterator[tuple[Failing, Client]]:
    service, server = Failing(), grpc.server(ThreadPoolExecutor(2))
    add_RulesetServiceServicer_to_server(service, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    with Client(f"127.0.0.1:{port}") as client:
        client.connection.patience = 2.0
        yield service, client
    server.stop(None)


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED"),
        (grpc.StatusCode.ABORTED, "CONTENDED"),
        (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE"),
        (grpc.StatusCode.DEADLINE_EXCEEDED, "DEADLINE"),
        (grpc.StatusCode.UNAVAILABLE, ""),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "A_REASON_OF_TOMORROW"),
    ],
)
def test_what_passes_is_tried_again_after_the_time_that_the_service_names(failing: tuple[Failing, Client], code: grpc.StatusCode, reason: str) -> None:
    service, client = failing
    service.failures = [failure(code, reason, wait=0.4), failure(code, reason, wait=0.3)]
    begun = time.monotonic()
    assert client.rulesets() == ()
    assert service.calls == 3 and 0.7 <= time.monotonic() - begun < 2.0


@pytest.mark.parametrize(
    ("code", "reason", "wait"),
    [
        (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", None),
        (grpc.StatusCode.NOT_FOUND, "NO_SUCH_GAME", None),
        (grpc.StatusCode.ABORTED, "STALE_VERSION", None),
        (grpc.StatusCode.INTERNAL, "INTERNAL", None),
        (grpc.StatusCode.FAILED_PRECONDITION, "NOT_DUE", 0.1),
    ],
)
def test_what_does_not_pass_is_not_tried_again(failing: tuple[Failing, Client], code: grpc.StatusCode, reason: str, wait: float | None) -> None:
    service, client = failing
    service.failures = [failure(code, reason, wait=wait)]
    with pytest.raises(GamekeeperError) as failed:
        client.rulesets()
    assert service.calls == 1 and not failed.value.is_passing
    assert (failed.value.code, failed.value.reason, failed.value.retry_after) == (code, reason, wait)


def test_nobody_waits_longer_than_they_have_patience(failing: tuple[Failing, Client]) -> None:
    service, client = failing
    service.failures = [failure(grpc.StatusCode.RESOURCE_EXHAUSTED, "LIMIT_EXCEEDED", wait=60.0)]
    with pytest.raises(UnavailableError, match="LIMIT_EXCEEDED") as failed:
        client.rulesets()
    assert service.calls == 1 and failed.value.is_passing and failed.value.retry_after == 60.0


def test_the_planned_end_of_a_stream_is_no_failure() -> None:
    tries = Tries(patience=0.0)
    planned = UnavailableError(grpc.StatusCode.UNAVAILABLE, "GOING_AWAY", "The stream is old.", {"cause": "MAX_AGE"}, 0.0)
    assert all(tries.pause(planned) <= 0.05 for _ in range(100))
    with pytest.raises(UnavailableError, match="STORE_UNAVAILABLE"):
        tries.pause(UnavailableError(grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE", "It failed."))


def test_a_refusal_has_its_values(failing: tuple[Failing, Client]) -> None:
    service, client = failing
    refusal = messages.RefusalDetail(not_your_turn=messages.RefusalDetail.NotYourTurn(to_act=2, decision="buy_phase"))
    service.failures = [failure(grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_TURN", refusal=refusal, rule="DOM-3.1")]
    with pytest.raises(RefusedError) as refused:
        client.rulesets()
    assert (refused.value.rule, refused.value.detail) == ("DOM-3.1", refusal)
    assert refused.value.message == "It failed." and refused.value.metadata == {"rule": "DOM-3.1"}
