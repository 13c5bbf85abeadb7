"""Every cell of the notebook runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamekeeper.door import has_native

if not has_native():
    pytest.skip("the module for games in this process is not installed", allow_module_level=True)

import learn
import league

NOTEBOOK = Path(learn.__file__).with_name("learning.ipynb")


@pytest.mark.skipif(not league.GAMES.is_dir(), reason="the league games are in the repository, not in the package")
def test_every_cell_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(learn, "DECISIONS", 300)
    monkeypatch.setattr(learn, "GAMES", 8)
    monkeypatch.setattr(learn, "MINIBATCH", 64)
    whole = learn.measure
    monkeypatch.setattr(learn, "measure", lambda network, ruleset, players, games, seed: whole(network, ruleset, players, 4, seed))
    scope: dict[str, Any] = {"__name__": "notebook"}
    cells = [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        exec(compile("".join(cell["source"]), cell["id"], "exec"), scope)
        said = capsys.readouterr().out
        assert bool(said) == bool(cell["outputs"]), "what a reader sees is what the cell says"
    assert len(cells) > 5
