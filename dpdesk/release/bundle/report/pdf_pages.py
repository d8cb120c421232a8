# SPDX-License-Identifier: Apache-2.0
"""The bundle's report.pdf: the report on A4 pages, in greys, with bookmarks and its own fonts.

For the same report always the same bytes: nothing is compressed, because programs that compress
differ, and neither the day nor the machine is in it. It holds no link, form, script or attachment.
"""

from __future__ import annotations

import io
import os
import sys
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache, singledispatchmethod
from types import ModuleType
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.report.chart import ChartLine, value_range
from dpdesk.release.bundle.report.report_blocks import (
    Blanks,
    Block,
    FigureRow,
    Figures,
    Paragraph,
    Report,
    Section,
    Terms,
)
from dpdesk.resources import resource_path
from dpdesk.study.text.number_text import in_column

MOST_LINES = 2_000
"""Lines of figures in all tables: fifty pages, which is more than anybody reads."""
MOST_TABLE_LINES = 200
"""Lines of one table."""

_WIDTH, _HEIGHT = 595.28, 841.89
_LEFT, _RIGHT, _TOP, _BOTTOM = 56.0, 539.0, 785.0, 62.0
_TEXT, _BOLD = "dpdesk-text", "dpdesk-bold"
_FONTS = {_TEXT: "fonts/DejaVuSans.ttf", _BOLD: "fonts/DejaVuSans-Bold.ttf"}
_SETTINGS = ("reportlab.local_rl_settings", "reportlab_settings")
_BLACK, _QUIET, _LINE, _SHADE = 0.0, 0.32, 0.7, 0.91
_GAP, _PLOT, _ROW = 8.0, 180.0, 26.0
_SHORT, _FEW_ROWS, _MOST_KEPT = 200.0, 8, 480.0

_CUT: Final[Template] = (
    "{shown} of {count} lines are printed here; {file} and results.xlsx have them all."
)


def pdf_bytes(report: Report) -> bytes:
    """The pages; not tagged, because the library's open version cannot mark content.

    Anyone who reads with a screen reader has the same as a page, ``report.html``, and its tables.
    """
    count = _set(report, 0)[1] if report.foot else 0
    return _set(report, count)[0]


def _set(report: Report, count: int) -> tuple[bytes, int]:
    """The pages, each of which says how many there are, unless there are 0; and how many."""
    stream = io.BytesIO()
    canvas = _canvas_class()(
        stream,
        pagesize=(_WIDTH, _HEIGHT),
        pageCompression=0,
        invariant=1,
        lang=report.words.code,
        initialFontName=_TEXT,
    )
    pages = _Pages(canvas, report, count)
    pages.draw()
    canvas.save()
    return stream.getvalue(), pages.page


def load_fonts() -> None:
    """Load the library and its fonts, which takes a moment, before pages are wanted."""
    _canvas_class()


@lru_cache(maxsize=1)
def _canvas_class() -> Any:
    """The library's canvas, with our fonts and without anybody's settings.

    As it is imported it runs a settings file in the home folder, and reads variables; a report
    may depend on neither.
    """
    for name in _SETTINGS:
        sys.modules.setdefault(name, ModuleType(name))
    variables = {name: os.environ.pop(name) for name in list(os.environ) if name[:3] == "RL_"}
    try:
        from reportlab.pdfbase.pdfmetrics import registerFont
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas
    finally:
        os.environ.update(variables)
    for name, file in _FONTS.items():
        registerFont(TTFont(name, str(resource_path(file))))
    return Canvas


