"""Errors with the reason codes of the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from .v1.messages_pb2 import RefusalDetail

_DETAILS = "grpc-status-details-bin"
_PASSING_CODES = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
_PASSING_REASONS = ("", "CONTENDED", "LIMIT_EXCEEDED")  # Without a reason, the service did not answer.


@dataclass(eq=False)
class GamekeeperError(Exception):
    """A call failed, and what it asked for was not done. Branch on `reason`; `message` is for people."""

    code: grpc.StatusCode
    """The status of gRPC."""
    reason: str
    """The code of the failure, such as `NO_SUCH_GAME`; empty if the service did not answer."""
    message: str
    """The fault, in English."""
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    """The values that the message names, as text."""
    retry_after: float | None = None
    """How many seconds to wait before the next try, if the service says so."""

    def __str__(self) -> str:
        return f"{self.code.name} {self.reason}: {self.message}".replace(" :", ":")

    @property
    def is_passing(self) -> bool:
        """Whether to send the same request again, after `retry_after` if that is set."""
        if self.reason in _PASSING_REASONS or self.code in _PASSING_CODES:
            return True
        # Who claims a timeout too early learns when to come back, and decides whether to wait.
        return self.retry_after is not None and self.code is not grpc.StatusCode.FAILED_PRECONDITION

    @property
    def is_planned(self) -> bool:
        """Whether a stream ended as planned, by its age or with its server. That is no failure: it is resumed at once."""
        return self.reason == "GOING_AWAY"


@dataclass(eq=False)
class RefusedError(GamekeeperError):
    """The rules do not allow it."""

    rule: str = ""
    """The id of the rule, such as `DOM-6.10`."""
    detail: RefusalDetail | None = None
    """The values of the refusal, typed, if it has values."""


class StaleVersionError(GamekeeperError):
    """The game has moved on since the version that was named."""


class NotAllowedError(GamekeeperError):
    """The token is missing, wrong or expired, or does not allow the call."""


class UnavailableError(GamekeeperError):
    """The service cannot be reached, cannot answer now, or has reached a limit; or others were faster, repeatedly."""


class IllegalActionError(ValueError):
    """An environment was given an action that its mask does not allow. Nothing has changed."""


def ended_early() -> UnavailableError:
    """A stream has ended before what it follows."""
    return UnavailableError(grpc.StatusCode.UNAVAILABLE, "", "the stream ended early")


def from_rpc(error: grpc.RpcError) -> GamekeeperError:
    """Returns the error that the service reports for a failed call."""
    info, retry, refusal = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo(), RefusalDetail()
    delay, detail = None, None
    for packed in _status(error).details:
        if packed.Unpack(retry):
            delay = retry.retry_delay.ToTimedelta().total_seconds()
        elif packed.Unpack(refusal):
            detail = refusal
        else:
            packed.Unpack(info)
    code, metadata = error.code(), dict(info.metadata)
    common = (code, info.reason, error.details() or "", metadata, delay)
    if "rule" in metadata:
        return RefusedError(*common, rule=metadata["rule"], detail=detail)
    if info.reason == "STALE_VERSION":
        return StaleVersionError(*common)
    if code in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED):
        return NotAllowedError(*common)
    if info.reason in _PASSING_REASONS or code in _PASSING_CODES:
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
