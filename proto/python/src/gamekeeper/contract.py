"""The contract of rulesets, looked up by name: nothing in this package is written for one ruleset alone.

The parts of a message that belong to one ruleset are in wrappers (`Action`, `View`, `Event`, `Options`, `Catalogue`):
one oneof with a field for each ruleset. They are opened here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from .v1.messages_pb2 import Action, Catalogue, Event, Options, View

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor

_Wrapper = TypeVar("_Wrapper", Action, Options, View)


@cache
def rulesets() -> tuple[str, ...]:
    """The ids of all rulesets that the package was built with."""
    return tuple(sorted(_members(Action.DESCRIPTOR)))


class Ruleset:
    """The message types of one ruleset."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.action: Descriptor = _members(Action.DESCRIPTOR)[name]
        """The message of a player's action."""
        self.view: Descriptor = _members(View.DESCRIPTOR)[name]
        """The table as one viewer may see it."""
        asked = self.view.file.pool.FindEnumTypeByName(f"{self.view.file.package}.Decision")
        self.decisions: tuple[str, ...] = tuple(_word(value.name) for value in asked.values if value.number != 0)
        """The decisions of players, as in `PendingDecision.decision`."""

    def table(self, view: bytes) -> Message:
        """Reads a table of this ruleset."""
        wrapper = View()
        table: Message = getattr(wrapper, self.name)
        table.ParseFromString(view)
        return table


@cache
def ruleset(name: str) -> Ruleset:
    """The messages of one ruleset, such as `dominion`.

    Raises `ValueError` when the package was built without it.
    """
    if name not in rulesets():
        raise ValueError(f"no ruleset {name!r}; there are {', '.join(rulesets())}")
    return Ruleset(name)


def opened(wrapper: Action | Catalogue | Event | Options | View) -> Any:
    """The message of the ruleset in a wrapper; `None` if there is none, as in an event of the table."""
    name = wrapper.WhichOneof("ruleset")
    return None if name is None else getattr(wrapper, name)


def act(action: Message) -> Action:
    """An action of a ruleset as the service takes it: `act(dominion.Action(...))`."""
    return _wrapped(Action, action)


def options_of(name: str, options: Mapping[str, Any] | Message) -> Options:
    """Options as the service takes them: from the ruleset's `Options`, or from what protobuf JSON has for it."""
    return _joined(Options, name, options)


def view_of(name: str, view: Mapping[str, Any] | Message) -> View:
    """A described table as the service takes it: from the ruleset's `View`, from what protobuf JSON has for it, or from what
    `gamekeeper position` prints, which names the ruleset.
    """
    if isinstance(view, Mapping) and len(view) == 1 and not _names_of_rulesets().isdisjoint(view):
        return json_format.ParseDict(dict(view), View())
    return _joined(View, name, view)


@cache
def _names_of_rulesets() -> frozenset[str]:
    """The names of all rulesets, as protobuf JSON may spell them."""
    fields = View.DESCRIPTOR.oneofs_by_name["ruleset"].fields
    return frozenset(name for field in fields for name in (field.name, field.json_name))


def _joined(kind: type[_Wrapper], name: str, given: Mapping[str, Any] | Message) -> _Wrapper:
    if isinstance(given, kind):
        return given
    if isinstance(given, Message):
        return _wrapped(kind, given)
    return json_format.ParseDict({ruleset(name).name: dict(given)}, kind())


def _word(value: str) -> str:
    """`DECISION_BUY_PHASE` is the decision `buy_phase`."""
    return value.removeprefix("DECISION_").lower()


def _wrapped(kind: type[_Wrapper], message: Message) -> _Wrapper:
    wrapper = kind()
    for name, descriptor in _members(kind.DESCRIPTOR).items():
        if descriptor.full_name == message.DESCRIPTOR.full_name:
            held: Message = getattr(wrapper, name)
            held.SetInParent()
            held.MergeFrom(message)
            return wrapper
    raise TypeError(f"{message.DESCRIPTOR.full_name} does not belong into {kind.DESCRIPTOR.full_name}")


def _members(wrapper: Descriptor) -> dict[str, Descriptor]:
    """The message of each ruleset in a wrapper."""
    fields = wrapper.oneofs_by_name["ruleset"].fields
    return {field.name: field.message_type for field in fields if field.message_type is not None}