class _Pages:
    """Sets a report from top to bottom, page by page.

    Attributes:
        y: how far down the page is filled.
        lines: how many more lines of figures may be set.
        count: how many pages there are; 0 where pages do not say it.
    """

    def __init__(self, canvas: Any, report: Report, count: int = 0) -> None:
        self.canvas, self.report, self.count = canvas, report, count
        self.y, self.page, self.lines = _TOP, 1, MOST_LINES
        self._grey, self._font = -1.0, ("", 0.0)

    def draw(self) -> None:
        report, canvas = self.report, self.canvas
        canvas.setTitle(printable(self._marked(report.title)))
        canvas.setAuthor(printable(report.author))
        subject = report.subject or report.words.say("Released statistics")
        canvas.setSubject(printable(subject))
        canvas.setCreator("dpdesk")
        canvas.setViewerPreference("DisplayDocTitle", "true")
        canvas.showOutline()
        self._heading(self._marked(report.title), 17)
        for block in report.opening:
            self._block(block)
        for section in report.sections:
            self._section(section)
        self._end_page()

    def _marked(self, title: str) -> str:
        """A heading with what every page of a rehearsal says."""
        mark = self.report.mark
        return f"[{mark}] {title}" if mark else title

    def _section(self, section: Section) -> None:
        self.y -= 14
        kept = sum(map(_kept_height, section.blocks))
        self.room(min(90 + kept, _MOST_KEPT))  # a heading stays with what it heads
        self._heading(self._marked(section.title), 12)
        for block in section.blocks:
            self._block(block)

    def _heading(self, title: str, size: float) -> None:
        key = f"place-{self.page}-{self.y:.2f}"
        self.canvas.bookmarkHorizontal(key, 0, self.y + size)
        self.canvas.addOutlineEntry(printable(title), key, 0 if size > 12 else 1)
        self._text(title, size, font=_BOLD)

    @singledispatchmethod
    def _block(self, block: Block) -> None:
        raise TypeError(block)

    @_block.register
    def _(self, block: Paragraph) -> None:
        is_loud = block.tone in ("warn", "doubt")
        grey = _QUIET if block.tone == "quiet" else _BLACK
        self._text(block.text, 9, font=_BOLD if is_loud else _TEXT, grey=grey)

    @_block.register
    def _(self, block: Terms) -> None:
        for term, text in block.pairs:
            lines = len(wrapped(text, _TEXT, 9, _RIGHT - _LEFT - 12))
            self.room(8 * 1.4 + 9 * 1.4 * _lines_together(0, lines))
            self._text(term, 8, grey=_QUIET, after=0)
            self._text(text, 9, indent=12)

    @_block.register
    def _(self, block: Figures) -> None:
        self._chart(block.chart, block.is_made_up)
        shown = block.rows[: min(MOST_TABLE_LINES, self.lines)]
        self.lines -= len(shown)
        _Table(self, block, shown).draw()
        if len(shown) < len(block.rows):
            self._text(self._cut(len(shown), block), 9, font=_BOLD)

    @_block.register
    def _(self, block: Blanks) -> None:
        for box in block.boxes:
            self.room(_ROW)
            self.canvas.setStrokeGray(_BLACK)
            self.canvas.setLineWidth(0.8)
            self.canvas.rect(_LEFT, self.y - 11, 8, 8, stroke=1, fill=0)
            self._text(box, 9, indent=16)
        for line in block.lines:
            self.room(2 * _ROW)
            self.y -= _GAP
            for part in wrapped(line, _TEXT, 8, 170):
                self.y -= 10
                self.write(_LEFT, self.y, part, 8, _TEXT, _QUIET)
            self.canvas.setStrokeGray(_BLACK)
            self.canvas.setLineWidth(0.5)
            self.canvas.line(_LEFT + 180, self.y - 2, _RIGHT, self.y - 2)
        self.y -= _GAP

    def _cut(self, shown: int, block: Figures) -> str:
        words, count = self.report.words, len(block.rows)
        numbers = (in_column(str(number), words.numbers) for number in (shown, count))
        return words.say(_CUT, shown=next(numbers), count=next(numbers), file=block.file)

    def _text(
        self,
        text: str,
        size: float,
        *,
        font: str = _TEXT,
        grey: float = _BLACK,
        indent: float = 0,
        after: float = 5,
    ) -> None:
        lines = wrapped(text, font, size, _RIGHT - _LEFT - indent)
        for place, line in enumerate(lines):
            self.room(size * 1.4 * _lines_together(place, len(lines)))
            self.y -= size * 1.4
            self.write(_LEFT + indent, self.y, line, size, font, grey)
        self.y -= after

    def write(self, x: float, y: float, text: str, size: float, font: str, grey: float) -> None:
        self.fill(grey)
        if self._font != (font, size):
            self._font = (font, size)
            self.canvas.setFont(font, size)
        self.canvas.drawString(x, y, text)

    def fill(self, grey: float) -> None:
        """Fill with a grey from here on; what stays the same is not written again."""
        if self._grey != grey:
            self._grey = grey
            self.canvas.setFillGray(grey)

    def room(self, height: float) -> bool:
        """Begin a page where there is no room for so much; whether one was begun."""
        if self.y - height >= _BOTTOM:
            return False
        self._end_page()
        self.y, self.page = _TOP, self.page + 1
        return True

    def _end_page(self) -> None:
        foot, width = self.report.foot, 440
        if not foot:
            foot, width = self._marked(self.report.title), 380
        self.write(_LEFT, 36, wrapped(foot, _TEXT, 7, width)[0], 7, _TEXT, _QUIET)
        number = f"{self.page} / {self.count}" if self.count else str(self.page)
        self.canvas.drawRightString(_RIGHT, 36, number)
        self.canvas.showPage()
        self._grey, self._font = -1.0, ("", 0.0)  # a page begins with none of them

    def _chart(self, lines: tuple[ChartLine, ...], is_made_up: bool) -> None:
        low, span = value_range(lines)
        for line in lines:
            self.room(13)
            self.y -= 13
            label = wrapped(line.label, _TEXT, 8, _RIGHT - _LEFT - _PLOT - 2 * _GAP)[0]
            self.write(_LEFT, self.y, label, 8, _TEXT, _BLACK)
            places = [_RIGHT - _PLOT + _PLOT * (x - low) / span for x in (0.0, *line[1:4])]
            self._interval(places, line.is_noisy or is_made_up)
        self.y -= _GAP if lines else 0

    def _interval(self, places: list[float], is_dashed: bool) -> None:
        """One line of a chart: the axis, the interval with its ends, and the figure."""
        canvas, y = self.canvas, self.y + 3
        zero, value, low, high = places
        canvas.setLineWidth(0.5)
        canvas.setStrokeGray(_LINE)
        canvas.line(zero, y - 6.5, zero, y + 6.5)
        canvas.setStrokeGray(_BLACK)
        canvas.setLineWidth(1)
        canvas.setDash([2, 2] if is_dashed else [])
        canvas.line(low, y, high, y)
        canvas.setDash([])
        canvas.lines([(x, y - 2.5, x, y + 2.5) for x in (low, high)])
        self.fill(1 if is_dashed else 0)
        canvas.rect(value - 2, y - 2, 4, 4, stroke=1, fill=1)


