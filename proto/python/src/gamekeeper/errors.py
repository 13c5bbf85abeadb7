"""Errors with the reason codes of the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

_DETAILS = "grpc-status-details-bin"
_PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


@dataclass(eq=False)
class GamekeeperError(Exception):
    """A call failed, and what it asked for was not done. Branch on `reason`; `message` is for people."""

    code: grpc.StatusCode
    """The status of gRPC."""
    reason: str
    """The code of the failure, such as `NO_SUCH_GAME`; empty if the service did not answer."""
    message: str
    """What is wrong, in English."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    """The values that the message names, as text."""
    retry_after: float | None = None
    """How many seconds to wait before the next try, if the service says so."""

    def __str__(self) -> str:
        return f"{self.code.name} {self.reason}: {self.message}".replace(" :", ":")

    @property
    def is_passing(self) -> bool:
        """Is it worth sending the same request again?"""
        return not self.reason or self.reason == "CONTENDED" or self.code in _PASSING


@dataclass(eq=False)
class RefusedError(GamekeeperError):
    """The rules do not allow it."""

    rule: str = ""
    """The id of the rule, such as `DOM-6.10`."""
    detail: Any = None
    """The values of the refusal, typed: the ruleset's `RefusalDetail`, if it has values."""


class StaleVersionError(GamekeeperError):
    """The game has moved on since the version that was named."""


class NotAllowedError(GamekeeperError):
    """The token is missing, wrong or expired, or does not allow the call."""


class UnavailableError(GamekeeperError):
    """The service cannot be reached, or cannot answer now."""


class IllegalActionError(ValueError):
    """An environment was given an action that its mask does not allow. Nothing has changed."""


def from_rpc(error: grpc.RpcError) -> GamekeeperError:
    """What the service says about a failed call."""
    code: grpc.StatusCode = error.code()
    status = _status(error)
    info, delay, detail = error_details_pb2.ErrorInfo(), None, None
    for packed in status.details:
        if packed.type_url.endswith("/google.rpc.ErrorInfo"):
            packed.Unpack(info)
        elif packed.type_url.endswith("/google.rpc.RetryInfo"):
            retry = error_details_pb2.RetryInfo()
            packed.Unpack(retry)
            delay = retry.retry_delay.ToTimedelta().total_seconds()
        elif packed.type_url.endswith(".RefusalDetail"):
            detail = _detail(packed)
    metadata = dict(info.metadata)
    common = (code, info.reason, error.details() or "", metadata, delay)
    if "rule" in metadata:
        return RefusedError(*common, rule=metadata["rule"], detail=detail)
    if info.reason == "STALE_VERSION":
        return StaleVersionError(*common)
    if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return NotAllowedError(*common)
    if not info.reason or code in _PASSING:
        return UnavailableError(*common)
    return GamekeeperError(*common)


def _status(error: grpc.RpcError) -> status_pb2.Status:
    status = status_pb2.Status()
    trailing: Any = error.trailing_metadata()
    for key, value in trailing or ():
        if key == _DETAILS:
            try:
                status.ParseFromString(value)
            except DecodeError:
                return status_pb2.Status()
    return status


def _detail(packed: Any) -> Message | None:
    from .contract import unpacked

    try:
        detail: Message = unpacked(packed)
    except (ValueError, KeyError, DecodeError):
        return None  # of a ruleset that this package does not know
    return detail
