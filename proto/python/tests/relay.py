"""A connection that can be cut: between a client and a server, on this machine."""

from __future__ import annotations

import contextlib
import socket
import threading


class Relay:
    """Hands bytes on to an address, and drops connections when asked to."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self._far = host, int(port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._open: list[socket.socket] = []
        self.deaf = False
        """Drop the connection on which the server answers next?"""
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """Drops all connections. New ones are accepted."""
        for end in self._open:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        self._open.clear()

    def close(self) -> None:
        self._listener.close()
        self.cut()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(self._far)
                self.connections += 1
                self._open += [near, far]
                for one, other, answers in ((near, far, False), (far, near, True)):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    threading.Thread(target=self._pump, args=(one, other, answers), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket, answers: bool) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                if answers and self.deaf:
                    self.deaf = False
                    break
                other.sendall(data)
        for end in (one, other):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
