"""Calls by name over one channel: retried where that is safe, with typed errors."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Any

import grpc

from .contract import message_class
from .errors import GamekeeperError, from_rpc

if TYPE_CHECKING:
    from google.protobuf.descriptor import MethodDescriptor

# The service answers with at most as much; gRPC would refuse more than 4 MiB.
_LARGEST = 64 << 20

_OPTIONS = [
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 1_000),
    ("grpc.keepalive_time_ms", 60_000),
    ("grpc.keepalive_timeout_ms", 20_000),
    ("grpc.max_receive_message_length", _LARGEST),
]


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
        if credentials is None:
            self._channel = grpc.insecure_channel(address, _OPTIONS)
        else:
            self._channel = grpc.secure_channel(address, credentials, _OPTIONS)

    def call(self, method: MethodDescriptor, request: Any, token: str | None = None) -> Any:
        """One answer. Tried again while the service cannot be reached, so a call that changes something needs a
        request id or an expected version."""
        send = self._channel.unary_unary(*_method(method))
        return self.again(lambda: send(request, timeout=self.deadline, metadata=self._metadata(token)))

    def again(self, attempt: Callable[[], Any]) -> Any:
        """What an attempt returns, once it does not fail for a reason that passes."""
        tries = Tries(self.patience)
        while True:
            try:
                return attempt()
            except grpc.RpcError as error:
                tries.failed(from_rpc(error))

    def stream(self, method: MethodDescriptor, request: Any, token: str | None = None) -> Any:
        """The call of a stream of answers: to iterate, and to cancel."""
        return self._channel.unary_stream(*_method(method))(request, metadata=self._metadata(token))

    def converse(self, method: MethodDescriptor, requests: Iterator[Any], token: str | None = None) -> Any:
        """The call of a stream in both directions."""
        return self._channel.stream_stream(*_method(method))(requests, metadata=self._metadata(token))

    def close(self) -> None:
        """Ends all calls."""
        self._channel.close()

    def __enter__(self) -> Connection:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def _metadata(self, token: str | None) -> tuple[tuple[str, str], ...]:
        token = token or self.token
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
        now = time.monotonic()
        self._begun = self._begun or now
        pause = max(error.retry_after or 0.0, self._pause * random.uniform(0.5, 1.0))
        if not error.is_passing or now + pause - self._begun > self._patience:
            raise error
        time.sleep(pause)
        self._pause = min(2 * self._pause, 2.0)


def _method(method: MethodDescriptor) -> tuple[str, Callable[[Any], bytes], Callable[[bytes], Any]]:
    path = f"/{method.containing_service.full_name}/{method.name}"
    request, response = message_class(method.input_type), message_class(method.output_type)
    return path, request.SerializeToString, response.FromString
