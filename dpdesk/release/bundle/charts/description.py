# SPDX-License-Identifier: Apache-2.0
"""What a chart is, whatever draws it: figures with their intervals, curves, boxes, and an axis."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

XY: TypeAlias = tuple[float, float]
FULL = 100.0
MOST_BARS = 40
"""More figures are read in a table."""
STANDING_TO = 8
"""More bars than that lie below each other, each with its name and its figure in full."""
MOST_SERIES = 4
"""More lines cannot be told apart by their marks and dashes."""
MOST_CURVES = 4
"""More curves cannot be told apart by their marks and dashes."""
MOST_BOXES = 24
QUARTILES = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))


@dataclass(frozen=True)
class ChartFigure:
    """One figure of a chart.

    Attributes:
        label: of its bar or its point.
        value: as released.
        low, high: both ends of its interval, as the table has them: cut to what is possible.
        is_noisy: whether it is too noisy to use.
        figure, margin: as people read them; the margin is empty where it is 0 or unknown.
        population: both ends of its interval for the population; ``None`` where it has none.
        within: the same as people read them; empty where it has none.
    """

    label: str
    value: float
    low: float
    high: float
    is_noisy: bool = False
    figure: str = ""
    margin: str = ""
    population: tuple[float, float] | None = None
    within: str = ""

    @property
    def beside(self) -> str:
        """What is written beside it: what its whiskers show, and what is to be quoted with it."""
        return self.within or self.margin

    @property
    def ends(self) -> tuple[float, float]:
        """The outermost ends of all that is drawn of it."""
        return outer((self.low, self.high), self.population)

    @property
    def drawn(self) -> float:
        """The nearest value that is possible: noise may take a count below 0, its interval not."""
        return min(max(self.value, self.low), self.high)


def outer(noise: XY, population: XY | None) -> XY:
    """The outermost ends of both intervals."""
    low, high = population or noise
    return min(noise[0], low), max(noise[1], high)


@dataclass(frozen=True)
class LineSeries:
    """What one line joins.

    Attributes:
        figures: one a place of the axis; ``None`` where one says nothing.
    """

    name: str
    figures: tuple[ChartFigure | None, ...]


@dataclass(frozen=True)
class FigureChart:
    """Bars, or lines over periods.

    Attributes:
        labels: of the places, in order.
        series: one for bars and a plain line; of several lines each has its name.
        unit: of the figures; empty where each says it itself, as percentages do.
        behind: what is behind each number of the axis, such as a percent sign.
        is_line: the places follow one another, as periods do.
        intervals: what the interval of the noise and that for the population are called; empty
            where no figure has the latter.
    """

    labels: tuple[str, ...]
    series: tuple[LineSeries, ...]
    unit: str = ""
    behind: str = ""
    is_line: bool = False
    intervals: tuple[str, ...] = ()

    @property
    def figures(self) -> tuple[ChartFigure, ...]:
        """All figures that say something."""
        return tuple(one for line in self.series for one in line.figures if one is not None)

    @property
    def lies(self) -> bool:
        """Whether its bars lie below each other; one alone is a line of the same form."""
        return not self.is_line and not 1 < len(self.labels) <= STANDING_TO

    @property
    def reach(self) -> tuple[float, float]:
        """What the axis reaches from and to: what can be used says so, if anything; with 0."""
        usable = [one for one in self.figures if not one.is_noisy] or list(self.figures)
        lows, highs = (one.ends[0] for one in usable), (one.ends[1] for one in usable)
        return min([0.0, *lows]), max([0.0, *highs])


@dataclass(frozen=True)
class CurvePoint:
    """The share of the rows up to a value, in percent.

    Attributes:
        place: the value.
        share: in percent.
        low, high: the share is between them 95 times in 100.
        noisy: whether it is too noisy to use.
    """

    place: float
    share: float
    low: float
    high: float
    noisy: bool = False


@dataclass(frozen=True)
class Curve:
    """One group's shares, in the order of their values.

    Attributes:
        name: of the group; empty where there is one curve.
        begins: where a curve over time begins, which goes by steps; ``None`` for another one.
        falls: whether it falls from 100 %, as survival does; else it rises from 0 %.
        at_risk: how many are at risk where it begins and behind each point but the last.
    """

    name: str
    points: tuple[CurvePoint, ...]
    begins: float | None = None
    at_risk: tuple[int, ...] = ()
    falls: bool = True

    @property
    def places(self) -> tuple[float, ...]:
        """Where it has something to show, its beginning included."""
        first = () if self.begins is None else (self.begins,)
        return (*first, *(point.place for point in self.points))

    def stepped(
        self, part: Literal["share", "low", "high"] = "share", tail: float = 0.0
    ) -> tuple[XY, ...]:
        """The corners of its steps: it keeps a value until the end of the next bin.

        It ends with its band where nobody is surely at risk: behind that nothing was learnt.
        Where it does not, it has a tail, so that its last step is seen.

        >>> Curve("", (CurvePoint(5, 80, 70, 90), CurvePoint(9, 60, 0, 90)), 0.0).stepped()
        ((0.0, 100.0), (5, 100.0), (5, 80), (9, 80))
        >>> Curve("", (CurvePoint(5, 80, 70, 90),), 0.0).stepped(tail=1)
        ((0.0, 100.0), (5, 100.0), (5, 80), (6, 80))
        """
        height = FULL if self.falls else 0.0
        corners = [(self.places[0], height)]
        for point in self.points:
            corners.append((point.place, height))
            if self.ends_at(point):
                break
            height = getattr(point, part)
            corners.append((point.place, height))
        else:
            if tail:
                corners.append((self.places[-1] + tail, height))
        return tuple(corners)

    def ends_at(self, point: CurvePoint) -> bool:
        """Whether noise may leave nobody at risk there, so that the curve ends before it."""
        return point.low <= 0 if self.falls else point.high >= FULL


@dataclass(frozen=True)
class Box:
    """One group's quantiles, rising.

    Attributes:
        name: of the group; empty where there is one box.
        figures: three: where the box begins, its line, and where it ends.
        ends: the outermost quantiles, where whiskers end; empty where the box has all of them.
        ranges: between what each of the three is, 95 times in 100; empty where that is not
            known.
        noisy: whether it is too noisy to use.
    """

    name: str
    figures: tuple[float, ...]
    ends: tuple[float, ...] = ()
    ranges: tuple[tuple[float, float], ...] = ()
    noisy: bool = False
