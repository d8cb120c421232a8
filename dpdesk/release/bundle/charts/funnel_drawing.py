# SPDX-License-Identifier: Apache-2.0
"""A funnel, drawn: units as points over their exposure, limits with the noise and without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.drawing import (
    Area,
    ChartDrawing,
    Dash,
    FilledBand,
    PointMark,
    Role,
    Shape,
    Stroke,
    Word,
)
from dpdesk.release.bundle.charts.frame import (
    BOX,
    GAP,
    SIZE,
    STEP,
    AxisScale,
    upright_grid,
    width_of,
)
from dpdesk.release.bundle.charts.funnel import Funnel, FunnelPoint
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import NumberStyle, in_column
from dpdesk.study.text.titles import measured, rate_unit

HEIGHT = 170.0
MOST_NAMED = 12
"""So many units outside are named; of more the marks say it."""
_DIGITS = 3


@dataclass(frozen=True)
class FunnelWords:
    """The words of a funnel, in a language.

    Attributes:
        unit: of the rates; empty for ratios.
        exposure: what is along the lower axis.
        all_units: beside the rate of all.
        inside, outside: how many units are, with what marks them.
        limits, far, chance: of 95 %, of 99.8 %, and of 95 % without the noise.
    """

    unit: str
    exposure: str
    all_units: str
    inside: str
    outside: str
    limits: str
    far: str
    chance: str


LIMITS: Final[Template] = "95 % limits, chance and noise"
FAR: Final[Template] = "99.8 % limits"
CHANCE: Final[Template] = "95 %, chance alone"
INSIDE: Final[Template] = "{n} inside"
OUTSIDE: Final[Template] = "{n} outside ({expected} by accident)"
ALL_UNITS: Final[Template] = "all together"
EXPOSURE: Final[Template] = "{exposure}, as released"
EXPECTED: Final[Template] = "events expected, as released"
QUESTION: Final[Template] = (
    "Outside is a question, not a verdict: 95 in 100 lie inside if groups do not differ. Not "
    "adjusted for who is in which group."
)
WITHOUT: Final[Template] = "{n} without a point: the exposure cannot be distinguished from 0."


def words_of(funnel: Funnel, study: Study, query: Query, words: ReleaseWords) -> FunnelWords:
    """Its words in a language."""
    say, count = words.say, len(funnel.points)
    outside = sum(point.outside > 0 for point in funnel.points)
    exposure = say(EXPECTED)
    if not funnel.of_ratio:
        exposure = say(EXPOSURE, exposure=measured(study, query.column or ""))
    expected = words.number(f"{0.05 * count:.1f}")
    return FunnelWords(
        unit=rate_unit(study, query, words.language),
        exposure=exposure,
        all_units=say(ALL_UNITS),
        inside=say(INSIDE, n=str(count - outside)),
        outside=say(OUTSIDE, n=str(outside), expected=expected),
        limits=say(LIMITS),
        far=say(FAR),
        chance=say(CHANCE),
    )


def said_below(funnel: Funnel, words: ReleaseWords) -> str:
    """What a reader must know of a funnel."""
    without = words.say(WITHOUT, n=str(funnel.without)) if funnel.without else ""
    return " ".join(filter(None, (words.say(QUESTION), without)))


def funnel_drawing(
    funnel: Funnel,
    words: FunnelWords,
    width: float,
    title: str,
    style: NumberStyle,
    is_made_up: bool = False,
) -> ChartDrawing:
    """A funnel in so much width."""
    low, high = _reach(funnel)
    made = ticks(low, high, style)
    shown = _written(funnel.centre, style)
    right = width - max(map(width_of, (shown, words.all_units))) - 2 * GAP
    left = max(width_of(tick.text) for tick in made) + GAP
    legend, rows = _legend(words, width, is_made_up)
    top = rows * 1.5 * STEP + (1.4 * STEP if words.unit else 0.6 * STEP)
    up = AxisScale(low, high, top + HEIGHT, top)
    flat = AxisScale(0.0, max(funnel.limits.exposures), left, right)
    inside = [] if is_made_up else [_inside(funnel, flat, up)]
    shapes: list[Shape] = [*legend, *inside, *upright_grid(made, up, left, right)]
    if words.unit:
        shapes.append(Word(0, rows * 1.5 * STEP + SIZE, words.unit, role="quiet"))
    shapes += _below(flat, words.exposure, top + HEIGHT, style)
    shapes += _limits(funnel, flat, up)
    y = up.at(funnel.centre)
    shapes.append(Stroke(((left, y), (right, y)), "ink"))
    shapes.append(Word(right + GAP, y + 0.2 * STEP, shown, is_bold=True))
    shapes.append(Word(right + GAP, y + 1.2 * STEP, words.all_units, role="quiet"))
    shapes += _points(funnel, (flat, up), style, is_made_up)
    return ChartDrawing(title, width, top + HEIGHT + 3 * STEP, tuple(shapes), is_made_up)


def _reach(funnel: Funnel) -> tuple[float, float]:
    """All points, and the limits at the smallest exposure, but none below 0."""
    half = max(funnel.limits.noisy[-1])
    values = [point.value for point in funnel.points]
    wide = max([*values, funnel.centre + half])
    most = max([*values, funnel.centre * 3])
    return 0.0, max(funnel.centre, min(wide, most)) * 1.04


def _below(flat: AxisScale, exposure: str, bottom: float, style: NumberStyle) -> Iterator[Shape]:
    for tick in ticks(flat.low, flat.high, style, most=6):
        x = flat.at(tick.value)
        yield Stroke(((x, bottom), (x, bottom + 3)), "axis", "thin")
        yield Word(x, bottom + 1.3 * STEP, tick.text, role="quiet", anchor="middle")
    yield Word(flat.end, bottom + 2.4 * STEP, exposure, role="quiet", anchor="end")


_LOOKS: tuple[tuple[Role, Dash], ...] = (("accent", ""), ("accent", "dotted"))
_CHANCE: tuple[Role, Dash] = ("quiet", "dashed")


def _inside(funnel: Funnel, flat: AxisScale, up: AxisScale) -> FilledBand:
    """What is between the 95 % limits, cut at the ends of the axis."""
    pairs = [*zip(funnel.limits.exposures, funnel.limits.noisy[0], strict=True)]
    above, below = (
        [(flat.at(x), up.at(funnel.centre + side * half)) for x, half in pairs] for side in (1, -1)
    )
    return FilledBand((*above, *reversed(below)))


def _limits(funnel: Funnel, flat: AxisScale, up: AxisScale) -> Iterator[Shape]:
    """Each limit above and below; where one leaves the chart, its line ends."""
    drawn = (
        *zip(funnel.limits.noisy, _LOOKS, strict=True),
        (funnel.limits.chance, _CHANCE),
    )
    for halves, (role, dash) in drawn:
        for side in (1, -1):
            places = zip(funnel.limits.exposures, halves, strict=True)
            points = [(x, funnel.centre + side * half) for x, half in places]
            kept = [(flat.at(x), up.at(y)) for x, y in points if not up.is_beyond(y)]
            if len(kept) > 1:
                yield Stroke(tuple(kept), role, "plain", dash)


def _points(
    funnel: Funnel, scales: tuple[AxisScale, AxisScale], style: NumberStyle, is_made_up: bool
) -> Iterator[Shape]:
    """Inside hollow circles; outside diamonds, each with its name where they are few."""
    flat, up = scales
    outside = [point for point in funnel.points if point.outside]
    for point in funnel.points:
        x, y = flat.at(point.exposure), up.at(point.value)
        if not point.outside:
            yield PointMark(x, y, "circle", "ink", is_hollow=True, size=2.6)
        else:
            yield PointMark(x, y, "diamond", "ink", is_hollow=is_made_up, size=2.8)
    for point in outside if len(outside) <= MOST_NAMED else ():
        yield _name(point, flat, up.at(point.value), style, point.value > funnel.centre)


def _name(
    point: FunnelPoint, flat: AxisScale, y: float, style: NumberStyle, is_above: bool
) -> Word:
    text = f"{point.name} {_written(point.value, style)}"
    x, wide = flat.at(point.exposure), width_of(text, is_bold=True)
    has_room = x + GAP + wide <= flat.end
    shift = -0.3 * STEP if is_above else 0.9 * STEP
    if has_room:
        return Word(x + GAP, y + shift, text, is_bold=True)
    return Word(x - GAP, y + shift, text, anchor="end", is_bold=True)


def _legend(words: FunnelWords, width: float, is_made_up: bool) -> tuple[list[Shape], int]:
    """What band, lines and marks are, in as many rows as it takes."""
    entries: tuple[tuple[str, tuple[Role, Dash] | None, bool], ...] = (
        (words.limits, _LOOKS[0], False),
        (words.far, _LOOKS[1], False),
        (words.chance, _CHANCE, False),
        (words.inside, None, True),
        (words.outside, None, False),
    )
    shapes: list[Shape] = []
    x, row = 0.0, 0
    for text, look, is_hollow in entries:
        sign = 16.0 if look else 6.0
        wide = sign + GAP + width_of(text) + 3 * GAP
        if x and x + wide > width:
            x, row = 0.0, row + 1
        y = row * 1.5 * STEP + SIZE
        if text == words.limits:
            if not is_made_up:
                shapes.append(Area(x, y - 3 - BOX, sign, 2 * BOX, "band"))
            for edge in (y - 3 - BOX, y - 3 + BOX):
                shapes.append(Stroke(((x, edge), (x + sign, edge)), _LOOKS[0][0]))
        elif look:
            shapes.append(Stroke(((x, y - 3), (x + sign, y - 3)), look[0], "plain", look[1]))
        else:
            shape = "circle" if is_hollow else "diamond"
            mark = PointMark(x + 3, y - 3, "circle", "ink", is_hollow=True, size=2.6)
            shapes.append(
                mark if shape == "circle" else PointMark(x + 3, y - 3, "diamond", "ink", size=2.8)
            )
        shapes.append(Word(x + sign + GAP, y, text, role="quiet"))
        x += wide
    return shapes, row + 1


def _written(value: float, style: NumberStyle) -> str:
    """Three digits that matter.

    >>> from dpdesk.study.text.number_text import ENGLISH
    >>> _written(24.973, ENGLISH), _written(1234.5, ENGLISH), _written(0.9, ENGLISH)
    ('25.0', '1,234', '0.900')
    """
    whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    return in_column(f"{value:.{max(0, _DIGITS - whole)}f}", style)
