"""Recomputes all luck of tests/data/luck.json from seeds alone, by the recipe of proto/docs/luck.md.

$1: the file. Needs nothing but Python.
"""

import json
import struct
import sys


def rotated(word, by):
    return (word << by | word >> (32 - by)) & 0xFFFFFFFF


def quarter(x, a, b, c, d):
    for left, right, third, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        x[left] = (x[left] + x[right]) & 0xFFFFFFFF
        x[third] = rotated(x[third] ^ x[left], by)


def chacha20(key):
    """The words of the key stream: 64-bit counter from 0, 64-bit nonce 0."""
    counter = 0
    while True:
        begin = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]
        begin += [counter & 0xFFFFFFFF, counter >> 32, 0, 0]
        x = list(begin)
        for _ in range(10):
            for column in range(4):
                quarter(x, column, column + 4, column + 8, column + 12)
            for at in range(4):
                quarter(x, at, (at + 1) % 4 + 4, (at + 2) % 4 + 8, (at + 3) % 4 + 12)
        yield from ((one + other) & 0xFFFFFFFF for one, other in zip(x, begin))
        counter += 1


class Luck:
    def __init__(self, seed):
        self.stream = chacha20(bytes.fromhex(seed))
        self.words = 0

    def below(self, bound):
        if bound == 1:
            return 0
        while True:
            word = next(self.stream)
            self.words += 1
            if word < 2**32 // bound * bound:
                return word % bound

    def shuffle(self, things):
        for place in range(len(things) - 1, 0, -1):
            other = self.below(place + 1)
            things[place], things[other] = things[other], things[place]
        return things

    def sample(self, things, count):
        for place in range(count):
            other = place + self.below(len(things) - place)
            things[place], things[other] = things[other], things[place]
        return things[:count]

    def draw(self, draw):
        things = sorted(draw["from"])
        if draw["kind"] == "dice":
            return [1 + self.below(len(things)) for _ in range(draw["count"])]
        if draw["kind"] == "shuffle":
            return self.shuffle(things)
        while True:
            drawn = self.sample(list(things), draw["count"])
            if all(drawn[place] != thing for thing, place in draw["never"]):
                return drawn


def check(luck, found, expected, words):
    assert found == expected, f"{found} instead of {expected}"
    assert luck.words == words, f"{luck.words} words instead of {words}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        vectors = json.load(file)
    # RFC 8439, appendix A.1, test vector 1.
    assert next(chacha20(bytes(32))) == 0xADE0B876
    for vector in vectors["below"]:
        luck = Luck(vector["seed"])
        values = [luck.below(vector["bound"]) for _ in vector["values"]]
        check(luck, values, vector["values"], vector["words"])
    draws = 0
    for game in vectors["games"]:
        luck = Luck(game["seed"])
        for draw in game["draws"]:
            check(luck, luck.draw(draw), draw["values"], draw["words"])
            draws += 1
    assert draws > 0 and vectors["below"]
    print(f"{draws} draws of {len(vectors['games'])} games recomputed")


main()
