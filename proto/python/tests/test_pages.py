"""The pages say what is so."""

from __future__ import annotations

import contextlib
import io
import random
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gamekeeper import Client, Server, server
from gamekeeper.contract import rulesets
from gamekeeper.door import has_native
from gamekeeper.env import raw_env

PACKAGE = Path(__file__).parents[1]


def test_the_code_of_the_readme_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 9
    if not has_native():
        blocks = [block for block in blocks if "gamekeeper.gym" not in block and "gamekeeper_native" not in block]
    random.seed(1)
    np.random.seed(1)
    names: dict[str, object] = {}
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for block in blocks:
            exec(compile(block, "README.md", "exec"), names)
    # Events and the scores of a game, and results of others.
    assert re.search(r"^Ada .+\.$", printed.getvalue(), re.MULTILINE)
    assert re.search(r"^\[\(\d, -?\d+\), \(\d, -?\d+\)\]$", printed.getvalue(), re.MULTILINE)
    assert "30 cards of Gold, but CANNOT_AFFORD DOM-6.10" in printed.getvalue()
    assert names["state"].is_chance_node()  # type: ignore[attr-defined]


def test_the_code_of_the_modules_page_runs() -> None:
    pytest.importorskip("gamekeeper_native")
    found = re.search(r"^```python\n(.*?)^```$", (PACKAGE / "native" / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found[1], "README.md", "exec"), {})
    assert re.match(r"\[\(\d, -?\d+\), \(\d, -?\d+\)\]$", printed.getvalue())


def test_the_code_of_the_observations_page_runs() -> None:
    found = re.search(r"^```python\n(.*?)^```$", (PACKAGE / "docs" / "observations.md").read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(found[1], "observations.md", "exec"), {})
    assert printed.getvalue() == "(113, 17) (3, 134) (113, 113) 130\n"


def test_the_citation_is_of_this_version() -> None:
    named = re.search(r"^version: (.*)$", (PACKAGE.parents[1] / "CITATION.cff").read_text(), re.MULTILINE)
    version = re.search(r'^version = "(.*)"$', (PACKAGE / "pyproject.toml").read_text(), re.MULTILINE)
    assert named and version and named[1] == version[1]


def test_the_python_of_the_projects_readme_does_what_it_says() -> None:
    text = (PACKAGE.parents[1] / "README.md").read_text()
    found = re.search(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    code = found[1].replace("127.0.0.1:50051", server.shared().address)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert re.match(r"\['\w+ plays", printed.getvalue()), printed.getvalue()


def test_the_bot_of_the_readme_plays_a_game_to_its_end() -> None:
    text = (PACKAGE / "README.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {"random": random, "Client": Client}
    exec(compile(next(block for block in blocks if "def play_seat" in block), "README.md", "exec"), names)
    with Server() as server, Client(server.address) as client, ThreadPoolExecutor() as pool:
        game_id = client.create("dominion", ["Ada", "Bob"]).table.game.game_id
        bots = [pool.submit(names["play_seat"], client, game_id, seat) for seat in (1, 2)]
        for bot in bots:
            bot.result()
        assert client.get(game_id).table.game.standings


def test_the_sizes_on_the_page_are_those_of_the_spaces() -> None:
    page = (PACKAGE / "docs" / "observations.md").read_text()
    rows = {cells[1]: cells[2:4] for line in page.splitlines() if len(cells := [cell.strip() for cell in line.split("|")]) == 5}
    for name in rulesets():
        env = raw_env(name, 2, address=server.shared().address)
        assert rows[name.replace("_", " ").title()] == [f"{len(env.words):,}", f"{len(env.cells):,}"]


def test_the_sizes_of_the_games_are_those_of_the_spaces() -> None:
    page = (PACKAGE / "docs" / "research.md").read_text()
    rows = {cells[1]: cells[2:6] for line in page.splitlines() if len(cells := [cell.strip() for cell in line.split("|")]) == 11}
    for name in rulesets():
        players, *sizes = rows[name.replace("_", " ").title()]
        spaces = [raw_env(name, int(number), address=server.shared().address) for number in players.split(" to ")]
        assert sizes == [f"{len(cells):,}" for cells in (spaces[0].cells, spaces[1].cells, spaces[0].words)]
