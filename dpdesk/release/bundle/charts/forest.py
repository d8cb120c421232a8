# SPDX-License-Identifier: Apache-2.0
"""A forest: the coefficients or effects of a model as points, each with its intervals in a line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.planning.survival.derived_table import COLUMNS
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.charts.axis import Tick, ticks
from dpdesk.release.bundle.charts.description import MOST_BARS, ChartFigure
from dpdesk.release.bundle.charts.drawing import ChartDrawing, PointMark, Shape, Stroke, Word
from dpdesk.release.bundle.charts.figures import interval_names
from dpdesk.release.bundle.charts.frame import (
    GAP,
    SIZE,
    SMALL,
    STEP,
    AxisScale,
    flat_grid,
    flat_interval,
    width_of,
    with_interval_legend,
)
from dpdesk.release.bundle.compared_text import MEASURES, compared_text
from dpdesk.release.bundle.derived_lines import is_model
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.text_setting import TEXT, cut_to
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.columns import NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import NumberStyle, in_column

ROW, NAMES = 15.0, 0.4
"""From one line to the next, and how much of the width names may take."""
_RANGE: Final[Template] = "{lowest} to {highest}"
_STEPS = (1, 2, 5)
LEAST_TICKS = 3


@dataclass(frozen=True)
class Forest:
    """The lines of a forest.

    Attributes:
        figures: one a line; its margin is both ends of the outer interval, as people read them.
        is_ratio: whether they are ratios, drawn by their logarithms around 1; else around 0.
        unit: of the figures, or which ratios they are; may be empty.
        intervals: what the interval of noise and that of noise and chance are called, where each
            has both.
    """

    figures: tuple[ChartFigure, ...]
    is_ratio: bool = False
    unit: str = ""
    intervals: tuple[str, ...] = ()

    @property
    def said(self) -> str:
        """The same in words."""
        return "; ".join(f"{one.label}: {one.figure} ({one.margin})" for one in self.figures)


def forest_of(
    study: Study, query: Query, released: ReleasedQuery, table: Table, words: ReleaseWords
) -> Forest | None:
    """The forest of a linear model, or of models by groups; ``None`` where there is none.

    Args:
        study: as released.
        query: in it.
        released: the query, with what was drawn.
        table: with what follows from it, or its comparisons, as people read it.
        words: of the language.
    """
    column = study.column(query.column)
    unit = column.label if isinstance(column, NumberColumn) else ""
    if is_model(table):
        found = tuple(_coefficients(table, words))
    else:
        found = tuple(_effects(released, table, words))
    if not 0 < len(found) <= MOST_BARS:
        return None
    both = all(one.population is not None for one in found)
    measure = _measure(table)
    is_ratio = measure.endswith("ratio")
    names = interval_names(words) if both else ()
    return Forest(found, is_ratio, words.say(MEASURES[measure]) if is_ratio else unit, names)


def _coefficients(table: Table, words: ReleaseWords) -> Iterator[ChartFigure]:
    """Those that noise leaves something of; the outcome where all is 0 is on no scale with them."""
    for term, *cells in () if table.derived is None else table.derived.rows:
        line = dict(zip((column.name for column in COLUMNS), cells, strict=True))
        if not term or not line["value"]:
            continue
        noise, both = line["lowest_95"], line["highest_95"]
        ends = line["population_lowest_95"], line["population_highest_95"]
        yield _figure(term, line["value"], (noise, both), ends, words)


def _figure(
    label: str, value: str, noise: tuple[str, str], both: tuple[str, str], words: ReleaseWords
) -> ChartFigure:
    low, high = map(float, noise)
    outer = both if all(both) else noise
    written = [in_column(end, words.numbers) for end in outer]
    margin = words.say(_RANGE, lowest=written[0], highest=written[1])
    population = (float(both[0]), float(both[1])) if all(both) else None
    figure = in_column(value, words.numbers)
    return ChartFigure(label, float(value), low, high, False, figure, margin, population)


def _measure(table: Table) -> str:
    """What a table's models compare by; empty where there is none."""
    rows = () if table.compared is None else table.compared.rows
    return next((one for row in rows for one in row if one.startswith("modelled")), "")


