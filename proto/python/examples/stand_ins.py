"""Stand-ins for language models: an endpoint for chat completions on this machine that answers by simple rules.

`first` plays the first action of the list. `words` says the words of a random one, and now and then of none, so that it is
refused. `greedy` reads the texts: it takes what brings or costs most. None of them knows any ruleset.
"""

from __future__ import annotations

import json
import random
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

# The line of an action in a list: its number, perhaps the last number of a folded line, and its text.
LINE = re.compile(r"^ *(\d+)(?:-(\d+))? (.+)$", re.MULTILINE)

# Words for victory points; a point counts more than anything that is paid.
POINTS = re.compile(r"(\d+) (?:VP|victory points?|points?|prestige)")
AMOUNTS = re.compile(r"(\d+)")


def listed(messages: list[dict[str, Any]]) -> tuple[int, list[tuple[int, str, bool]]]:
    """The version and the actions of the newest list: number, text, and whether the line is folded."""
    for message in reversed(messages):
        if found := re.search(r"legal actions at version (\d+)", message.get("content") or ""):
            text = message["content"][found.end() :]
            lines = [(int(number), words, bool(last)) for number, last, words in LINE.findall(text)]
            if lines:
                return int(found[1]), lines
    return 0, [(1, "", False)]


def worth(text: str) -> float:
    """The value that a text promises."""
    points = sum(int(number) for number in POINTS.findall(text))
    amounts = sum(int(number) for number in AMOUNTS.findall(text))
    leaves = any(word in text for word in ("pass", "end turn", "nothing"))
    return 10 * points + amounts - 5 * leaves


def choice(model: str, messages: list[dict[str, Any]], rng: random.Random) -> dict[str, Any]:
    """The arguments of `play_action` by the rule of a stand-in."""
    version, lines = listed(messages)
    match model:
        case "first":
            return {"version": version, "number": lines[0][0]}
        case "words":
            if rng.random() < 0.1:
                return {"version": version, "words": "win the game at once"}
            number, text, is_folded = rng.choice(lines)
            return {"version": version, "number": number} if is_folded else {"version": version, "words": text}
        case "greedy":
            best = max(worth(text) for _, text, _ in lines)
            number = rng.choice([number for number, text, _ in lines if worth(text) == best])
            return {"version": version, "number": number}
    raise ValueError(f"there is no stand-in {model!r}")


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions. The same messages get the same answer."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        asked = json.loads(body)
        arguments = json.dumps(choice(asked["model"], asked["messages"], random.Random(body)))
        function = {"name": "play_action", "arguments": arguments}
        call = {"id": "call", "type": "function", "function": function}
        # About four characters of English are a token.
        usage = {"prompt_tokens": len(body) // 4, "completion_tokens": len(arguments) // 4}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        answer = json.dumps({"choices": [{"index": 0, "message": message}], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def serve() -> Iterator[str]:
    """Serves the stand-ins on a free port; gives their address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
    finally:
        server.shutdown()
        server.server_close()
