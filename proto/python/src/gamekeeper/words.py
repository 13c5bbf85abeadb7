"""Actions as words: a fixed vocabulary that follows from the contract alone.

An action is a message of enums, numbers and lists, and some rulesets have thousands of legal ones at a time. Here it
becomes a sentence: first the kind of action, then the value of each field. `BuyCard(card=GOLD)` of Dominion is
`kind=buy_card`, `BuyCard.card=CARD_GOLD`. Each word has one index for good, the same in every position and game.
A player says one word after the other; at each point only those are allowed with which a legal action goes on, and what
is the only way to go on is said by itself. So every legal action can be said, and no other one.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from google.protobuf.descriptor import Descriptor, FieldDescriptor, OneofDescriptor

# Numbers between these two have a word each. Beyond them, `more` or `less` says to count on from there.
_UNSIGNED = (0, 31)
_SIGNED = (-8, 31)

# How many actions are remembered with their words.
_MEMORY = 100_000

Sentence = tuple[int, ...]
_Say = Callable[[Any, list[int]], None]


class Vocabulary:
    """The words of one ruleset's actions."""

    def __init__(self, action: Descriptor, names: Sequence[str] = ()) -> None:
        """`names` are the components that the ruleset names by text (`contract.names`)."""
        self._package = action.file.package + "."
        self._names = tuple(names)
        self._messages: dict[str, list[_Say]] = {}
        self._memory: dict[bytes, Sentence] = {}
        self.words: list[str] = []
        """The words by index, such as `BuyCard.card=CARD_GOLD`."""
        self._say = self._message(action)

    def __len__(self) -> int:
        return len(self.words)

    def sentence(self, action: Any) -> Sentence:
        """The words of an action, as indices. No action's sentence begins with the whole sentence of another."""
        key = action.SerializeToString()
        found = self._memory.get(key)
        if found is None:
            said: list[int] = []
            self._say(action, said)
            if len(self._memory) >= _MEMORY:
                self._memory.clear()
            found = self._memory[key] = tuple(said)
        return found

    def _add(self, field: str, values: Iterable[object]) -> int:
        """Adds words; gives the index of the first."""
        first = len(self.words)
        field = field.removeprefix(self._package)
        self.words += (f"{field}={value}" for value in values)
        return first

    def _message(self, descriptor: Descriptor) -> _Say:
        """A message says its fields in the order of their numbers, a oneof where its first field is."""
        parts = self._messages.get(descriptor.full_name)
        if parts is None:
            parts = self._messages[descriptor.full_name] = []
            oneofs: set[str] = set()
            for field in descriptor.fields:
                oneof = field.containing_oneof
                if oneof is None or is_optional(field):
                    parts.append(self._field(field))
                elif oneof.name not in oneofs:
                    oneofs.add(oneof.name)
                    parts.append(self._oneof(oneof))
        found = parts

        def say(message: Any, said: list[int]) -> None:
            for part in found:
                part(message, said)

        return say

    def _oneof(self, oneof: OneofDescriptor) -> _Say:
        name = oneof.name
        first = self._add(oneof.full_name, ["none", *(field.name for field in oneof.fields)])
        members = {field.name: (first + 1 + at, self._value(field)) for at, field in enumerate(oneof.fields)}

        def say(message: Any, said: list[int]) -> None:
            which = message.WhichOneof(name)
            if which is None:
                said.append(first)
                return
            word, value = members[which]
            said.append(word)
            value(getattr(message, which), said)

        return say

    def _field(self, field: FieldDescriptor) -> _Say:
        name = field.name
        if field.is_repeated:
            return self._list(field)
        if not field.has_presence:
            value = self._value(field)
            return lambda message, said: value(getattr(message, name), said)
        # A value says itself that it is there; a message would not.
        absent = self._add(field.full_name, ["none"])
        present = self._add(field.full_name, ["set"]) if field.message_type is not None else None
        value = self._value(field)

        def say(message: Any, said: list[int]) -> None:
            if not message.HasField(name):
                said.append(absent)
                return
            if present is not None:
                said.append(present)
            value(getattr(message, name), said)

        return say

    def _list(self, field: FieldDescriptor) -> _Say:
        name = field.name
        end = self._add(field.full_name, ["end"])
        # As above: a message does not say itself that there is one more.
        further = self._add(field.full_name, ["next"]) if field.message_type is not None else None
        value = self._value(field)

        def say(message: Any, said: list[int]) -> None:
            for item in getattr(message, name):
                if further is not None:
                    said.append(further)
                value(item, said)
            said.append(end)

        return say

    def _value(self, field: FieldDescriptor) -> _Say:
        """Says a value that is there."""
        if field.message_type is not None:
            return self._message(field.message_type)
        if field.enum_type is not None:
            return self._one_of(field, {value.number: value.name for value in field.enum_type.values})
        if field.type == field.TYPE_BOOL:
            return self._one_of(field, {False: "false", True: "true"})
        if field.type == field.TYPE_STRING:
            return self._one_of(field, {name: name for name in ("", *self._names)})
        if field.cpp_type in (field.CPPTYPE_UINT32, field.CPPTYPE_UINT64):
            return self._number(field, *_UNSIGNED)
        if field.cpp_type in (field.CPPTYPE_INT32, field.CPPTYPE_INT64):
            return self._number(field, *_SIGNED)
        raise TypeError(f"{field.full_name}: actions with values of this type have no words")

    def _one_of(self, field: FieldDescriptor, values: dict[Any, str]) -> _Say:
        first = self._add(field.full_name, values.values())
        words = {value: first + at for at, value in enumerate(values)}
        return lambda value, said: said.append(words[value])

    def _number(self, field: FieldDescriptor, low: int, high: int) -> _Say:
        first = self._add(field.full_name, range(low, high + 1))
        more = self._add(field.full_name, ["more"])
        less = self._add(field.full_name, ["less"]) if low < 0 else more
        zero = first - low

        def say(value: int, said: list[int]) -> None:
            while value > high:
                said.append(more)
                value -= high + 1
            while value < low:
                said.append(less)
                value -= low - 1
            said.append(zero + value)

        return say


