"""Views as vectors of a fixed size, by rules that follow from the contract alone.

`docs/observations.md` has the rules for readers; each is one function here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .words import is_optional

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FieldDescriptor

# The fields of the contract that name a seat, or list seats. Any other number stays a number.
SEATS = frozenset(
    """
    active_player builder controller declarer first_player gate holder immune inn_left inn_right joust_field
    merchants_guild next_first_player owner pass_order passed_order peeked_by pending_transform queue seat stables
    trading_post turn_order worker
    """.split()
)

# The fields that list one number for each seat, in seat order.
BY_SEAT = frozenset({"batches_this_turn", "parts", "ships"})

# A list of messages has at most this many cells, unless it has a row for each seat. Without a key it has at most this many rows,
# and fewer inside another list.
_CELLS = 4_096
_ROWS = 40
_ROWS_INSIDE = 6

# Lists of numbers have this many places.
_PLACES = 8


@dataclass(slots=True)
class _Page:
    """What is written: cells and what is added to them, for a seat that looks."""

    turn: Sequence[int]
    """By seat, from 0 (nobody): how many seats to the left of who looks; nobody: -1."""
    places: list[int] = field(default_factory=list[int])
    values: list[float] = field(default_factory=list[float])

    def add(self, at: int, value: float) -> None:
        self.places.append(at)
        self.values.append(value)


_Write = Callable[[Any, int, _Page], None]


@dataclass(frozen=True)
class _Part:
    """Some cells: their names, and what writes a value into them from some cell on."""

    cells: tuple[str, ...]
    write: _Write


@dataclass(frozen=True)
class _Inside:
    """What surrounds a message: the messages that contain it, and how many lists."""

    messages: tuple[str, ...] = ()
    lists: int = 0


class Layout:
    """How the views of one ruleset are written for a number of seats."""

    def __init__(self, view: Descriptor, seats: int, names: Sequence[str] = ()) -> None:
        """`names` are the components that the ruleset names by text (`contract.names`)."""
        self.seats = seats
        self._names = tuple(names)
        own = tuple(f"own seat={seat}" for seat in range(1, seats + 1))
        self._table = self._message(view, _Inside())
        self._first = len(own)
        self.cells: tuple[str, ...] = own + self._table.cells
        """What each cell stands for."""

    def __len__(self) -> int:
        return len(self.cells)

    def write(self, view: Any, seat: int, cells: NDArray[np.float32]) -> None:
        """Writes a view, as a seat sees it, over the first cells, which must be zero. Every cell is from -1 to 1."""
        turn = [-1, *((other - seat) % self.seats for other in range(1, self.seats + 1))]
        page = _Page(turn)
        page.add(seat - 1, 1.0)
        self._table.write(view, self._first, page)
        np.add.at(cells, np.array(page.places), np.array(page.values, np.float32))
        np.clip(cells, -1.0, 1.0, out=cells)

    def _message(self, descriptor: Descriptor, inside: _Inside, without: str = "") -> _Part:
        """A message: its fields, one after the other."""
        if descriptor.full_name in inside.messages:
            raise TypeError(f"{descriptor.full_name} contains itself: it has no fixed size")
        inside = _Inside((*inside.messages, descriptor.full_name), inside.lists)
        cells: list[str] = []
        fields: dict[int, tuple[int, _Write]] = {}
        for member in descriptor.fields:
            if member.name != without:
                part = self._field(member, inside)
                fields[member.number] = (len(cells), part.write)
                cells += (f"{member.name}{cell}" for cell in part.cells)

        def write(message: Any, at: int, page: _Page) -> None:
            for member, value in message.ListFields():
                place = fields.get(member.number)
                if place is not None:
                    place[1](value, at + place[0], page)

        return _Part(tuple(cells), write)

    def _field(self, field: FieldDescriptor, inside: _Inside) -> _Part:
        if field.is_repeated:
            return self._list(field, inside)
        part = self._value(field, inside)
        return _present(part) if field.message_type is not None or is_optional(field) else part

    def _value(self, field: FieldDescriptor, inside: _Inside) -> _Part:
        if field.message_type is not None:
            message = self._message(field.message_type, inside)
            return _Part(tuple(f".{cell}" for cell in message.cells), message.write)
        keys = self._keys(field)
        if keys is not None:
            return _choice(keys)
        if field.type == field.TYPE_BOOL:
            return _bit()
        if field.cpp_type in _NUMBERS:
            return _number()
        raise TypeError(f"{field.full_name}: views with values of this type have no cells")

    def _list(self, field: FieldDescriptor, inside: _Inside) -> _Part:
        if field.message_type is not None:
            return self._rows(field.message_type, inside)
        keys = self._keys(field)
        if keys is not None:
            return _group(keys)
        if field.cpp_type in _NUMBERS and field.name in BY_SEAT:
            return _by_seat(self.seats)
        if field.cpp_type in _NUMBERS:
            return _places()
        raise TypeError(f"{field.full_name}: views with lists of this type have no cells")

    def _rows(self, descriptor: Descriptor, inside: _Inside) -> _Part:
        """A list of messages: a row for each key if the first field is a key, otherwise the first ones in order."""
        inside = _Inside(inside.messages, inside.lists + 1)
        first = descriptor.fields_by_number.get(1)
        keys = None if first is None or first.is_repeated else self._keys(first)
        if first is not None and keys is not None:
            rows = _keyed(keys, first.name, self._message(descriptor, inside, without=first.name))
            # Every seat has a row of its own, however wide.
            if len(rows.cells) <= _CELLS or keys.place is _turn:
                return rows
        return _ordered(self._message(descriptor, inside), _ROWS_INSIDE if inside.lists > 1 else _ROWS)

    def _keys(self, field: FieldDescriptor) -> _Keys | None:
        """The closed list of what a field can name; nothing: it is not a name."""
        if field.enum_type is not None:
            values = [value for value in field.enum_type.values if value.number != 0]
            return _listed({value.number: value.name for value in values})
        if field.type == field.TYPE_STRING:
            return _listed({name: name for name in self._names})
        if field.name in SEATS and field.cpp_type in _NUMBERS:
            seats = tuple("own" if turn == 0 else f"left {turn}" for turn in range(self.seats))
            return _Keys(seats, _turn)
        return None


_NUMBERS = (1, 2, 3, 4)  # FieldDescriptor.CPPTYPE_INT32, INT64, UINT32, UINT64


@dataclass(frozen=True)
class _Keys:
    """What can be named: the names, and the place of a value among them, -1 for none."""

    names: tuple[str, ...]
    place: Callable[[Any, _Page], int]


def _listed(names: Mapping[Any, str]) -> _Keys:
    places = {value: at for at, value in enumerate(names)}

    def place(value: Any, _: _Page) -> int:
        return places.get(value, -1)

    return _Keys(tuple(names.values()), place)


def _turn(seat: int, page: _Page) -> int:
    return page.turn[seat]


def _bit() -> _Part:
    def write(value: bool, at: int, page: _Page) -> None:
        page.add(at, value)

    return _Part(("",), write)


def _number() -> _Part:
    """A number: one cell tells small numbers apart, the other large ones."""

    def write(value: int, at: int, page: _Page) -> None:
        size = abs(value)
        page.add(at, value / (size + 3))
        page.add(at + 1, value / (size + 30))

    return _Part((" (small)", " (large)"), write)


def _choice(keys: _Keys) -> _Part:
    """One of several: a cell for each."""
    place = keys.place

    def write(value: Any, at: int, page: _Page) -> None:
        found = place(value, page)
        if found >= 0:
            page.add(at + found, 1.0)

    return _Part(tuple(f"={name}" for name in keys.names), write)


def _group(keys: _Keys) -> _Part:
    """Several of several, in order: how often each, and where it comes first."""
    place, size = keys.place, len(keys.names)

    def write(values: Sequence[Any], at: int, page: _Page) -> None:
        counts: dict[int, int] = {}
        for number, value in enumerate(values, 1):
            found = place(value, page)
            if found >= 0:
                if found not in counts:
                    page.add(at + size + found, 1.0 / number)
                counts[found] = counts.get(found, 0) + 1
        for found, count in counts.items():
            page.add(at + found, count / (count + 2))

    counts = (f"[{name}] count" for name in keys.names)
    firsts = (f"[{name}] first" for name in keys.names)
    return _Part((*counts, *firsts), write)


def _by_seat(seats: int) -> _Part:
    """A number for each seat."""
    number = _number()
    width = len(number.cells)

    def write(values: Sequence[int], at: int, page: _Page) -> None:
        for turn, value in zip(page.turn[1:], values):
            number.write(value, at + turn * width, page)

    turns = ("own", *(f"left {turn}" for turn in range(1, seats)))
    return _Part(tuple(f"[{turn}]{cell}" for turn in turns for cell in number.cells), write)


def _places() -> _Part:
    """A list of numbers: how long it is, and the first ones in order."""
    number = _number()
    width = len(number.cells)

    def write(values: Sequence[int], at: int, page: _Page) -> None:
        number.write(len(values), at, page)
        for place, value in enumerate(values[:_PLACES], 1):
            number.write(value, at + place * width, page)

    places = ("length", *map(str, range(_PLACES)))
    return _Part(tuple(f"[{place}]{cell}" for place in places for cell in number.cells), write)


def _present(part: _Part) -> _Part:
    """Something that can be missing: a cell says that it is there."""
    inner = part.write

    def write(value: Any, at: int, page: _Page) -> None:
        page.add(at, 1.0)
        inner(value, at + 1, page)

    return _Part((" is set", *part.cells), write)


def _keyed(keys: _Keys, name: str, row: _Part) -> _Part:
    """A row for each key. Entries with the same key are added up."""
    part = _present(row)
    place, width = keys.place, len(part.cells)

    def write(entries: Sequence[Any], at: int, page: _Page) -> None:
        for entry in entries:
            found = place(getattr(entry, name), page)
            if found >= 0:
                part.write(entry, at + found * width, page)

    return _Part(_names(keys.names, row), write)


def _ordered(row: _Part, limit: int) -> _Part:
    """The first rows in order. What does not find a place is added to the last row."""
    part = _present(row)
    width = len(part.cells)
    rows = max(2, min(limit, _CELLS // width))

    def write(entries: Sequence[Any], at: int, page: _Page) -> None:
        for place, entry in enumerate(entries):
            part.write(entry, at + min(place, rows - 1) * width, page)

    return _Part(_names(map(str, range(rows)), row), write)


def _names(rows: Iterable[str], row: _Part) -> tuple[str, ...]:
    return tuple(name for key in rows for name in (f"[{key}] is set", *(f"[{key}].{cell}" for cell in row.cells)))
