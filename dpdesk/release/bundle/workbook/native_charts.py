# SPDX-License-Identifier: Apache-2.0
"""A workbook's own charts: bars, lines over periods and curves, their margins as error bars.

They draw cells of their sheet, and hold no figure that is not in one. What takes other cells than
those of its table has them below it: see ``chart_blocks``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import Any, Final

from dpdesk.privacy.published_tables import TableColumn
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.description import MOST_BARS, MOST_CURVES
from dpdesk.release.bundle.charts.figures import NOISE
from dpdesk.release.bundle.charts.suitable_charts import CURVE, LINE
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.workbook.cells import Published
from dpdesk.release.bundle.workbook.looks import Looks
from dpdesk.study.text.number_text import PLUS_MINUS

SheetColumns = Sequence[tuple[int, TableColumn]]
"""The columns of a sheet, each with its place in the table."""

_SIZE: Final = {"width": 760, "height": 340}
INK: Final = "#0B6380"
_BAND, _GRID, _WHISKER = "#CFE4EC", "#D9DEE2", "#1F2933"
COLOURS: Final = (INK, "#B45309", "#5B4B9A", "#3F7D4E")
_MARKS: Final = ("circle", "square", "triangle", "diamond")


class SheetChart:
    """The chart of a question, of the lines of its sheet.

    Args:
        name: of the sheet.
        first: the first of its lines that have figures.
        columns: its columns.
    """

    def __init__(self, charted: Charted, name: str, first: int, columns: SheetColumns) -> None:
        self._charted, self._name, self._first = charted, name, first
        self._at = {column.role: place for place, (_i, column) in enumerate(columns)}
        self._named = {column.name: place for place, (_i, column) in enumerate(columns)}

    def made(self, looks: Looks, heads: Sequence[str]) -> Any:
        """The chart; ``None`` where its figures have none."""
        if not {"value", "half-width"} <= set(self._at):
            return None
        if self._is_curve:
            return self._curves(looks, heads)
        if self._is_plain:
            return self._figures(looks, heads)
        return None

    @property
    def _is_curve(self) -> bool:
        groups = [column for column in self._charted.table.columns if column.role == "group"]
        is_curve = self._charted.charts.kinds[0] == CURVE and "up_to" in self._named
        return is_curve and len(groups) <= 2 and len([*self._blocks()]) <= MOST_CURVES

    @property
    def _is_plain(self) -> bool:
        """Whether it has one figure for each group of one grouping."""
        charted = self._charted
        roles = [column.role for column in charted.table.columns]
        is_one = roles.count("group") == 1 and charted.figures.has_intervals
        return is_one and charted.cross is None and 1 < len(charted.table.rows) <= MOST_BARS

    def _figures(self, looks: Looks, heads: Sequence[str]) -> Any:
        is_line = self._charted.charts.kinds[0] == LINE
        chart = looks.chart({"type": "line" if is_line else "column"})
        line = {"color": INK, "width": 2.25} if is_line else None
        block = (self._first, self._first + len(self._charted.table.rows) - 1)
        chart.add_series(
            {
                **self._series(block, 0, INK),
                **({"line": line, "marker": mark_of(0)} if line else _BARS),
            }
        )
        chart.set_legend({"none": True})
        return self._framed(chart, heads[0], heads)

    def _curves(self, looks: Looks, heads: Sequence[str]) -> Any:
        """A line for each group, from bin to bin."""
        chart = looks.chart({"type": "scatter", "subtype": "straight_with_markers"})
        group = 0 if self._named["up_to"] else None
        for number, (block, colour) in enumerate(zip(self._blocks(), COLOURS, strict=False)):
            series = self._series(block, self._named["up_to"], colour)
            if group is not None:
                series["name"] = [self._name, block[0], group]
            line = {"color": colour, "width": 1.75}
            chart.add_series({**series, "line": line, "marker": mark_of(number)})
        chart.set_legend({"none": True} if group is None else {"position": "bottom"})
        return self._framed(chart, heads[self._named["up_to"]], heads)

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """First and last line of each group."""
        at, place = self._first, self._named["up_to"]
        for _group, rows in groupby(self._charted.table.rows, key=lambda row: row[:place]):
            count = len(list(rows))
            yield at, at + count - 1
            at += count

    def _series(self, block: tuple[int, int], across: int, colour: str) -> dict[str, Any]:
        first, last = block
        value, margin = self._at["value"], self._at["half-width"]
        rows = self._rows[first - self._first : last - self._first + 1]
        known = [row[self._place("half-width")] for row in rows]
        return {
            "categories": [self._name, first, across, last, across],
            "values": [self._name, first, value, last, value],
            "y_error_bars": whiskers((self._name, first, margin, last), known, colour),
        }

    def _framed(self, chart: Any, across: str, heads: Sequence[str]) -> Any:
        value, margin = self._place("value"), self._place("half-width")
        is_percent = self._charted.forms[value] == "percent"
        told = ((row[value], row[margin], low_of(self._charted, row)) for row in self._rows)
        up = with_margin(self._charted, heads[self._at["value"]])
        return framed(chart, across, up, reach_of(told), is_percent)

    def _place(self, role: ColumnRole) -> int:
        """The place of a column in the table."""
        columns = self._charted.table.columns
        return next(i for i, column in enumerate(columns) if column.role == role)

    @property
    def _rows(self) -> Sequence[tuple[str, ...]]:
        return self._charted.table.rows


def whiskers(
    cells: tuple[str, int, int, int], known: Sequence[str], colour: str = INK
) -> dict[str, Any]:
    """Error bars that draw margins.

    Args:
        cells: their sheet, first line, column and last line.
        known: what is in these cells.
        colour: of what they belong to; those of bars stand out from them.
    """
    name, first, place, last = cells
    letter = _letter(place)
    margins = f"='{name}'!${letter}${first + 1}:${letter}${last + 1}"
    told = [Published(text or "0") for text in known]
    return {
        "type": "custom",
        "plus_values": margins,
        "minus_values": margins,
        "plus_data": told,
        "minus_data": told,
        "line": {"color": _WHISKER if colour == INK else colour, "width": 1},
    }


def with_margin(charted: Charted, figure: str) -> str:
    """What an axis is called whose error bars are margins: nobody may take them for chance."""
    return f"{figure} ({PLUS_MINUS} {charted.words.say(NOISE)})"


def framed(
    chart: Any,
    across: str,
    up: str,
    reach: dict[str, float],
    is_percent: bool = False,
    is_text: bool = False,
) -> Any:
    """A chart with its axes.

    Args:
        across, up: what the axes are called.
        reach: from where to where the upright one goes.
        is_text: what is across are names, where the chart would take days.
    """
    font = {"name_font": {"size": 9, "bold": False}, "num_font": {"size": 9}}
    chart.set_x_axis({"name": across, "text_axis": is_text, "label_position": "low", **font})
    grid = {"visible": True, "line": {"color": _GRID, "width": 0.75}}
    looks = {"num_format": "0%"} if is_percent else {}
    chart.set_y_axis({"name": up, "major_gridlines": grid, **reach, **looks, **font})
    chart.set_title({"none": True})
    chart.set_size(_SIZE)
    return chart


def low_of(charted: Charted, row: Sequence[str]) -> str:
    """The lower end of a row's interval; empty where the row is too noisy to say one."""
    roles = [column.role for column in charted.table.columns]
    if "lowest" not in roles or ("mark" in roles and row[roles.index("mark")] == YES):
        return ""
    return row[roles.index("lowest")]


