# SPDX-License-Identifier: Apache-2.0
"""A drawn chart: lines, areas, marks and words at their places, in points from the upper left.

What a thing looks like is a role, never a colour: pages to print, the page to open and its dark
form have their own for each. What is told apart by colour is told apart by dash and mark, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

Role: TypeAlias = Literal[
    "ink",
    "quiet",
    "line",
    "axis",
    "accent",
    "second",
    "third",
    "band",
    "second-band",
    "third-band",
    "ground",
]
Dash: TypeAlias = Literal["", "dashed", "dotted", "mixed"]
MarkShape: TypeAlias = Literal["circle", "square", "triangle", "diamond"]
Anchor: TypeAlias = Literal["start", "middle", "end"]
Point: TypeAlias = tuple[float, float]

HATCH = 5.0
"""From one line of a hatched area to the next."""


@dataclass(frozen=True)
class Stroke:
    """A line through points."""

    points: tuple[Point, ...]
    role: Role = "ink"
    width: Literal["thin", "plain", "thick"] = "plain"
    dash: Dash = ""


@dataclass(frozen=True)
class Area:
    """A rectangle; without a fill its ground shows.

    Attributes:
        is_hatched: it is filled with lines: what is too noisy to use.
    """

    x: float
    y: float
    width: float
    height: float
    fill: Role | None = None
    edge: Role | None = None
    dash: Dash = ""
    is_hatched: bool = False


@dataclass(frozen=True)
class FilledBand:
    """What is within a closed line through points, filled; it has no edge of its own."""

    points: tuple[Point, ...]
    fill: Role = "band"


@dataclass(frozen=True)
class PointMark:
    """A point; a hollow one is filled with the ground."""

    x: float
    y: float
    shape: MarkShape = "circle"
    role: Role = "ink"
    is_hollow: bool = False
    size: float = 2.2


@dataclass(frozen=True)
class Word:
    """A text on its base line."""

    x: float
    y: float
    text: str
    size: float = 8.0
    role: Role = "ink"
    anchor: Anchor = "start"
    is_bold: bool = False


Shape: TypeAlias = Stroke | Area | FilledBand | PointMark | Word


@dataclass(frozen=True)
class ChartDrawing:
    """A chart, drawn.

    Attributes:
        title: what it is, for those who do not see it.
        is_made_up: its figures are a rehearsal's.
        has_all: whether every figure is written in it with its margin.
    """

    title: str
    width: float
    height: float
    shapes: tuple[Shape, ...]
    is_made_up: bool = False
    has_all: bool = False


def hatching(area: Area) -> Iterator[tuple[Point, Point]]:
    """The slanted lines of a hatched area, each cut at its sides.

    >>> list(hatching(Area(0.0, 0.0, 5.0, 5.0)))
    [((0.0, 5.0), (5.0, 0.0))]
    """
    x, y, right, bottom = area.x, area.y, area.x + area.width, area.y + area.height
    # On a line x + y is the same: multiples of the distance, so that areas side by side match.
    at = (int((x + y) / HATCH) + 1) * HATCH
    while at < right + bottom:
        low = max(x, at - bottom), min(right, at - y)
        if low[0] < low[1]:
            yield (low[0], at - low[0]), (low[1], at - low[1])
        at += HATCH


def polygon(mark: PointMark) -> tuple[Point, ...]:
    """The corners of a mark that is no circle."""
    x, y, r = mark.x, mark.y, mark.size
    if mark.shape == "square":
        return (x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)
    if mark.shape == "triangle":
        return (x, y - 1.2 * r), (x + 1.2 * r, y + r), (x - 1.2 * r, y + r)
    return (x, y - 1.4 * r), (x + 1.4 * r, y), (x, y + 1.4 * r), (x - 1.4 * r, y)
