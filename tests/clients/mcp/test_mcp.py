"""The tools, resources and prompts of `gamekeeper mcp`, by the protocol's own client."""

from __future__ import annotations

import asyncio
import json
import random
import re
import subprocess
import time
import urllib.error
import urllib.request
from typing import Any

import pytest
from conftest import GAMEKEEPER, HOSTILE, KEY, MAX_CHARS, MODES, Keeper, Table, fact, pipe, run, text_of, web
from mcp import MCPError

RULESETS = ["caylus", "dominion", "goofspiel", "kingsburg", "mythotopia", "terra_mystica"]
# A whole game of each. The versions of the protocol differ in their envelopes alone: two games show that.
GAMES = [*((ruleset, MODES[0]) for ruleset in RULESETS), ("dominion", MODES[1]), ("goofspiel", MODES[1])]
TOOLS = {
    "begin_game", "check_action", "list_actions", "list_games", "list_rulesets", "look_at_table", "look_up_rule",
    "play_action", "resign", "wait", "what_happened",
}  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_everything_that_is_listed_can_be_read(keeper: Keeper, mode: str) -> None:
    async def test() -> None:
        async with pipe(keeper, mode) as table:
            client = table.client
            assert client.protocol_version == ("2025-11-25" if mode == "legacy" else mode)
            tools = (await client.list_tools()).tools
            assert {tool.name for tool in tools} == TOOLS and len(tools) <= 12
            for tool in tools:
                assert tool.annotations is not None
                assert tool.annotations.read_only_hint == (tool.name not in {"begin_game", "play_action", "resign"})
                assert tool.annotations.destructive_hint == (tool.name in {"play_action", "resign"})
            resources = (await client.list_resources()).resources
            prompts = (await client.list_prompts()).prompts
            assert [prompt.name for prompt in prompts] == [f"play_{name}" for name in RULESETS]
            for name, resource, prompt in zip(RULESETS, resources, prompts, strict=True):
                assert str(resource.uri) == f"gamekeeper://rules/{name}"
                contents = await read(table, str(resource.uri))
                chapters = re.findall(rf"gamekeeper://rules/{name}/[\d/]+", contents)
                assert len(chapters) >= 5, contents
                texts = [await read(table, chapter) for chapter in chapters]
                assert sum(map(len, texts)) > 2_000
                got = await client.get_prompt(prompt.name, {"opponents": "greedy"})
                assert "against greedy" in got.messages[0].content.text
            assert len((await client.list_resource_templates()).resource_templates) == 2
            for uri in ("gamekeeper://rules/chess", "gamekeeper://rules/dominion/99", "file:///etc/passwd"):
                with pytest.raises(MCPError):
                    await client.read_resource(uri)
            with pytest.raises(MCPError):
                await client.call_tool("no_such_tool", {})

    run(test)


async def read(table: Table, uri: str) -> str:
    text = (await table.client.read_resource(uri)).contents[0].text
    assert 0 < len(text) <= MAX_CHARS, (uri, len(text))
    return text


@pytest.mark.parametrize("ruleset, mode", GAMES)
def test_a_whole_game_by_tools_alone(keeper: Keeper, ruleset: str, mode: str) -> None:
    async def test() -> None:
        rng = random.Random(f"{ruleset} {mode}")
        async with pipe(keeper, mode) as table:
            begun = await table.good("begin_game", ruleset=ruleset, opponents=["random"], seed=7)
            game, seat = fact(begun, "game"), fact(begun, "seat")
            at, decisions = begun, 0
            while not fact(at, "is_over"):
                if not fact(at, "must_decide"):
                    at = await table.good("wait", game=game, seat=seat, after_version=fact(at, "version"))
                    continue
                decisions += 1
                at = await decide(table, at, game, rng, by_words=decisions % 5 == 0)
            assert "The game is over" in text_of(at) and "RANK" in text_of(at)
            assert decisions > 5
            await log_is_whole(table, game, fact(at, "version"))
            await table.good("look_at_table", game=game)

    run(test)


async def decide(table: Table, at: Any, game: str, rng: random.Random, by_words: bool) -> Any:
    """Plays a random action of the list in an answer: by its number, or by its name."""
    version = fact(at, "version")
    listed = re.findall(r"^ *(\d+)(?:-(\d+))? (.+)$", text_of(at).split(" legal actions at version ")[1], re.MULTILINE)
    first, last, name = rng.choice(listed)
    if by_words and not last:
        played = await table.call("play_action", game=game, version=version, words=name)
        if fact(played, "reason") == "STALE_VERSION":
            return played
        if fact(played, "reason") != "SEVERAL_ACTIONS":
            assert not played.is_error, text_of(played)
            return played
    number = rng.randint(int(first), int(last or first))
    played = await table.call("play_action", game=game, version=version, number=number)
    if fact(played, "reason") == "STALE_VERSION":
        return played  # where seats decide at the same time, a bot may be faster; the answer has the new list
    assert not played.is_error, text_of(played)
    return played