class Speech:
    """A seat says which of its legal actions it takes, word by word."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        """`sentences` are those of the legal actions, at least one."""
        self.said: list[int] = []
        """The words until now, those that went without saying included."""
        self._alive: list[tuple[int, Sentence]] = list(enumerate(sentences))
        self._next: dict[int, list[tuple[int, Sentence]]] = {}
        self._go_on()

    @property
    def chosen(self) -> int | None:
        """The place of the chosen action in the list, once only one is left."""
        return self._alive[0][0] if len(self._alive) == 1 else None

    @property
    def words(self) -> Iterable[int]:
        """The words that can be said now. None when the action is chosen."""
        return self._next.keys()

    def copy(self) -> Speech:
        """The same speech, to go on in another way."""
        speech = copy.copy(self)
        speech.said = self.said.copy()
        return speech

    def say(self, word: int) -> None:
        """Says one of the words.

        Raises `KeyError` when it is none of them; then nothing has changed.
        """
        self._alive = self._next[word]
        self.said.append(word)
        self._go_on()

    def _go_on(self) -> None:
        """Says what goes without saying: words that all actions that are left have in common."""
        while len(self._alive) > 1:
            at = len(self.said)
            self._next = {}
            for entry in self._alive:
                self._next.setdefault(entry[1][at], []).append(entry)
            if len(self._next) > 1:
                return
            self.said += self._next
        self._next = {}


def is_optional(field: FieldDescriptor) -> bool:
    """Is the field marked as optional? Its oneof is then one of the compiler, not of the contract."""
    oneof = field.containing_oneof
    return oneof is not None and len(oneof.fields) == 1 and oneof.name == f"_{field.name}"
