"""Observations have a structure, and maps borders."""

from __future__ import annotations

import numpy as np
import pytest

from gamekeeper import Client
from gamekeeper.cells import adjacency, groups, numbers, path, rows
from gamekeeper.contract import ruleset
from gamekeeper.door import door


def test_names_are_paths() -> None:
    assert path("spaces[B6].terrain=TERRAIN_SWAMP") == ("spaces", "B6", "terrain", "TERRAIN_SWAMP")
    assert path("turn (small)") == ("turn", "small")
    assert path("players[left 1].hand.cards[CARD_GOLD] count") == ("players", "left 1", "hand", "cards", "CARD_GOLD", "count")
    assert path("counted[own][top 1 silver] (large)") == ("counted", "own", "top 1 silver", "large")
    assert path("counted[own][hand prov:mome] (small)") == ("counted", "own", "hand prov:mome", "small")
    assert path("happened[card_bought][left 1]") == ("happened", "card_bought", "left 1")
    assert path("said BuyCard.card=CARD_GOLD") == ("said", "BuyCard", "card", "CARD_GOLD")
    assert path("options is set") == ("options", "is set")
    assert path("own seat=1") == ("own seat", "1")
    assert path("rules.free_sacrifice") == ("rules", "free_sacrifice")


def test_every_cell_is_in_one_group_and_has_a_path_of_its_own(table: tuple[str, int]) -> None:
    name, players = table
    found = door(name, players)
    assert len({path(cell) for cell in found.cells}) == len(found.cells)
    by_name = groups(found.cells)
    places = np.concatenate(list(by_name.values()))
    assert sorted(places) == list(range(len(found.cells)))
    assert len(by_name["own seat"]) == players and len(by_name["said"]) == len(found.words)
    fields = {field.name for field in ruleset(name).view.fields}
    assert set(by_name) - fields == {"own seat", "pending", "happened", "said"} | ({"counted"} & set(by_name))


def test_a_list_is_a_table_with_a_row_for_each_component() -> None:
    cells = door("terra_mystica", 3).cells
    hexes = rows(cells, "spaces")
    assert len(hexes.keys) == 113 and hexes.cells.shape == (113, len(hexes.columns))
    for key, row in zip(hexes.keys, hexes.cells):
        for column, place in zip(hexes.columns, row):
            assert path(cells[place]) == ("spaces", key, *column)
    assert rows(cells, "players").keys == ("own", "left 1", "left 2")
    for under in ("nothing",), ("said",), ("turn",):
        with pytest.raises(ValueError, match="no rows with the same columns"):
            rows(cells, *under)


def test_numbers_come_back() -> None:
    whole = np.arange(-500, 2_000)
    assert np.array_equal(numbers((whole / (np.abs(whole) + 3)).astype(np.float32)), whole)


@pytest.mark.parametrize("name, lists", [("caylus", ()), ("mythotopia", ("provinces", "seas")), ("terra_mystica", ("spaces",))])
def test_maps_have_borders_on_both_sides(client: Client, name: str, lists: tuple[str, ...]) -> None:
    catalogue = client.catalogue(name)
    keys = [key for one in lists for key in rows(door(name, 2).cells, one).keys]
    # The spaces of the road are numbered from 1, and rows of a list without keys from 0.
    found = adjacency(catalogue, keys or [f"space:{number}" for number in range(1, 29)])
    assert np.array_equal(found, found.T) and not found.diagonal().any()
    assert found.sum() == sum(len(component.neighbors) for component in catalogue.components) > 0


def test_keys_name_one_component(client: Client) -> None:
    catalogue = client.catalogue("mythotopia")
    assert adjacency(catalogue, ["PROVINCE_AMBSACE", "province:custus", "sea:serpent_sea"]).tolist() == [
        [False, True, False],
        [True, False, False],
        [False, False, False],
    ]
    assert adjacency(catalogue, []).shape == (0, 0)
    with pytest.raises(ValueError, match="'PROVINCE_ATLANTIS' names no component"):
        adjacency(catalogue, ["PROVINCE_ATLANTIS"])
