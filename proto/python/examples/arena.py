"""An arena: a language model, or any agent, plays board games against bots; results, refused tries, tokens and time.

    python arena.py dominion --model first --stand-in                       # a stand-in model, without a network
    python arena.py dominion --model NAME --url http://127.0.0.1:8000/v1    # an endpoint for chat completions
    python arena.py dominion --host 'my-agent --mcp {config}'               # a host of the Model Context Protocol

The agent sees what its seat may know, through the tools of `gamekeeper mcp`, and nothing else. Each game has a seed; the
agent takes every seat in turn. `--keep FOLDER` keeps every prompt and every answer, a line of JSON each. The variable
ARENA_KEY has the key of the endpoint, if it needs one. The page docs/arena.md has the protocol. Needs `gamekeeperd` and
`gamekeeper` on the PATH, or named by GAMEKEEPERD and GAMEKEEPER.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import stand_ins

# The stateless version of the protocol: each request says what its sender speaks.
PROTOCOL = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOL,
    "io.modelcontextprotocol/clientInfo": {"name": "arena", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}

# The tools that the model has. The arena itself begins games and waits.
TOOLS = ("play_action", "list_actions", "look_at_table", "check_action", "what_happened", "look_up_rule")

Message = dict[str, Any]


class Tools:
    """The tools of `gamekeeper mcp`, over its standard input and output."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._ids = itertools.count(1)

    def __enter__(self) -> Tools:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def request(self, method: str, **params: Any) -> Any:
        assert self._process.stdin is not None and self._process.stdout is not None
        said = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": {**params, "_meta": META}}
        self._process.stdin.write(json.dumps(said) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def call(self, tool: str, arguments: dict[str, Any]) -> Answer:
        result = self.request("tools/call", name=tool, arguments=arguments)
        text = "\n".join(part["text"] for part in result["content"] if part["type"] == "text")
        facts = {name.removeprefix("gamekeeper/"): fact for name, fact in result.get("_meta", {}).items()}
        return Answer(text, bool(result.get("isError")), facts)


@dataclass
class Answer:
    """The answer of a tool: text for the model, facts for the arena."""

    text: str
    is_refused: bool
    facts: dict[str, Any]


@dataclass
class Result:
    """A game as the agent played it."""

    seed: int
    seat: int
    rank: int
    # The bots that ranked below, the same as, and above the agent.
    better: int
    equal: int
    worse: int
    decisions: int = 0
    # Decisions that the arena made, since the agent did not.
    forfeited: int = 0
    # Tries for a version that was gone, since a bot that decides at the same time was faster.
    overtaken: int = 0
    # Refused tries by their codes.
    refused: Counter[str] = field(default_factory=Counter)
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0


class Model:
    """An endpoint that speaks the common form of chat completions, with tools."""

    def __init__(self, url: str, name: str, key: str, temperature: float) -> None:
        self.url = url.rstrip("/") + "/chat/completions"
        self.name = name
        self.key = key
        self.temperature = temperature

    def answer(self, messages: list[Message], tools: list[Message]) -> tuple[Message, dict[str, int]]:
        """The model's next message, and what it counted."""
        body = {"model": self.name, "messages": messages, "tools": tools, "temperature": self.temperature}
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self.key}"} if self.key else {})
        request = urllib.request.Request(self.url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=600) as response:
            said = json.load(response)
        return said["choices"][0]["message"], said.get("usage", {})


