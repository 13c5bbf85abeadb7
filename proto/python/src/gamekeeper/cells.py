"""The structure of observations, from the names of their cells: groups, tables with a row for each component, maps.

    from gamekeeper.cells import adjacency, groups, rows

    hexes = rows(env.cells, "spaces")
    features = observation[hexes.cells]              # a row for each space of Terra Mystica
    borders = adjacency(client.catalogue("terra_mystica"), hexes.keys)

A name such as `spaces[B6].terrain=TERRAIN_SWAMP` is a path: `spaces`, `B6`, `terrain`, `TERRAIN_SWAMP`. What follows a blank is
its last part: `turn (small)` is `turn`, `small`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .v1.messages_pb2 import Catalogue

_SAID = "said "
_LAST = re.compile(r"(.*?)(?: (is set|count|places)| \((small|large)\)|=(.*))?")
_PART = re.compile(r"\[([^\]]*)\]|\.?([^.\[]+)")


@lru_cache(maxsize=1 << 17)
def path(cell: str) -> tuple[str, ...]:
    """Returns the parts of the name of a cell."""
    if cell.startswith(_SAID):
        return _SAID.strip(), *path(cell.removeprefix(_SAID))
    found = _LAST.fullmatch(cell)
    if found is None:
        return (cell,)
    name, *last = found.groups()
    return *(key or part for key, part in _PART.findall(name)), *(part for part in last if part)


def groups(cells: Sequence[str], *under: str) -> dict[str, NDArray[np.intp]]:
    """Returns the places of the cells whose path begins with `under`, by the next part of it, in their order. Cells that end
    there are not in any group.

    `groups(cells)` has the fields of the view and the other parts of an observation, `groups(cells, "players", "own")` the
    fields of the own player.
    """
    found: dict[str, list[int]] = {}
    for place, cell in enumerate(cells):
        parts = path(cell)
        if parts[: len(under)] == under and len(parts) > len(under):
            found.setdefault(parts[len(under)], []).append(place)
    return {part: np.array(places, np.intp) for part, places in found.items()}


@dataclass(frozen=True)
class Rows:
    """Cells as a table: a row for each key, with the same columns."""

    keys: tuple[str, ...]
    """The key of each row, such as `A1` or `PROVINCE_AMBSACE`; in lists without keys, its number."""
    columns: tuple[tuple[str, ...], ...]
    """The rest of the path of each column, such as `("terrain", "TERRAIN_SWAMP")`."""
    cells: NDArray[np.intp]
    """The place of each cell in the observation: `observation[rows.cells]` is a table of numbers, and
    `observations[:, rows.cells]` one for each observation of a batch."""


def rows(cells: Sequence[str], *under: str) -> Rows:
    """Returns the cells below a list as a table: `rows(cells, "spaces")`.

    Raises `ValueError` when there are none, or when their columns differ.
    """
    found = groups(cells, *under)
    rests = {key: tuple(path(cells[place])[len(under) + 1 :] for place in places) for key, places in found.items()}
    columns = next(iter(rests.values()), ())
    if not columns or any(rest != columns for rest in rests.values()):
        raise ValueError(f"{'.'.join(under)!r} has no rows with the same columns")
    return Rows(tuple(found), columns, np.array(list(found.values()), np.intp))


def numbers(small: NDArray[Any]) -> NDArray[np.int64]:
    """Returns the whole numbers whose cells `(small)` these are, up to some thousands: the cell of n is n / (|n| + 3)."""
    cells = np.asarray(small, np.float64)
    found: NDArray[np.int64] = np.rint(3 * cells / (1 - np.abs(cells))).astype(np.int64)
    return found


def adjacency(catalogue: Catalogue, keys: Iterable[str]) -> NDArray[np.bool_]:
    """Returns which components border on each other by the rules, as `Component.neighbors` lists them: a row and a column for
    each key.

    A key is that of a row, such as `A1` or `PROVINCE_AMBSACE`, or the id of a component, such as `space:1`. Neighbors without
    a key are left out. Raises `ValueError` when a key names no component, or several.
    """
    known: dict[str, list[str]] = {}
    for component in catalogue.components:
        kind, _, name = component.id.partition(":")
        for key in {component.id, name, f"{kind}_{name}".upper()}:
            known.setdefault(key, []).append(component.id)
    ids: list[str] = []
    for key in keys:
        named = known.get(key, [])
        if len(named) != 1:
            raise ValueError(f"{key!r} names {' and '.join(named) or 'no component'}")
        ids += named
    neighbors = {component.id: set(component.neighbors) for component in catalogue.components}
    return np.array([[other in neighbors[one] for other in ids] for one in ids], np.bool_).reshape(len(ids), len(ids))
