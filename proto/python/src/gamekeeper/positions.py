"""Described tables on which games begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from google.protobuf import json_format
from google.protobuf.message import Message

from .contract import view_of
from .tables import Position, Start
from .v1.messages_pb2 import View


def described(name: str, start: Start) -> list[View]:
    """Returns the tables that a start describes, as the service takes them; none if it is a name.

    Raises `TypeError` when it is neither a name nor a table nor a list of tables, `ValueError` when the list is empty or a
    table is not one of the ruleset. What the rules refuse, the games say.
    """
    if isinstance(start, str):
        return []
    if isinstance(start, (Mapping, Message)):
        return [_view(name, "start", start)]
    # Callers without types pass anything.
    if not isinstance(start, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"start is a name, a described table or a list of tables, not {start!r}")
    if not start:
        raise ValueError("start is an empty list; games begin on at least one table")
    return [_view(name, f"start[{index}]", table) for index, table in enumerate(start)]


def _view(name: str, place: str, table: object) -> View:
    if not isinstance(table, (Mapping, Message)):
        raise TypeError(f"{place} is a described table, a message or a mapping, not {table!r}")
    try:
        view = view_of(name, cast("Position", table))
    except json_format.ParseError as error:
        raise ValueError(f"{place}: {error}") from None
    found = view.WhichOneof("ruleset")
    if found != name:
        raise ValueError(f"{place} is a table of {found or 'no ruleset'}, not of {name}")
    return view