@dataclass
class Player:
    """Plays with a model: one conversation for each decision, so that no prompt grows with the game."""

    model: Model
    tools: Tools
    # The most answers of the model for one decision.
    tries: int
    keep: Callable[[Message], None]
    rng: random.Random

    def decide(self, system: str, game: str, seat: int, at: Answer, result: Result) -> Answer:
        """One decision. Gives what the table says after it."""
        said: list[Message] = [{"role": "system", "content": system}, {"role": "user", "content": at.text}]
        functions, version = self.functions(), at.facts["version"]
        for _ in range(self.tries):
            begun = time.monotonic()
            message, usage = self.model.answer(said, functions)
            result.seconds += time.monotonic() - begun
            result.prompt_tokens += usage.get("prompt_tokens", 0)
            result.answer_tokens += usage.get("completion_tokens", 0)
            self.keep({"game": game, "messages": said, "answer": message, "usage": usage})
            said = [*said, message]
            calls = list(wanted(message, version))
            if not calls:
                result.refused["NO_CALL"] += 1
                said.append({"role": "user", "content": "Call play_action with the version and a number of the list."})
            for number, (call_id, tool, arguments) in enumerate(calls):
                if number > 0 and tool == "play_action":
                    answer = Answer("One action at a time: look at what happened first.", True, {"reason": "TWO_ACTIONS"})
                elif tool not in TOOLS:
                    answer = Answer(f"There is no tool {tool!r}.", True, {"reason": "NO_SUCH_TOOL"})
                else:
                    answer = self.tools.call(tool, {**arguments, "game": game, "seat": seat})
                said.append({"role": "tool", "tool_call_id": call_id, "content": answer.text})
                version = answer.facts.get("version", version)
                if answer.facts.get("reason") == "STALE_VERSION" and not answer.facts["must_decide"]:
                    return answer
                if answer.facts.get("reason") == "STALE_VERSION":
                    result.overtaken += 1
                elif answer.is_refused:
                    result.refused[answer.facts.get("reason") or "UNKNOWN"] += 1
                elif tool == "play_action":
                    return answer
        result.forfeited += 1
        return self.forfeit(game, seat)

    def forfeit(self, game: str, seat: int) -> Answer:
        """A random legal action, in place of the model."""
        while True:
            listed = self.tools.call("list_actions", {"game": game, "seat": seat})
            if "actions" not in listed.facts:
                return self.tools.call("wait", {"game": game, "seat": seat, "seconds": 0})
            chosen = {"version": listed.facts["version"], "number": self.rng.randint(1, listed.facts["actions"])}
            played = self.tools.call("play_action", {"game": game, "seat": seat, **chosen})
            if played.facts.get("reason") != "STALE_VERSION":
                return played

    def functions(self) -> list[Message]:
        """The tools in the form of chat completions. The arena fills in the game and the seat."""
        found = []
        for tool in self.tools.request("tools/list")["tools"]:
            if tool["name"] not in TOOLS:
                continue
            schema = {**tool["inputSchema"]}
            own = {"game", "seat"} if tool["name"] != "look_up_rule" else set()
            schema["properties"] = {name: value for name, value in schema["properties"].items() if name not in own}
            schema["required"] = [name for name in schema.get("required", []) if name not in own]
            function = {"name": tool["name"], "description": tool["description"], "parameters": schema}
            found.append({"type": "function", "function": function})
        return found


def wanted(message: Message, version: int) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """The calls of a message. A message without calls that is a number, or ends with one, plays that number."""
    calls = message.get("tool_calls") or []
    for call in calls:
        function = call["function"]
        try:
            arguments = json.loads(function.get("arguments") or "{}")
        except json.JSONDecodeError:
            arguments = {"arguments": "no JSON"}
        yield call.get("id", ""), function["name"], arguments if isinstance(arguments, dict) else {}
    number = re.search(r"(\d+)\W*$", message.get("content") or "")
    if not calls and number:
        yield "", "play_action", {"version": version, "number": int(number[1])}


