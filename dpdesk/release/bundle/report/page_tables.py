# SPDX-License-Identifier: Apache-2.0
"""Tables of figures on pages to print: no line is torn, and each page has the head again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from dpdesk.release.bundle.charts.drawing import Role
from dpdesk.release.bundle.report.report_blocks import (
    CrossCell,
    CrossFigures,
    CrossLine,
    FigureRow,
    Figures,
)
from dpdesk.release.bundle.text_setting import BOLD, TEXT, cut_to, text_width, wrapped

_LEFT, _RIGHT, _GAP = 50.0, 545.0, 8.0
_AIR = 44.0
"""Columns have no more between them than the gap and this, whatever room a page has."""
_UNTORN, _RULE = 640.0, 4.0
"""Higher tables go on over pages; so much is below the last line of one."""
_HEAD_LINES, _HEAD = 5, 80.0
"""A head has no more lines, and is wrapped where it is wider."""
FEW_ROWS = 16
"""A list of more lines goes on over pages, too."""


class Pages(Protocol):
    """What sets pages.

    Attributes:
        y: how far down the page is filled.
        trailing: how much of what follows a short table stays on its page.
    """

    canvas: Any
    y: float
    trailing: float

    def room(self, height: float) -> bool: ...
    def write(
        self, x: float, y: float, text: str, size: float, font: str, role: Role = "ink"
    ) -> None: ...
    def write_right(
        self, x: float, y: float, text: str, size: float, font: str, role: Role = "ink"
    ) -> None: ...
    def rule(self, role: Role, width: float, left: float = _LEFT) -> None: ...
    def shade(self, x: float, y: float, width: float, height: float, heat: float = 0.0) -> None: ...
    def hatched(self, x: float, y: float, width: float, height: float) -> None: ...


class TableOnPages:
    """Sets a table of figures, its head again on every page."""

    SIZES = (8.5, 8.0, 7.5, 7.0)
    """The first at which no word is broken, or the smallest."""
    LEADING = 11.0
    AIR = 1.8

    def __init__(self, pages: Pages, figures: Figures, rows: Sequence[FigureRow]) -> None:
        self.pages, self.figures, self.rows = pages, figures, rows
        self.heads = tuple(head.replace("± 95 %", "±\u00a095\u00a0%") for head in figures.heads)
        columns = list(zip(self.heads, *(map(_unbroken, row.cells) for row in rows), strict=True))
        room = _RIGHT - _LEFT - _GAP * (len(columns) - 1)
        longest = [_longest_word(column, 1.0) for column in columns]
        sizes = (size for size in self.SIZES if size * sum(longest) <= room)
        self.size = next(sizes, self.SIZES[-1])
        least = [self.size * word for word in longest]
        wanted = [max(map(self._wanted, column[1:]), default=0.0) for column in columns]
        # A head is broken where it is much wider than what is below it, and the room is little.
        heads = [self._wanted(head) for head in self.heads]
        whole = [max(two) for two in zip(wanted, heads, strict=True)]
        half = [
            wide * (0.55 if " " in head else 1)
            for wide, head in zip(heads, self.heads, strict=True)
        ]
        broken = [max(three) for three in zip(wanted, least, half, strict=True)]
        has_room = sum(whole) + _GAP * (len(columns) - 1) <= room
        self.widths = _fitted(whole if has_room else broken, least, room)
        spare = (room - sum(self.widths)) / max(1, len(columns) - 1)
        self.between = _GAP + min(_AIR, max(0.0, spare))

    def _wanted(self, text: str) -> float:
        return text_width(text, TEXT, self.size)

    @property
    def whole(self) -> float:
        """How high it is, with its head."""
        lines = (self.heads, *(row.cells for row in self.rows))
        return sum(self._height(self._wrapped(cells, TEXT)) for cells in lines)

    def draw(self) -> None:
        if len(self.rows) <= FEW_ROWS and self.whole <= _UNTORN:
            self.pages.room(min(self.whole + self.pages.trailing, _UNTORN))
        self._head()
        for row in self.rows:
            cells = self._wrapped(row.cells, TEXT)
            if self.pages.room(self._height(cells)):
                self._head()
            self._line(cells, row.is_noisy)
        self.pages.y -= 9

    def _head(self) -> None:
        """The head, on the page of the first line that follows."""
        cells = self._wrapped(self.heads, TEXT)
        first = sum(self._height(self._wrapped(row.cells, TEXT)) for row in self.rows[:1])
        self.pages.room(self._height(cells) + first)
        self._line(cells, is_noisy=False, is_head=True)

    def _wrapped(self, cells: tuple[str, ...], font: str) -> list[list[str]]:
        pairs = zip(cells, self.widths, strict=True)
        return [wrapped(_unbroken(text), font, self.size, width) for text, width in pairs]

    def _height(self, cells: list[list[str]]) -> float:
        return max(map(len, cells), default=1) * self.LEADING + 2 * self.AIR

    def _line(self, cells: list[list[str]], is_noisy: bool, is_head: bool = False) -> None:
        pages, height = self.pages, self._height(cells)
        x, top = _LEFT, pages.y
        pages.y -= height
        if is_noisy:
            pages.hatched(_LEFT, pages.y, _RIGHT - _LEFT, height)
        role: Role = "quiet" if is_head else "ink"
        for lines, width, is_number in zip(cells, self.widths, self.figures.numeric, strict=True):
            for place, line in enumerate(lines):
                wide = text_width(line, TEXT, self.size)
                at = x + (width - wide if is_number else 0)
                y = top - self.AIR - self.LEADING * (place + 1) + 3
                if is_noisy and line:
                    _ground(pages, at - 2, y - 2.5, wide + 4, self.LEADING - 0.5)
                pages.write(at, y, line, self.size, TEXT, role)
            x += width + self.between
        pages.rule("ink" if is_head else "line", 0.8 if is_head else 0.5)


def _unbroken(text: str) -> str:
    """A cell whose per cent signs stay on the lines of their numbers."""
    return text.replace(" %", "\u00a0%")


def _ground(pages: Pages, x: float, y: float, width: float, height: float) -> None:
    """A ground of its own: hatching behind digits cannot be read."""
    pages.shade(x, y, width, height, heat=1e-9)


class CrossWidths:
    """How wide the columns of a cross-table are.

    Attributes:
        name: that of the names of the lines.
        cell: that of each other column.
        is_beside: whether margins are beside their figures, or below them.
        figure, margin: the widest of each.
    """

    def __init__(self, name: float, cell: float, figure: float, margin: float) -> None:
        self.name, self.cell, self.figure, self.margin = name, cell, figure, margin
        self.is_beside = figure + margin + 12 <= cell


def cross_widths(block: CrossFigures, room: float) -> CrossWidths | None:
    """Widths of a cross-table's columns; ``None`` where there is no room for its figures."""
    names = [*(line.name for line in block.lines), block.corner]
    cells = [cell for line in block.lines for cell in line.cells]
    figure = max(text_width(cell.figure, BOLD, 8.5) for cell in cells)
    margin = max(text_width(cell.margin, TEXT, 7) for cell in cells)
    columns = len(block.heads)
    most, beside = 0.34 * room, figure + margin + 12
    if columns * beside > room - most:  # margins are below, so names may have what is left
        parts = (text_width(line, TEXT, 8) for head in block.heads for line in head.split("\n"))
        needed = max(figure, margin, *(min(part, _HEAD) for part in parts)) + 8
        most = min(max(room - columns * needed, 0.25 * room), 0.5 * room)
    name = min(max(text_width(text, TEXT, 8.5) for text in names) + 2 * _GAP, most)
    cell = min((room - name) / columns, 150.0)
    return (
        CrossWidths(room - cell * columns, cell, figure, margin)
        if max(figure, margin) + 6 <= cell
        else None
    )


