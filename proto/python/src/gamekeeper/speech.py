"""How a seat says an action: word by word.

An action is a message of enums, numbers and lists, and some rulesets have thousands of legal ones at a time. The service
makes sentences of them: first the kind of action, then the value of each field. `BuyCard(card=GOLD)` of Dominion is
`kind=buy_card`, `BuyCard.card=CARD_GOLD`. Each word has one index for good, the same in every position and game.
A player says one word after the other; at each point only those are allowed with which a legal action goes on, and what
is the only way to go on is said by itself. So every legal action can be said, and no other one.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

Sentence = Sequence[int]


class Speech:
    """A seat says which of its legal actions it takes, word by word."""

    def __init__(self, sentences: Sequence[Sentence]) -> None:
        """`sentences` are those of the legal actions, at least one."""
        self.said: list[int] = []
        """The words until now, those that went without saying included."""
        self._alive: list[tuple[int, Sentence]] = list(enumerate(sentences))
        self._next: dict[int, list[tuple[int, Sentence]]] = {}
        self._go_on()
        self.given = len(self.said)
        """How many words went without saying before the first choice."""

    @property
    def chosen(self) -> int | None:
        """The place of the chosen action in the list, once only one is left."""
        return self._alive[0][0] if len(self._alive) == 1 else None

    @property
    def words(self) -> Iterable[int]:
        """The words that can be said now. None when the action is chosen."""
        return self._next.keys()

    def copy(self) -> Speech:
        """Returns a copy of the speech, to go on in another way."""
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