@dataclass
class Arena:
    """One ruleset and its bots."""

    ruleset: str
    opponents: list[str]
    tools: Tools
    # The longest game, in seconds.
    limit: float

    def begin(self, seed: int, seat: int) -> Answer:
        begun = self.tools.call(
            "begin_game", {"ruleset": self.ruleset, "opponents": self.opponents, "seat": seat, "seed": seed, "name": "Agent"}
        )
        if begun.is_refused:
            raise SystemExit(begun.text)
        return begun

    def system(self, game: str) -> str:
        prompt = self.tools.request("prompts/get", name=f"play_{self.ruleset}", arguments={"game": game})
        return str(prompt["messages"][0]["content"]["text"])

    def result(self, game: str, seed: int, seat: int) -> Result:
        """The ranks at the end, from the table."""
        looked = self.tools.call("look_at_table", {"game": game, "seat": seat})
        ranks = {int(found[2]): int(found[1]) for found in re.finditer(r"^(\d+) +seat (\d+) ", looked.text, re.MULTILINE)}
        own = ranks.pop(seat)
        others = list(ranks.values())
        return Result(
            seed, seat, own, sum(rank > own for rank in others), others.count(own), sum(rank < own for rank in others)
        )

    def by_model(self, player: Player, seed: int, seat: int) -> Result:
        at = self.begin(seed, seat)
        game = at.facts["game"]
        system, counts, ends = self.system(game), Result(seed, seat, 0, 0, 0, 0), time.monotonic() + self.limit
        while not at.facts["is_over"]:
            if time.monotonic() > ends:
                self.tools.call("resign", {"game": game, "seat": seat})
                counts.refused["TOO_SLOW"] += 1
                break
            if at.facts["must_decide"]:
                counts.decisions += 1
                at = player.decide(system, game, seat, at, counts)
            else:
                at = self.tools.call("wait", {"game": game, "seat": seat, "after_version": at.facts["version"]})
        return merged(counts, self.result(game, seed, seat))

    def by_host(self, command: str, config: dict[str, Any], seed: int, seat: int) -> Result:
        """A host plays on its own: it gets the prompt on its standard input, and a file that says how to reach the tools."""
        begun = self.begin(seed, seat)
        game = begun.facts["game"]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(config, file)
            file.flush()
            started = time.monotonic()
            words = [word.replace("{config}", file.name) for word in shlex.split(command)]
            try:
                subprocess.run(words, input=self.system(game), text=True, timeout=self.limit, check=False)
            except subprocess.TimeoutExpired:
                pass
            seconds = time.monotonic() - started
        counts = Result(seed, seat, 0, 0, 0, 0, seconds=seconds)
        if not self.tools.call("wait", {"game": game, "seat": seat, "seconds": 0}).facts["is_over"]:
            self.tools.call("resign", {"game": game, "seat": seat})
            counts.refused["TOO_SLOW"] += 1
        return merged(counts, self.result(game, seed, seat))


def merged(counts: Result, ranks: Result) -> Result:
    counts.rank, counts.better, counts.equal, counts.worse = ranks.rank, ranks.better, ranks.equal, ranks.worse
    return counts


def wilson(points: float, games: int) -> tuple[float, float]:
    """The interval of a share in which it lies with 95 %."""
    if games == 0:
        return 0.0, 1.0
    z, share = 1.96, points / games
    middle = share + z * z / (2 * games)
    half = z * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)


def rating(share: float) -> int | None:
    """The difference of ratings (Elo) that makes this share likely. None makes a share of all or nothing likely."""
    return round(400 * math.log10(share / (1 - share))) if 1e-9 < share < 1 - 1e-9 else None


def report(results: list[Result]) -> dict[str, Any]:
    """The sums of all games: each bot that the agent met is a meeting."""
    meetings = sum(result.better + result.equal + result.worse for result in results)
    points = sum(result.better + result.equal / 2 for result in results)
    low, high = wilson(points, meetings)
    share = points / meetings if meetings else 0.0
    refused: Counter[str] = sum((result.refused for result in results), Counter())
    decisions = sum(result.decisions for result in results)
    return {
        "games": len(results),
        "share": round(share, 3),
        "share_interval": [round(low, 3), round(high, 3)],
        "rating": rating(share),
        "rating_interval": [rating(low), rating(high)],
        "decisions": decisions,
        "forfeited": sum(result.forfeited for result in results),
        "overtaken": sum(result.overtaken for result in results),
        "refused": dict(refused.most_common()),
        "refused_per_decision": round(refused.total() / decisions, 3) if decisions else None,
        "prompt_tokens": sum(result.prompt_tokens for result in results),
        "answer_tokens": sum(result.answer_tokens for result in results),
        "seconds": round(sum(result.seconds for result in results), 1),
    }


def arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Let an agent play against bots.")
    parser.add_argument("ruleset")
    bots = "the bots, with commas: one for each other seat; a level, easy, medium or strong, or another policy [default: medium]"
    parser.add_argument("--against", default="medium", help=bots)
    parser.add_argument("--games", type=int, default=4, help="the number of games [default: 4]")
    parser.add_argument("--seed", type=int, default=1, help="the seed of the first game [default: 1]")
    parser.add_argument("--model", default="first", help="the name of the model [default: first]")
    parser.add_argument("--url", help="the endpoint, up to /v1")
    parser.add_argument("--stand-in", action="store_true", help="serve the model here: first, words or greedy")
    parser.add_argument("--host", help="a command that plays through MCP; {config} is the file of its servers")
    parser.add_argument("--temperature", type=float, default=0.0)
    parser.add_argument("--tries", type=int, default=6, help="the most answers for a decision [default: 6]")
    parser.add_argument("--limit", type=float, default=3600.0, help="the longest game, in seconds [default: 3600]")
    parser.add_argument("--keep", type=Path, help="a folder for prompts, answers and results")
    parser.add_argument("--server", help="the address of a server [default: one of its own]")
    return parser.parse_args(words)


def play(options: argparse.Namespace, address: str, url: str) -> list[Result]:
    """Plays all games; prints each result as a line of JSON."""
    opponents = options.against.split(",")
    command = [os.environ.get("GAMEKEEPER", "gamekeeper"), "mcp", "--server", address]
    folder: Path | None = options.keep
    if folder:
        folder.mkdir(parents=True, exist_ok=True)
    results = []
    with tempfile.TemporaryDirectory() as own, Tools([*command, "--tokens", f"{own}/tokens.json"]) as tools:
        arena = Arena(options.ruleset, opponents, tools, options.limit)
        config = {"mcpServers": {"gamekeeper": {"command": command[0], "args": [*command[1:], "--tokens", f"{own}/tokens.json"]}}}

        def keep(entry: Message) -> None:
            if folder:
                with (folder / "prompts.jsonl").open("a") as file:
                    file.write(json.dumps(entry) + "\n")

        for number in range(options.games):
            seed, seat = options.seed + number // (len(opponents) + 1), number % (len(opponents) + 1) + 1
            if options.host:
                result = arena.by_host(options.host, config, seed, seat)
            else:
                model = Model(url, options.model, os.environ.get("ARENA_KEY", ""), options.temperature)
                player = Player(model, tools, options.tries, keep, random.Random(f"{seed} {seat}"))
                result = arena.by_model(player, seed, seat)
            results.append(result)
            line = json.dumps({**vars(result), "refused": dict(result.refused)})
            print(line, flush=True)
            if folder:
                with (folder / "results.jsonl").open("a") as file:
                    file.write(line + "\n")
    return results


def main(words: list[str] | None = None) -> dict[str, Any]:
    options = arguments(words)
    if sum(map(bool, (options.url, options.stand_in, options.host))) != 1:
        sys.exit("name one of --url, --stand-in and --host")
    found: dict[str, Any] = {}
    with stand_ins.serve() as stand_in:
        url = options.url or stand_in
        if options.server:
            found = report(play(options, options.server, url))
        else:
            from gamekeeper import Server

            with Server() as server:
                found = report(play(options, f"http://{server.address}", url))
    print(json.dumps(found, indent=2))
    return found


if __name__ == "__main__":
    main()