class CrossOnPages:
    """Sets a cross-table: a figure and its margin a cell, totals shaded, its head on every page."""

    SIZE, SMALL, LEADING = 8.5, 7.0, 11.0

    def __init__(self, pages: Pages, block: CrossFigures, widths: CrossWidths) -> None:
        self.pages, self.block, self.widths = pages, block, widths
        self.height = 16.0 if widths.is_beside else 23.0
        columns = zip(*(line.cells for line in block.lines), strict=True)
        self.bare = [not any(cell.margin for cell in column) for column in columns]
        """Which columns have figures without margins, such as p."""

    def draw(self) -> None:
        lines = sum(self._height(line) for line in self.block.lines)
        whole = self._head_height() + lines + _RULE
        if whole <= _UNTORN:
            self.pages.room(min(whole + self.pages.trailing, _UNTORN))
        self._head()
        for line in self.block.lines:
            if self.pages.room(self._height(line) + _RULE):
                self._head()
            self._line(line)
        self.pages.rule("ink", 0.8)
        self.pages.y -= 9

    def _right(self, place: int) -> float:
        return _LEFT + self.widths.name + self.widths.cell * (place + 1)

    def _head_height(self) -> float:
        across = 13.0 if self.block.across else 0.0
        return across + 10 * max(len(self._lines_of(head)) for head in self.block.heads) + 9

    def _lines_of(self, head: str) -> list[str]:
        return _head_lines(head, self.widths.cell - 6)

    def _head(self) -> None:
        pages, cell, height = self.pages, self.widths.cell, self._head_height()
        heads = [self._lines_of(head) for head in self.block.heads]
        pages.room(height + 2 * self.height)
        if self.block.has_totals:
            x = self._right(len(heads) - 2)
            pages.shade(x, pages.y - height, cell, height)
        if self.block.across:
            pages.write(
                _LEFT + self.widths.name + 6, pages.y - 11, self.block.across, 8, TEXT, "quiet"
            )
        pages.y -= height
        corner = cut_to(self.block.corner, TEXT, 8, self.widths.name - _GAP)
        pages.write(_LEFT + 4, pages.y + 6, corner, 8, TEXT, "quiet")
        for place, lines in enumerate(heads):
            for up, line in enumerate(reversed(lines)):
                x = self._head_end(place, line)
                pages.write_right(x, pages.y + 6 + 10 * up, line, 8, TEXT, "quiet")
        pages.rule("ink", 0.8)

    def _figure_end(self, place: int) -> float:
        """Where the figures of a column end."""
        has_margins = self.widths.is_beside and not self.bare[place]
        return self._right(place) - 5 - (self.widths.margin + 6 if has_margins else 0)

    def _head_end(self, place: int, head: str) -> float:
        """Where a head ends: above its figures, or farther right where it needs all of its cell."""
        begins = self._right(place) - self.widths.cell + 3
        wide = begins + text_width(head, TEXT, 8)
        return min(self._right(place) - 5, max(self._figure_end(place), wide))

    def _name(self, line: CrossLine) -> list[str]:
        """A line's name in as many lines as it takes, three at most."""
        font = BOLD if line.is_total else TEXT
        lines = wrapped(line.name, font, self.SIZE, self.widths.name - _GAP)
        rest = cut_to(" ".join(lines[2:]), font, self.SIZE, self.widths.name - _GAP)
        return lines[:3] if len(lines) <= 3 else [*lines[:2], rest]

    def _height(self, line: CrossLine) -> float:
        """How high a line is; one without figures, which heads those below it, is lower."""
        is_heading = not any(cell.figure or cell.margin for cell in line.cells)
        return (18.0 if is_heading else self.height) + self.LEADING * (len(self._name(line)) - 1)

    def _line(self, line: CrossLine) -> None:
        pages, top, name = self.pages, self.pages.y, self._name(line)
        height = self._height(line)
        pages.y -= height
        if line.is_total:
            pages.shade(_LEFT, pages.y, self._right(len(line.cells) - 1) - _LEFT, height)
        font = BOLD if line.is_total else TEXT
        first = top - (height - self.LEADING * (len(name) - 1)) / 2 - 3
        for down, text in enumerate(name):
            pages.write(_LEFT + 4, first - self.LEADING * down, text, self.SIZE, font)
        for place, cell in enumerate(line.cells):
            is_total = self.block.has_totals and place == len(line.cells) - 1
            self._cell(place, cell, height, is_total or line.is_total)
        pages.rule("line", 0.5)

    def _cell(self, place: int, cell: CrossCell, height: float, is_total: bool) -> None:
        pages, widths = self.pages, self.widths
        left, bottom = self._right(place) - widths.cell, self.pages.y
        if is_total:
            pages.shade(left, bottom, widths.cell, height)
        elif cell.heat is not None:
            pages.shade(left, bottom, widths.cell, height, max(cell.heat, 1e-9))
        if cell.is_noisy:
            pages.hatched(left, bottom, widths.cell, height)
            wide = max(text_width(cell.figure, BOLD, 8.5), 0 if widths.is_beside else widths.margin)
            beside = widths.margin + 6 if widths.is_beside else 0
            x = self._figure_end(place) - wide - 2
            _ground(pages, x, bottom + height - self.height + 4, wide + beside + 4, self.height - 8)
        lift = 0.0 if widths.is_beside else 5.0
        y = bottom + height - self.height / 2 - 3 + lift
        font = TEXT if cell.is_noisy else BOLD
        pages.write_right(self._figure_end(place), y, cell.figure, self.SIZE, font)
        if widths.is_beside:
            pages.write(self._figure_end(place) + 5, y, cell.margin, self.SMALL, TEXT, "quiet")
        else:
            pages.write_right(
                self._figure_end(place), y - 9.5, cell.margin, self.SMALL, TEXT, "quiet"
            )