def _effects(query: ReleasedQuery, table: Table, words: ReleaseWords) -> Iterator[ChartFigure]:
    """The effects of models that have an interval; a ratio that is written as 0 is on no scale."""
    measure, text = _measure(table), compared_text(table, query, words, "")
    if table.compared is None or text is None or not measure:
        return
    for row, read, plain in zip(table.compared.rows, text.rows, text.figures, strict=True):
        is_shown = all(plain[2:5]) and (not measure.endswith("ratio") or float(plain[2]) > 0)
        if measure in row and is_shown:
            yield _figure(read[0], plain[2], (plain[3], plain[4]), ("", ""), words)


def forest_drawing(
    forest: Forest, width: float, title: str, style: NumberStyle, is_made_up: bool = False
) -> ChartDrawing:
    """A forest in so much width."""
    names = min(NAMES * width, max(width_of(one.label) for one in forest.figures) + 2 * GAP)
    own = max(width_of(one.figure, is_bold=True) for one in forest.figures)
    ranges = max(width_of(one.margin, SMALL) for one in forest.figures)
    right = width - own - ranges - 6 * GAP
    shown = [_logarithms(one) for one in forest.figures] if forest.is_ratio else forest.figures
    low, high = (
        end([0.0, *(one.ends[side] for one in shown)]) for side, end in ((0, min), (1, max))
    )
    top = STEP if forest.unit else 0.0
    scale, bottom = AxisScale(low, high, names, right), top + ROW * len(shown)
    made = _log_ticks(low, high, style) if forest.is_ratio else ticks(low, high, style, most=5)
    shapes: list[Shape] = [*flat_grid(made, scale, top, bottom)]
    none = scale.at(0.0)
    shapes.append(Stroke(((none, top), (none, bottom)), "axis"))
    if forest.unit:
        shapes.append(Word(width, SIZE, forest.unit, role="quiet", anchor="end"))
    for place, (one, drawn) in enumerate(zip(forest.figures, shown, strict=True)):
        y = top + ROW * (place + 0.5)
        foot = y + 0.36 * SIZE
        shapes.append(Word(0, foot, cut_to(one.label, TEXT, SIZE, names - GAP)))
        shapes += flat_interval(drawn, y, scale)
        shapes.append(PointMark(scale.at(drawn.value), y, "square", "ink", is_made_up, 2.6))
        shapes.append(Word(width - ranges - 3 * GAP, foot, one.figure, anchor="end", is_bold=True))
        shapes.append(Word(width, foot, one.margin, SMALL, "quiet", "end"))
    drawn_all, height = with_interval_legend(shapes, bottom + 1.4 * STEP, forest.intervals)
    return ChartDrawing(title, width, height, drawn_all, is_made_up, has_all=True)


def _logarithms(figure: ChartFigure) -> ChartFigure:
    """A ratio, which is above 0, by its logarithm; an end written as 0 is as far as the other."""
    value, high = math.log10(figure.value), math.log10(figure.high)
    low = math.log10(figure.low) if figure.low > 0 else 2 * value - high
    return replace(figure, value=value, low=low, high=high)


def _log_ticks(low: float, high: float, style: NumberStyle) -> list[Tick]:
    """Ratios with round numbers, at their logarithms; few of a wide axis.

    >>> from dpdesk.study.text.number_text import ENGLISH
    >>> [tick.text for tick in _log_ticks(-0.5, 0.8, ENGLISH)]
    ['0.5', '1', '2', '5']
    >>> [tick.text for tick in _log_ticks(-2.1, 2.2, ENGLISH)]
    ['0.01', '0.1', '1', '10', '100']
    >>> [tick.text for tick in _log_ticks(-0.1, 0.08, ENGLISH)]
    ['0.8', '0.9', '1.0', '1.1', '1.2']
    """
    steps = _STEPS if high - low <= 2 else (1,)
    powers = range(math.floor(low), math.ceil(high) + 1)
    values = (step * Decimal(10) ** power for power in powers for step in steps)
    made = (Tick(math.log10(value), in_column(f"{value:f}", style)) for value in values)
    found = [tick for tick in made if low <= tick.value <= high]
    if len(found) >= LEAST_TICKS:
        return found
    return [Tick(math.log10(one.value), one.text) for one in ticks(10**low, 10**high, style)]
