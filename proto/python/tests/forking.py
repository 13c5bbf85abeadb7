"""Calls in a forked process, where games and connections of the first one cannot go on."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable

SERVED = 1
"""The call went on in the fork."""

REFUSED = 2
"""The call raised the `RuntimeError` about forks."""


def outcome_in_fork(call: Callable[[], object]) -> int:
    """Makes the call in a fork of this process. Returns `SERVED`, `REFUSED`, or 3 for another error.

    Raises `AssertionError` when the fork hangs for a minute.
    """
    child = os.fork()
    if child == 0:
        try:
            call()
            os._exit(SERVED)
        except RuntimeError as error:
            os._exit(REFUSED if "after the fork" in str(error) else 3)
    deadline = time.monotonic() + 60
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0 and time.monotonic() < deadline:
        time.sleep(0.01)
    if ended[0] == 0:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert ended[0] == child, "it waits for threads that are not there"
    return os.waitstatus_to_exitcode(ended[1])
