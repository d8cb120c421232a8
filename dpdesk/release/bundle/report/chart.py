# SPDX-License-Identifier: Apache-2.0
"""A released table as a picture: one line a group, a point with its 95 % interval.

What is too noisy to use is dashed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from typing import Final, NamedTuple

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import Form, cell_writer
from dpdesk.study.text.spreadsheet_cells import WRITTEN_NUMBER, neutral

MAX_LINES = 60
PICTURE: Final[Template] = "Released figures with their 95 % intervals"
"""What a chart is called."""
_LABELS, _PLOT, _LINE, _EDGE = 220, 420, 24, 14


class ChartLine(NamedTuple):
    """One line of the picture."""

    label: str
    value: float
    lowest: float
    highest: float
    is_noisy: bool


def chart_lines(
    table: Table, forms: tuple[Form, ...], words: ReleaseWords
) -> tuple[ChartLine, ...]:
    """The lines of a table's chart; none of a table with more lines than one can read."""
    return () if len(table.rows) > MAX_LINES else tuple(_lines(table, forms, words))


def value_range(lines: Iterable[ChartLine]) -> tuple[float, float]:
    """The lowest number and the distance to the highest one; 0 is among them."""
    ends = [0.0, *(end for line in lines for end in line[1:4])]
    return min(ends), (max(ends) - min(ends)) or 1.0


def svg(lines: tuple[ChartLine, ...], title: str = PICTURE, is_made_up: bool = False) -> str:
    """Inline SVG under its title; nothing without lines. What is made up is dashed and hollow."""
    if not lines:
        return ""
    low, span = value_range(lines)
    shapes = "".join(_shape(i, line, low, span) for i, line in enumerate(lines))
    if is_made_up:
        shapes = f'<g class="made-up">{shapes}</g>'
    width, height = _LABELS + _PLOT + 2 * _EDGE, len(lines) * _LINE + _EDGE
    zero = _x(0.0, low, span)
    axis = f'<line class="axis" x1="{zero}" x2="{zero}" y1="4" y2="{height - 4}"/>'
    return (
        f'<svg role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>{escape(title)}</title>{axis}{shapes}</svg>\n"
    )


def _lines(table: Table, forms: tuple[Form, ...], words: ReleaseWords) -> Iterator[ChartLine]:
    """Each row that says something, its interval as the table has it."""
    roles = [column.role for column in table.columns]
    if not {"value", "lowest", "highest"} <= set(roles):
        return
    at = [roles.index(role) for role in ("value", "lowest", "highest")]
    mark = roles.index("mark") if "mark" in roles else None
    labels = [i for i, role in enumerate(roles) if role in ("group", "found", "label")]
    groups = {i: cell_writer(forms[i], words) for i in labels}
    for row in table.rows:
        if all(row[i] for i in at):
            value, low, high = (float(row[i]) for i in at)
            parts = (write(row[i]) for i, write in groups.items() if row[i])
            label = " · ".join(parts) or words.say("All")
            # Noise may take a count below 0, which its interval does not reach; the table has it.
            shown = min(max(value, low), high)
            yield ChartLine(label, shown, low, high, mark is not None and row[mark] == YES)


def _shape(index: int, line: ChartLine, low: float, span: float) -> str:
    label, ends = line.label, line[1:4]
    value, start, end = (_x(number, low, span) for number in ends)
    y = _EDGE + index * _LINE
    short = _still(label if len(label) <= 32 else f"{label[:31]}…")
    caps = "".join(
        f'<line class="bar" x1="{x}" x2="{x}" y1="{y - 5}" y2="{y + 5}"/>' for x in (start, end)
    )
    shape = (
        f'<line class="bar" x1="{start}" x2="{end}" y1="{y}" y2="{y}"/>{caps}'
        f'<circle class="point" cx="{value}" cy="{y}" r="4"/>'
    )
    if line.is_noisy:
        shape = f'<g class="noisy">{shape}</g>'
    return f'<text x="{_LABELS - 8}" y="{y + 4}" text-anchor="end">{escape(short)}</text>{shape}'


def _still(label: str) -> str:
    """A label that runs nowhere; a spreadsheet takes all of them for one cell, numbers, too."""
    is_negative = label.startswith("-") and WRITTEN_NUMBER.fullmatch(label)
    return neutral(f"\N{MINUS SIGN}{label[1:]}" if is_negative else label)


def _x(number: float, low: float, span: float) -> str:
    return f"{_LABELS + _EDGE + _PLOT * (number - low) / span:.1f}"
