"""Calls over one channel: retried where that is safe, with typed errors."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Protocol, TypeVar

import grpc

from .errors import GamekeeperError, from_rpc

if TYPE_CHECKING:
    from grpc import StreamStreamMultiCallable, UnaryStreamMultiCallable, UnaryUnaryMultiCallable

# The service answers with at most as much; gRPC would refuse more than 4 MiB.
_LARGEST = 64 << 20

_OPTIONS: list[tuple[str, int | str]] = [
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_receive_message_length", _LARGEST),
]

Request = TypeVar("Request")
Response = TypeVar("Response")
Message_co = TypeVar("Message_co", covariant=True)


def options_for(address: str) -> list[tuple[str, int | str]]:
    """How a channel behaves.

    A target may have several addresses: `ipv4:10.0.0.1:50051,10.0.0.2:50051`. The first is the name of the server then;
    the list is not one, and a server would refuse it.
    """
    first, *others = address.split(",")
    if not others:
        return _OPTIONS
    return [*_OPTIONS, ("grpc.default_authority", first.removeprefix("ipv4:").removeprefix("ipv6:"))]


class ServerTime:
    """The time of the server, by the clock of this machine, which may be wrong."""

    def __init__(self) -> None:
        self._ahead = 0.0

    def now(self) -> float:
        """Seconds since the Unix epoch. Until the server has answered, the time of this machine."""
        return time.time() + self._ahead

    def heard(self, seconds: float, sent: float | None = None) -> None:
        """The server told its time, between the sending of a request and now."""
        now = time.time()
        self._ahead = seconds - (now if sent is None else (sent + now) / 2)

    def answered(self, metadata: Iterable[tuple[str, str | bytes]], sent: float) -> None:
        """An answer came to a request that was sent at this time of this machine."""
        for name, value in metadata:
            if name == "gamekeeper-time":
                self.heard(int(value) / 1_000, sent)


class Stream(Protocol[Message_co]):
    """The call of a stream: the messages that the service sends."""

    def __iter__(self) -> Iterator[Message_co]: ...

    def cancel(self) -> bool:
        """Ends the stream."""
        ...


class Connection:
    """A channel to one server, or to several behind one name."""

    def __init__(
        self,
        address: str,
        token: str | None = None,
        credentials: grpc.ChannelCredentials | None = None,
        patience: float = 30.0,
        deadline: float = 10.0,
    ) -> None:
        """Does not connect yet.

        `token` is sent with every call that names no other one. `credentials` are those of
        `grpc.ssl_channel_credentials`; without them the connection is plain text. `patience` is how many seconds a
        call is tried again, `deadline` how many seconds one try may take.
        """
        self.address = address
        self.token = token
        self.patience = patience
        self.deadline = deadline
        self.server_time = ServerTime()
        if credentials is None:
            self.channel = grpc.insecure_channel(address, options_for(address))
        else:
            self.channel = grpc.secure_channel(address, credentials, options_for(address))

    def call(self, method: UnaryUnaryMultiCallable[Request, Response], request: Request, token: str | None = None) -> Response:
        """One answer. Tried again while the service cannot be reached or is overloaded, so a call that changes something
        needs a request id or an expected version."""
        tries = Tries(self.patience)
        while True:
            sent = time.time()
            try:
                answer, call = method.with_call(request, timeout=self.deadline, metadata=self._metadata(token))
                self.server_time.answered(call.initial_metadata(), sent)
                return answer
            except grpc.RpcError as error:
                tries.failed(from_rpc(error))

    def stream(self, method: UnaryStreamMultiCallable[Request, Response], request: Request, token: str | None = None) -> Stream[Response]:
        """A stream of answers."""
        return method(request, metadata=self._metadata(token))

    def converse(self, method: StreamStreamMultiCallable[Request, Response], requests: Iterator[Request], token: str | None = None) -> Stream[Response]:
        """A stream in both directions."""
        return method(requests, metadata=self._metadata(token))

    def close(self) -> None:
        """Ends all calls."""
        self.channel.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _metadata(self, token: str | None) -> tuple[tuple[str, str], ...]:
        return bearer(token or self.token)


def bearer(token: str | None) -> tuple[tuple[str, str], ...]:
    """Returns the metadata of a call with this token."""
    return (("authorization", f"Bearer {token}"),) if token else ()


class Tries:
    """Waits between the tries of one call: longer each time, with some luck, and as long as the service asks."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self.succeeded()

    def succeeded(self) -> None:
        """The next failure is the first of a new series."""
        self._begun: float | None = None
        self._pause = 0.05

    def failed(self, error: GamekeeperError) -> None:
        """Waits, or raises the error if another try is useless or too late."""
        time.sleep(self.pause(error))

    def pause(self, error: GamekeeperError) -> float:
        """How many seconds to wait before the next try. Raises the error if another try is useless or too late."""
        if error.is_planned:
            self.succeeded()
            return self._pause * random.uniform(0.5, 1.0)
        now = time.monotonic()
        self._begun = self._begun or now
        pause = max(error.retry_after or 0.0, self._pause * random.uniform(0.5, 1.0))
        if not error.is_passing or now + pause - self._begun > self._patience:
            raise error
        self._pause = min(2 * self._pause, 2.0)
        return pause