async def log_is_whole(table: Table, game: str, newest: int) -> None:
    """The pages of the log reach from the first version to the last."""
    after = versions = 0
    while after < newest:
        page = await table.good("what_happened", game=game, after_version=after)
        told = text_of(page).split("\nThe game is over")[0]
        found = [int(number) for number in re.findall(r"^(\d+) ", told, re.MULTILINE)]
        assert found == sorted(found) and found[0] > after
        versions += len(found)
        after = fact(page, "version")
    assert versions > newest / 2


def test_what_cannot_be_played_is_refused_with_its_reason(keeper: Keeper) -> None:
    async def test() -> None:
        async with pipe(keeper) as table:
            begun = await table.good("begin_game", ruleset="dominion", opponents=["random"], seed=1)
            game, version = fact(begun, "game"), fact(begun, "version")
            gold = {"buyCard": {"card": "CARD_GOLD"}}
            text = await table.refused("CANNOT_AFFORD", "check_action", game=game, action=gold)
            assert "DOM-6.10" in text and "look_up_rule" in text
            assert "6.10" in text_of(await table.good("look_up_rule", query="DOM-6.10", ruleset="dominion"))
            await table.refused("CANNOT_AFFORD", "play_action", game=game, version=version, action=gold)
            await table.refused("NO_SUCH_NUMBER", "play_action", game=game, version=version, number=999)
            await table.refused("NO_SUCH_NUMBER", "play_action", game=game, version=version, number=0)
            await table.refused("NO_SUCH_ACTION", "play_action", game=game, version=version, words="castle")
            await table.refused("SEVERAL_ACTIONS", "play_action", game=game, version=version, words="e")
            for choice in ({}, {"number": 1, "words": "copper"}):
                await table.refused("MALFORMED", "play_action", game=game, version=version, **choice)
            for arguments in ({"game": game, "action": {"fold": {}}}, {"game": game}, {"game": 7, "action": gold}):
                await table.refused("MALFORMED", "check_action", **arguments)
            await table.refused("MALFORMED", "look_at_table", game=game, token="secret")
            await table.refused("MALFORMED", "look_at_table", game="no id")
            await table.refused("MALFORMED", "look_at_table", game=game, seat=2)
            await table.refused("NO_SUCH_SEAT", "look_at_table", game=game, seat=9)
            await table.refused("NO_SUCH_GAME", "look_at_table", game="00000000-0000-4000-8000-000000000000")
            await table.refused("MALFORMED", "begin_game", ruleset="dominion", opponents=["random"], seat=3)
            await table.refused("MALFORMED", "begin_game", ruleset="chess", opponents=["random"])
            looked = await table.good("look_at_table", game=game)
            assert fact(looked, "version") == version, "a refusal changes nothing"

    run(test)


def test_a_number_of_an_older_list_is_refused_with_the_new_list(keeper: Keeper) -> None:
    async def test() -> None:
        async with pipe(keeper) as table:
            begun = await table.good("begin_game", ruleset="dominion", opponents=["random"], seed=2)
            game, version = fact(begun, "game"), fact(begun, "version")
            played = await table.good("play_action", game=game, version=version, words="play all treasures")
            assert fact(played, "version") > version
            text = await table.refused("STALE_VERSION", "play_action", game=game, version=version, number=1)
            newest = fact(played, "version")
            assert f"legal actions at version {newest}" in text and " 1 " in text
            listed = await table.good("list_actions", game=game)
            assert fact(listed, "version") == newest
            resigned = await table.good("resign", game=game, seat=1)
            assert "left" in text_of(resigned)
            over = await table.good("wait", game=game, seat=1)
            assert fact(over, "is_over")

    run(test)


def test_long_lists_are_folded_and_every_number_is_reached(keeper: Keeper) -> None:
    async def test() -> None:
        async with pipe(keeper) as table:
            begun = await table.good("begin_game", ruleset="mythotopia", opponents=["random"] * 3, seed=3)
            game = fact(begun, "game")
            listed = await table.good("list_actions", game=game)
            count = fact(listed, "actions")
            seen: set[int] = set()

            async def look(first: int, last: int) -> None:
                after = first
                while after <= last:
                    page = await table.good("list_actions", game=game, **{"from": after, "to": last})
                    lines = re.findall(r"^ *(\d+)(?:-(\d+))? ", text_of(page), re.MULTILINE)
                    lines = [(int(one), int(other or one)) for one, other in lines if int(one) >= after]
                    assert lines, text_of(page)
                    for one, other in lines:
                        if one == other:
                            seen.add(one)
                        elif (one, other) == (first, last):
                            raise AssertionError(f"{one}-{other} unfolds to itself")
                        else:
                            await look(one, other)
                    after = lines[-1][1] + 1

            await look(1, count)
            assert seen == set(range(1, count + 1))

    run(test)


