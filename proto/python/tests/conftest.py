"""Every test that names `table` runs for every ruleset and every number of players that the server has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gamekeeper import Client, server


@pytest.fixture(scope="session")
def client() -> Iterator[Client]:
    with Client(server.shared().address) as client:
        yield client


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "table" in metafunc.fixturenames:
        with Client(server.shared().address) as client:
            rulesets = client.rulesets()
        sizes = [(found.id, players) for found in rulesets for players in range(found.min_seats, found.max_seats + 1)]
        metafunc.parametrize("table", sizes, ids=[f"{name}-{players}" for name, players in sizes])