def _head_lines(head: str, width: float) -> list[str]:
    """A head in few lines; each of its own lines begins one."""
    lines = (wrapped(line, TEXT, 8, width) for line in head.split("\n"))
    return [part for line in lines for part in line][:_HEAD_LINES]


def _longest_word(texts: Iterable[str], size: float) -> float:
    return max(
        (text_width(word, TEXT, size) for text in texts for word in text.split(" ")), default=0.0
    )


def _fitted(wanted: list[float], least: list[float], room: float) -> list[float]:
    """Widths of columns: what they want; where there is less room, the widest give way.

    None becomes narrower than its longest word, unless the longest words do not fit either.

    >>> _fitted([10.0, 20.0], [10.0, 20.0], 100.0), _fitted([10.0, 80.0, 90.0], [0.0] * 3, 100.0)
    ([10.0, 20.0], [10.0, 45.0, 45.0])
    >>> _fitted([10.0, 80.0, 90.0], [10.0, 20.0, 60.0], 100.0)
    [10.0, 30.0, 60.0]
    >>> _fitted([80.0, 90.0], [60.0, 60.0], 100.0)
    [50.0, 50.0]
    """
    kept = dict[int, float]()
    while sum(least) <= room:
        free = [place for place in range(len(wanted)) if place not in kept]
        shared = _shared([wanted[place] for place in free], room - sum(kept.values()))
        widths = dict(zip(free, shared, strict=True))
        short = {place: least[place] for place in free if widths[place] < least[place]}
        kept |= short
        if not short:
            return [(kept | widths)[place] for place in range(len(wanted))]
    return _shared(wanted, room)


def _shared(wanted: list[float], room: float) -> list[float]:
    left, widths = room, dict.fromkeys(range(len(wanted)), 0.0)
    for rank, place in enumerate(sorted(widths, key=lambda place: wanted[place])):
        widths[place] = min(wanted[place], left / (len(wanted) - rank))
        left -= widths[place]
    return list(widths.values())