def _lines_together(place: int, count: int) -> int:
    """How many lines of a paragraph must follow on one page: no line is alone on another.

    >>> [_lines_together(place, 5) for place in range(5)]
    [2, 1, 1, 2, 1]
    >>> _lines_together(0, 3), _lines_together(0, 1)
    (3, 1)
    """
    if place == 0:
        return count if count <= 3 else 2
    return 2 if place == count - 2 else 1


def _kept_height(block: Block) -> float:
    """What stays on one page with its heading, about: a form, a few terms, a short table.

    Of a longer table it is the chart, its head and its first lines.
    """
    if isinstance(block, Blanks):
        return _ROW * (len(block.boxes) + len(block.lines) + 1)
    if isinstance(block, Terms):
        height = sum(30 + 12.6 * (len(text) // 90) for _term, text in block.pairs)
        return height if height <= _SHORT else 0.0
    if isinstance(block, Figures):
        rows = len(block.rows) if len(block.rows) <= _FEW_ROWS else 3
        return 13 * len(block.chart) + 14 * (rows + 1)
    return 0.0


class _Table:
    """Sets a table of figures, its head again on every page."""

    SIZE = 8.0
    LEADING = 11.0

    def __init__(self, pages: _Pages, figures: Figures, rows: Sequence[FigureRow]) -> None:
        self.pages, self.figures, self.rows = pages, figures, rows
        columns = list(zip(figures.heads, *(row.cells for row in rows), strict=True))
        wanted = [max(_width(text, _BOLD, self.SIZE) for text in column) for column in columns]
        least = [_longest_word(column, self.SIZE) for column in columns]
        self.widths = _fitted(wanted, least, _RIGHT - _LEFT - _GAP * (len(wanted) - 1))

    def draw(self) -> None:
        self._head()
        for row in self.rows:
            cells = self._wrapped(row.cells, _TEXT)
            if self.pages.room(self._height(cells)):
                self._head()
            self._line(cells, _TEXT, row.is_noisy)
        self.pages.y -= 7

    def _head(self) -> None:
        """The head, on the page of the first line that follows."""
        cells = self._wrapped(self.figures.heads, _BOLD)
        first = sum(self._height(self._wrapped(row.cells, _TEXT)) for row in self.rows[:1])
        self.pages.room(self._height(cells) + first)
        self._line(cells, _BOLD, False)

    def _wrapped(self, cells: tuple[str, ...], font: str) -> list[list[str]]:
        pairs = zip(cells, self.widths, strict=True)
        return [wrapped(text, font, self.SIZE, width) for text, width in pairs]

    def _height(self, cells: list[list[str]]) -> float:
        return max(map(len, cells), default=1) * self.LEADING + 3

    def _line(self, cells: list[list[str]], font: str, is_noisy: bool) -> None:
        pages, height = self.pages, self._height(cells)
        canvas, x, top = pages.canvas, _LEFT, pages.y
        pages.y -= height
        if is_noisy:
            pages.fill(_SHADE)
            canvas.rect(_LEFT - 3, pages.y, _RIGHT - _LEFT + 6, height, stroke=0, fill=1)
        for lines, width, is_number in zip(cells, self.widths, self.figures.numeric, strict=True):
            for place, line in enumerate(lines):
                shift = width - _width(line, font, self.SIZE) if is_number else 0
                y = top - self.LEADING * (place + 1) + 1
                pages.write(x + shift, y, line, self.SIZE, font, _BLACK)
            x += width + _GAP
        canvas.setStrokeGray(_BLACK if font == _BOLD else _LINE)
        canvas.setLineWidth(0.5)
        canvas.line(_LEFT, pages.y, _RIGHT, pages.y)


def _longest_word(texts: Iterable[str], size: float) -> float:
    return max((_width(word, _BOLD, size) for text in texts for word in text.split()), default=0.0)


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


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """A text in lines that are no wider; a word that is wider is broken."""
    words = printable(text).split()
    whole = " ".join(words)
    if _width(whole, font, size) <= width:  # as most texts are: cells, terms, titles
        return [whole]
    lines, line = list[str](), ""
    for word in words:
        longer = f"{line} {word}" if line else word
        if _width(longer, font, size) <= width:
            line = longer
            continue
        for piece in _pieces(word, font, size, width):
            longer = f"{line} {piece}" if line else piece
            if line and _width(longer, font, size) > width:
                lines.append(line)
                longer = piece
            line = longer
    return [*lines, line]


def _pieces(word: str, font: str, size: float, width: float) -> list[str]:
    """A word as it is, or what of it fits into a line each; one sign at least."""
    pieces = []
    while _width(word, font, size) > width and len(word) > 1:
        fitting = bisect_right(
            range(1, len(word)), width, key=lambda n: _width(word[:n], font, size)
        )
        pieces.append(word[: max(1, fitting)])
        word = word[max(1, fitting) :]
    return [*pieces, word]


def printable(text: str) -> str:
    """A text without signs that steer: they would not show, or move what is around them."""
    if text.isprintable():
        return text
    kinds = ((sign, unicodedata.category(sign)) for sign in text)
    return "".join(
        " " if kind == "Cc" else "\N{REPLACEMENT CHARACTER}" if kind in ("Cf", "Cs") else sign
        for sign, kind in kinds
    )


def _width(text: str, font: str, size: float) -> float:
    return _units(text, font) * size


@lru_cache(maxsize=20_000)
def _units(text: str, font: str) -> float:
    """The width at size 1; a word is measured often."""
    from reportlab.pdfbase.pdfmetrics import stringWidth

    return float(stringWidth(text, font, 1))
