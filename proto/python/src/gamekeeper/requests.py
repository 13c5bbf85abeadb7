"""Requests of the calls that clients have by name, as the blocking and the asyncio client send them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from google.protobuf.message import Message

from .contract import options_of, view_of
from .v1 import game_pb2, game_service_pb2 as pb, messages_pb2


def create(
    name: str,
    players: Sequence[str | game_pb2.Player],
    options: Mapping[str, Any] | Message | None,
    *,
    seed: bytes,
    request_id: str | None,
    table: game_pb2.TableOptions | None,
    labels: Mapping[str, str] | None,
    start: game_pb2.GameStart.ValueType,
    position: Mapping[str, Any] | Message | None,
    show: pb.Show | None,
) -> pb.CreateGameRequest:
    """A new game, which is created once however often it is asked for."""
    return pb.CreateGameRequest(
        ruleset=name,
        players=[game_pb2.Player(name=player) if isinstance(player, str) else player for player in players],
        options=None if options is None else options_of(name, options),
        request_id=request_id or str(uuid.uuid4()),
        seed=seed,
        table=table,
        labels=labels,
        start=start,
        position=None if position is None else view_of(name, position),
        show=show,
    )


def apply(
    game_id: str,
    seat: int,
    action: messages_pb2.Action,
    *,
    expected_version: int,
    request_id: str | None,
    show: pb.Show | None,
) -> pb.ApplyActionRequest:
    """An action, which is played once however often it is sent."""
    return pb.ApplyActionRequest(
        game_id=game_id,
        seat=seat,
        action=action,
        expected_version=expected_version,
        request_id=request_id or str(uuid.uuid4()),
        show=show,
    )


def tenant_feed(
    selected: pb.GameFilter | None, cursor: str, since: datetime | None, show: pb.Show | None
) -> pb.WatchGamesRequest:
    """The feed of a tenant. Without a filter: of all its games."""
    request = pb.WatchGamesRequest(filter=selected or pb.GameFilter(), cursor=cursor, show=show)
    if since is not None:
        request.from_time.FromDatetime(since)
    return request


def viewer(seat: int) -> game_pb2.Viewer | None:
    """A seat; for seat 0 whoever the token names, otherwise a spectator."""
    return game_pb2.Viewer(kind=game_pb2.VIEWER_KIND_SEAT, seat=seat) if seat else None