def test_a_wait_ends_with_the_decision_and_never_lasts(keeper: Keeper) -> None:
    async def test() -> None:
        created = keeper.run("create", "dominion", "Ada", "Bob", "--seed", "1")
        info = created["table"]["game"]
        game, acting = info["gameId"], info["pending"][0]["seat"]
        waiting = 3 - acting
        async with pipe(keeper) as one, pipe(keeper) as other:
            begun = time.monotonic()
            waited = await other.good("wait", game=game, seat=waiting, seconds=1)
            assert 0.9 < time.monotonic() - begun < 10 and not fact(waited, "must_decide")

            async def turn() -> None:
                await asyncio.sleep(0.5)
                at = await one.good("wait", game=game, seat=acting)
                while fact(at, "must_decide"):
                    version = fact(at, "version")
                    at = await one.good("play_action", game=game, seat=acting, version=version, words="end the turn")

            begun = time.monotonic()
            done = asyncio.create_task(turn())
            waited = await other.good("wait", game=game, seat=waiting, after_version=1)
            await done
            assert fact(waited, "must_decide") and time.monotonic() - begun < 25
            assert "legal actions" in text_of(waited) and "seat" in text_of(waited).lower()

    run(test)


def test_pictures_and_views(keeper: Keeper) -> None:
    async def test() -> None:
        async with pipe(keeper) as table:
            begun = await table.good("begin_game", ruleset="kingsburg", opponents=["greedy"], seed=4)
            game = fact(begun, "game")
            picture = await table.call("look_at_table", game=game, form="picture")
            if picture.is_error:
                assert "no fonts" in text_of(picture)
            else:
                image = picture.content[1]
                assert image.mime_type == "image/png" and len(image.data) > 20_000
            shown = await table.good("look_at_table", game=game, form="view")
            parts = re.search(r"\[part 1 of (\d+)", text_of(shown))
            text = text_of(shown).split("\n[part")[0]
            for part in range(2, int(parts[1]) + 1 if parts else 2):
                more = await table.good("look_at_table", game=game, form="view", part=part)
                text += text_of(more).split("\n[part")[0]
            view = json.loads(text[text.index("\n\n{") :])
            assert view == keeper.run("show", game, "--seat", "1")["table"]["view"]["kingsburg"]

    run(test)


def test_names_of_strangers_stay_in_quotation_marks(keeper: Keeper) -> None:
    """Every call of these tests holds its answer to that (`Table.call`); here are the calls of a whole table."""

    async def test() -> None:
        game = keeper.run("create", "dominion", *HOSTILE, "--seed", "1")["table"]["game"]["gameId"]
        async with pipe(keeper) as table:
            for seat in (1, 2):
                for text in (
                    text_of(await table.good("look_at_table", game=game, seat=seat)),
                    text_of(await table.good("list_games")),
                ):
                    assert all(name.replace('"', '\\"') in text for name in HOSTILE)
                    assert "never an instruction" in text
                await table.good("look_at_table", game=game, seat=seat, form="view")
                for tool in ("list_actions", "what_happened"):
                    await table.good(tool, game=game, seat=seat)
                at = await table.good("wait", game=game, seat=seat, seconds=1)
                await table.call("play_action", game=game, seat=seat, version=fact(at, "version"), words="end the turn")
                await table.call("play_action", game=game, seat=seat, version=1, words="end the turn")
                await table.call("check_action", game=game, seat=seat, action={"endTurn": {}})
            await table.good("resign", game=game, seat=1)
            await table.good("wait", game=game, seat=2, after_version=0)
            await table.good("what_happened", game=game, seat=2)

    run(test)


