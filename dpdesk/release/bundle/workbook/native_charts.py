# SPDX-License-Identifier: Apache-2.0
"""A workbook's own charts: bars, lines over periods and curves, their margins as error bars.

They draw cells of their sheet, and hold no figure that is not in one. Quantiles and cross-tables
have none: a spreadsheet's own charts show neither boxes with ranges nor heat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import ceil
from typing import Any, Final

from dpdesk.privacy.published_tables import TableColumn
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.release.bundle.charts.axis import ticks
from dpdesk.release.bundle.charts.description import MOST_BARS, MOST_CURVES
from dpdesk.release.bundle.charts.suitable_charts import CURVE, LINE
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.bundle.workbook.cells import Published
from dpdesk.release.bundle.workbook.looks import Looks

SheetColumns = Sequence[tuple[int, TableColumn]]
"""The columns of a sheet, each with its place in the table."""

LINES: Final = 18
"""Lines of a sheet that a chart covers."""
_SIZE: Final = {"width": 760, "height": 340}
_INK, _BAND, _GRID = "#0B6380", "#CFE4EC", "#D9DEE2"
_COLOURS: Final = ("#0B6380", "#B45309", "#5B4B9A", "#3F7D4E")
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
        line = {"color": _INK, "width": 2.25} if is_line else None
        block = (self._first, self._first + len(self._charted.table.rows) - 1)
        chart.add_series(
            {
                **self._series(block, 0, _INK),
                **({"line": line, "marker": _mark(0)} if line else _BARS),
            }
        )
        chart.set_legend({"none": True})
        return self._framed(chart, heads[0], heads)

    def _curves(self, looks: Looks, heads: Sequence[str]) -> Any:
        """A line for each group, from bin to bin."""
        chart = looks.chart({"type": "scatter", "subtype": "straight_with_markers"})
        group = 0 if self._named["up_to"] else None
        for number, (block, colour) in enumerate(zip(self._blocks(), _COLOURS, strict=False)):
            series = self._series(block, self._named["up_to"], colour)
            if group is not None:
                series["name"] = [self._name, block[0], group]
            line = {"color": colour, "width": 1.75}
            chart.add_series({**series, "line": line, "marker": _mark(number)})
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
        letter = _letter(margin)
        margins = f"='{self._name}'!${letter}${first + 1}:${letter}${last + 1}"
        rows = self._rows[first - self._first : last - self._first + 1]
        known = [Published(row[self._place("half-width")] or "0") for row in rows]
        return {
            "categories": [self._name, first, across, last, across],
            "values": [self._name, first, value, last, value],
            "y_error_bars": {
                "type": "custom",
                "plus_values": margins,
                "minus_values": margins,
                "plus_data": known,
                "minus_data": known,
                "line": {"color": "#1F2933" if colour == _INK else colour, "width": 1},
            },
        }

    def _framed(self, chart: Any, across: str, heads: Sequence[str]) -> Any:
        font = {"name_font": {"size": 9, "bold": False}, "num_font": {"size": 9}}
        chart.set_x_axis({"name": across, **font})
        grid = {"visible": True, "line": {"color": _GRID, "width": 0.75}}
        form = self._charted.forms[self._place("value")]
        looks = {"num_format": "0%"} if form == "percent" else {}
        name = heads[self._at["value"]]
        chart.set_y_axis({"name": name, "major_gridlines": grid, **self._reach, **looks, **font})
        chart.set_size(_SIZE)
        return chart

    def _place(self, role: ColumnRole) -> int:
        """The place of a column in the table."""
        columns = self._charted.table.columns
        return next(i for i, column in enumerate(columns) if column.role == role)

    @property
    def _reach(self) -> dict[str, float]:
        """From where to where the axis goes, margins included, where nothing is below 0."""
        value, margin = self._place("value"), self._place("half-width")
        pairs = [(float(row[value]), float(row[margin] or 0)) for row in self._rows if row[value]]
        if not pairs or min(figure for figure, _off in pairs) < 0:
            return {}
        highest = max(sum(pair) for pair in pairs)
        first, *others = ticks(0, highest)
        step = others[0].value - first.value if others else highest
        return {"min": 0, "max": round(ceil(highest / step) * step, 9)} if step > 0 else {"min": 0}

    @property
    def _rows(self) -> Sequence[tuple[str, ...]]:
        return self._charted.table.rows


_BARS: Final = {"fill": {"color": _BAND}, "border": {"color": _INK}, "gap": 80}


def _mark(number: int) -> dict[str, object]:
    colour = _COLOURS[number]
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
