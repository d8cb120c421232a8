# SPDX-License-Identifier: Apache-2.0
"""A released table as a picture: one line a group, a point with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Any

MAX_LINES = 60
_LABELS, _PLOT, _LINE, _EDGE = 220, 420, 24, 14


def chart(table: dict[str, Any]) -> str:
    """Inline SVG; nothing for a table without figures or with more lines than one can read."""
    lines = list(_lines(table))
    if not lines or len(table["rows"]) > MAX_LINES:
        return ""
    low = min(0.0, *(line[2] for line in lines))
    high = max(0.0, *(line[3] for line in lines))
    span = (high - low) or 1.0
    shapes = "".join(_shape(i, line, low, span) for i, line in enumerate(lines))
    width, height = _LABELS + _PLOT + 2 * _EDGE, len(lines) * _LINE + _EDGE
    zero = _x(0.0, low, span)
    axis = f'<line class="axis" x1="{zero}" x2="{zero}" y1="4" y2="{height - 4}"/>'
    return (
        f'<svg role="img" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f"<title>Released figures with their 95 % intervals</title>{axis}{shapes}</svg>\n"
    )


def _lines(table: dict[str, Any]) -> Iterator[tuple[str, float, float, float]]:
    """Label, value, lowest and highest of each row that says something."""
    roles = [column["role"] for column in table["columns"]]
    if not {"value", "lowest", "highest"} <= set(roles):
        return
    at = [roles.index(role) for role in ("value", "lowest", "highest")]
    groups = [i for i, role in enumerate(roles) if role in ("group", "found", "label")]
    for row in table["rows"]:
        if all(row[i] for i in at):
            value, low, high = (float(row[i]) for i in at)
            yield " · ".join(row[i] for i in groups if row[i]) or "All", value, low, high


def _shape(index: int, line: tuple[str, float, float, float], low: float, span: float) -> str:
    label, *ends = line
    value, start, end = (_x(number, low, span) for number in ends)
    y = _EDGE + index * _LINE
    short = label if len(label) <= 32 else f"{label[:31]}…"
    caps = "".join(
        f'<line class="bar" x1="{x}" x2="{x}" y1="{y - 5}" y2="{y + 5}"/>' for x in (start, end)
    )
    return (
        f'<text x="{_LABELS - 8}" y="{y + 4}" text-anchor="end">{escape(short)}</text>'
        f'<line class="bar" x1="{start}" x2="{end}" y1="{y}" y2="{y}"/>{caps}'
        f'<circle class="point" cx="{value}" cy="{y}" r="4"/>'
    )


def _x(number: float, low: float, span: float) -> str:
    return f"{_LABELS + _EDGE + _PLOT * (number - low) / span:.1f}"
