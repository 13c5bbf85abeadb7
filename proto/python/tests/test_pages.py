"""The pages say what is so."""

from __future__ import annotations

import contextlib
import io
import random
import re
from pathlib import Path

import numpy as np

from gamekeeper.contract import rulesets
from gamekeeper.env import raw_env

PACKAGE = Path(__file__).parents[1]


def test_the_code_of_the_readme_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```$", (PACKAGE / "README.md").read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) == 4
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
    assert names["state"].is_chance_node()  # type: ignore[attr-defined]


def test_the_sizes_on_the_page_are_those_of_the_spaces() -> None:
    page = (PACKAGE / "docs" / "observations.md").read_text()
    for name in rulesets():
        env = raw_env(name, 2)
        cells, words = len(env.cells), len(env.words)
        assert f"| {name.replace('_', ' ').title()} | {cells - words:,} | {words:,} | {cells:,} |" in page
