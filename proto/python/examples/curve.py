"""Draws a learning curve as SVG."""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

WIDTH, HEIGHT = 720, 360
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 40, 50


class Point(NamedTuple):
    """A measurement."""

    learned: int
    """The games from which the agent has learned."""
    share: float
    """The share of games won."""
    games: int

    def interval(self) -> tuple[float, float]:
        """Wilson's interval, 95%."""
        z, n, p = 1.96, self.games, self.share
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return middle - half, middle + half


def draw(points: list[Point], title: str, chance: float) -> str:
    """The curve, with the interval of each point, and the share that luck alone would give."""
    longest = max(point.learned for point in points) or 1

    def x(learned: float) -> str:
        return f"{LEFT + learned / longest * (WIDTH - LEFT - RIGHT):.1f}"

    def y(share: float) -> str:
        return f"{TOP + (1 - share) * (HEIGHT - TOP - BOTTOM):.1f}"

    def line(x1: str, y1: str, x2: str, y2: str, style: str) -> str:
        return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>'

    def text(at: str, down: str, anchor: str, content: str) -> str:
        return f'<text x="{at}" y="{down}" text-anchor="{anchor}">{content}</text>'

    left, right, floor = str(LEFT), str(WIDTH - RIGHT), float(y(0))
    parts = [text(str(WIDTH // 2), "22", "middle", title)]
    for percent in range(0, 101, 25):
        level = y(percent / 100)
        parts += [line(left, level, right, level, 'stroke="#ddd"')]
        parts += [text(str(LEFT - 8), f"{float(level) + 4:.1f}", "end", f"{percent} %")]
    # Round numbers, at most ten of them.
    step = next(step for power in range(9) for step in (10**power, 2 * 10**power, 5 * 10**power) if 10 * step >= longest)
    for learned in range(0, longest + 1, step):
        parts.append(text(x(learned), f"{floor + 18:.1f}", "middle", f"{learned:,}"))
    parts.append(text(str((LEFT + WIDTH - RIGHT) // 2), str(HEIGHT - 10), "middle", "games of self-play"))
    parts.append(line(left, y(chance), right, y(chance), 'stroke="#888" stroke-dasharray="6 4"'))
    for point in points:
        low, high = point.interval()
        parts.append(line(x(point.learned), y(low), x(point.learned), y(high), 'stroke="#7aa6d8" stroke-width="2"'))
    course = " ".join(f"{x(point.learned)},{y(point.share)}" for point in points)
    parts.append(f'<polyline points="{course}" fill="none" stroke="#1f5fa8" stroke-width="2"/>')
    parts += [f'<circle cx="{x(point.learned)}" cy="{y(point.share)}" r="3" fill="#1f5fa8"/>' for point in points]
    body = "\n".join(parts)
    style = 'font-family="sans-serif" font-size="12"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {style}>\n'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>\n{body}\n</svg>\n'
    )