def reach_of(ends: Iterable[tuple[str, str, str]]) -> dict[str, float]:
    """From where to where an axis goes, margins included, where nothing below 0 is possible.

    A count that noise took below 0 is read as 0, as in window and report.

    Args:
        ends: figures with their margins and the lower ends of their intervals, as published.
    """
    told = [(float(figure) + float(margin or 0), low) for figure, margin, low in ends if figure]
    if not told or min(float(low or 0) for _high, low in told) < 0:
        return {}
    highest = max(high for high, _low in told)
    first, *others = ticks(0, highest)
    step = others[0].value - first.value if others else highest
    return {"min": 0, "max": round(ceil(highest / step) * step, 9)} if step > 0 else {"min": 0}


_BARS: Final = {"fill": {"color": _BAND}, "border": {"color": INK}, "gap": 80}


def mark_of(number: int) -> dict[str, object]:
    """The mark of one of several series."""
    colour = COLOURS[number]
    return {
        "type": _MARKS[number],
        "size": 5,
        "fill": {"color": colour},
        "border": {"color": colour},
    }


def _letter(place: int) -> str:
    """A column by its letters.

    >>> _letter(2), _letter(27)
    ('C', 'AB')
    """
    before, last = divmod(place, 26)
    return (_letter(before - 1) if before else "") + chr(ord("A") + last)
