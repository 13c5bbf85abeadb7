"""A server of one's own: `gamekeeperd` as a subprocess that keeps its games in memory."""

from __future__ import annotations

import atexit
import contextlib
import os
import re
import shutil
import subprocess
import threading
from collections import deque
from functools import cache
from types import TracebackType

_LISTENS = re.compile(r"Gamekeeper listens on (\S+:\d+)")


# Ends the server at a line on its standard input, or when that closes because the program has ended, however it did.
_GUARD = 'exec 3<&0; "$@" </dev/null 3<&- & exec 2>/dev/null; read -r _ <&3; kill -9 $!; wait $!'


class Server:
    """A running `gamekeeperd` on a free port of this machine. It ends with `close`, or with the program, even a killed one."""

    def __init__(self, binary: str | None = None, *arguments: str) -> None:
        """Starts the server and waits until it serves.

        `binary` is a path; without it, the variable GAMEKEEPERD names it, or the command is searched for.
        `arguments` are added to the command line.
        """
        command = [find(binary), "--listen", "127.0.0.1:0", "--store", "memory", *arguments]
        # The settings of other servers are not those of this one, which has a place for every environment.
        settings = {name: value for name, value in os.environ.items() if not name.startswith("GAMEKEEPER_")}
        settings["GAMEKEEPER_MAX_SELF_PLAYS"] = "4096"
        settings["GAMEKEEPER_SERVE_EXAMPLES"] = "true"
        self._process = subprocess.Popen(
            ["sh", "-c", _GUARD, "gamekeeper", *command],
            env=settings,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._owner = os.getpid()
        atexit.register(self.close)
        assert self._process.stderr is not None
        self._lines: deque[str] = deque(maxlen=50)
        for line in self._process.stderr:
            self._lines.append(line)
            if found := _LISTENS.match(line):
                self.address = found[1]
                break
        else:
            self.close()
            raise RuntimeError(f"{command[0]} did not start:\n{''.join(self._lines)}")
        threading.Thread(target=self._lines.extend, args=(self._process.stderr,), daemon=True).start()

    def close(self) -> None:
        """Stops the server. Its games are gone. A forked process leaves the server to the one that started it."""
        if os.getpid() != self._owner:
            return
        atexit.unregister(self.close)
        # The line is for the case that a forked process holds the pipe open.
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError), self._process.stdin as guard:
            guard.write("\n")
        self._process.wait()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


def find(binary: str | None = None) -> str:
    """The path of `gamekeeperd`.

    Raises `FileNotFoundError` when there is none.
    """
    name = binary or os.environ.get("GAMEKEEPERD") or "gamekeeperd"
    path = shutil.which(name)
    if path is None:
        raise FileNotFoundError(
            f"cannot find {name}; put gamekeeperd on the PATH, name it in GAMEKEEPERD, or give the address of a server"
        )
    return path


@cache
def shared() -> Server:
    """The server of this process: started by the first caller, used by all others."""
    return Server()