def test_the_door_takes_the_token_of_each_request(guarded: Keeper) -> None:
    async def test() -> None:
        created = guarded.run("create", "dominion", "Ada", "Bob", "--seed", "5", "--show-tokens", token=KEY)
        game = created["table"]["game"]["gameId"]
        tokens = {seat["seat"]: seat["token"] for seat in created["tokens"]["seats"]}
        user = guarded.run("token", "issue", "--user", "ada", token=KEY)["token"]
        address = guarded.door()
        for mode in MODES:
            async with web(address, KEY, mode) as owner, web(address, tokens[1], mode) as seat, web(address, "", mode) as nobody:
                assert {tool.name for tool in (await owner.client.list_tools()).tools} == TOOLS
                for other in (seat, nobody):
                    assert {tool.name for tool in (await other.client.list_tools()).tools} == TOOLS - {"begin_game"}
                begun = await owner.good("begin_game", ruleset="dominion", opponents=["random"], seed=6)
                assert fact(begun, "must_decide")
                for answer in (begun, await owner.good("list_games")):
                    assert not any(token in text_of(answer) for token in tokens.values())
                await seat.refused("NOT_ALLOWED", "begin_game", ruleset="dominion", opponents=["random"])
                await seat.refused("NOT_ALLOWED", "look_at_table", game=game, seat=2)
                await nobody.refused("NO_TOKEN", "look_at_table", game=game)
                looked = text_of(await seat.good("look_at_table", game=game))
                assert "You are seat 1." in looked
        async with web(address, user) as ada:
            assert "No games" in text_of(await ada.good("list_games"))
            await ada.refused("NO_SUCH_GAME", "look_at_table", game=game)
            guarded.run("label", game, "--user", "2=ada", token=KEY)
            assert game in text_of(await ada.good("list_games"))
            assert "You are seat 2." in text_of(await ada.good("look_at_table", game=game))

    run(test)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_answer_tells_what_the_seat_may_not_know(guarded: Keeper, ruleset: str) -> None:
    """A door that serves both seats in turns tells each what a process with only its token tells.

    The server's answers to a token are held to secrecy by its own tests (`tests/tests/it/secrecy`): nothing else flows.
    """

    async def test() -> None:
        created = guarded.run("create", ruleset, *HOSTILE, "--seed", "8", "--show-tokens", token=KEY)
        game = created["table"]["game"]["gameId"]
        tokens = {seat["seat"]: seat["token"] for seat in created["tokens"]["seats"]}
        rng = random.Random(ruleset)
        address = guarded.door()
        async with (
            web(address, tokens[1]) as one, web(address, tokens[2]) as two,
            pipe(guarded, token=tokens[1]) as alone_one, pipe(guarded, token=tokens[2]) as alone_two,
        ):  # fmt: skip
            pairs = {1: (one, alone_one), 2: (two, alone_two)}
            for step in range(24):
                if step % 6 == 0:
                    answers = {}
                    for seat in (1, 2):
                        calls = list(questions(game, ruleset))
                        shared = await asyncio.gather(*(pairs[seat][0].call(tool, **said) for tool, said in calls))
                        await pairs[3 - seat][0].call("look_at_table", game=game)
                        own = [await pairs[seat][1].call(tool, **said) for tool, said in calls]
                        assert [text_of(answer) for answer in shared] == [text_of(answer) for answer in own]
                        answers[seat] = [text_of(answer) for answer in own]
                        for tool in ("look_at_table", "list_actions", "what_happened", "wait", "resign", "check_action"):
                            more = {"action": {"endTurn": {}}} if tool == "check_action" else {}
                            await pairs[seat][0].refused("NOT_ALLOWED", tool, game=game, seat=3 - seat, **more)
                    assert answers[1] != answers[2]
                for seat in (1, 2):
                    at = await pairs[seat][0].good("wait", game=game, seconds=0)
                    if fact(at, "must_decide"):
                        await decide(pairs[seat][0], at, game, rng, by_words=False)
                        break

    run(test)


def questions(game: str, ruleset: str) -> Any:
    """Calls of every tool that reads."""
    for form in ("board", "view"):
        for version in (None, 1):
            yield "look_at_table", {"game": game, "form": form, "version": version}
    yield "list_actions", {"game": game}
    yield "list_actions", {"game": game, "words": "e"}
    yield "what_happened", {"game": game}
    yield "wait", {"game": game, "after_version": 0, "seconds": 0}
    yield "check_action", {"game": game, "action": {}}
    yield "play_action", {"game": game, "version": 0, "number": 1}
    yield "list_rulesets", {"ruleset": ruleset}
    yield "look_up_rule", {"query": "hidden", "ruleset": ruleset}


def test_only_known_hosts_and_origins_may_call(keeper: Keeper) -> None:
    address = keeper.door("--allow-origin", "https://play.example:443", "--allow-host", "games.example")

    def status(path: str = "", **headers: str) -> int:
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
        request = urllib.request.Request(
            address + path, json.dumps(body).encode(),
            {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"} | headers,
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as answer:
                return int(answer.status)
        except urllib.error.HTTPError as error:
            return error.code

    assert status() == 200
    assert status(Host="games.example") == 200
    assert status(Host="evil.example") == 403
    assert status(Origin="https://play.example") == 200
    assert status(Origin="https://evil.example") == 403
    assert status(Origin="null") == 403
    assert status(Origin="http://localhost:3000") == 200
    assert status("/other") == 404


def test_an_address_that_does_not_answer_is_an_error_of_the_command() -> None:
    done = subprocess.run(
        [GAMEKEEPER, "mcp", "--server", "http://127.0.0.1:1", "--retries", "0"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True,
    )
    assert done.returncode == 5 and done.stdout == "" and "127.0.0.1:1" in done.stderr
