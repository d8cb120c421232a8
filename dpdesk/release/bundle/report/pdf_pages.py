# SPDX-License-Identifier: Apache-2.0
"""The bundle's report.pdf: the report on A4 pages, with bookmarks and its own fonts.

What is told apart by colour is told apart by dash, mark or hatching, too: it is read in black and
white. For the same report always the same bytes: nothing is compressed, because programs that
compress differ, and neither the day nor the machine is in it. It holds no link, form, script or
attachment.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import singledispatchmethod
from itertools import zip_longest
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.charts.drawing import Area, ChartDrawing, Role, hatching
from dpdesk.release.bundle.report.page_tables import (
    FEW_ROWS,
    CrossOnPages,
    TableOnPages,
    cross_widths,
)
from dpdesk.release.bundle.report.pdf_drawing import COLOURS, SHADE, DrawingOnPage
from dpdesk.release.bundle.report.report_blocks import (
    HATCHED,
    Blanks,
    Block,
    CrossFigures,
    Figures,
    KeyFigure,
    KeyFigures,
    Paragraph,
    ReadingBox,
    Report,
    Section,
    Terms,
)
from dpdesk.release.bundle.text_setting import (
    BOLD,
    TEXT,
    canvas_class,
    cut_to,
    font_for,
    printable,
    text_width,
    wrapped,
)
from dpdesk.study.text.number_text import in_column

MOST_LINES = 2_000
"""Lines of figures in all tables: fifty pages, which is more than anybody reads."""
MOST_TABLE_LINES = 200
"""Lines of one table."""

WIDTH, HEIGHT = 595.28, 841.89
LEFT, RIGHT, BOTTOM = 50.0, 545.0, 66.0
TOP = 785.0
_GAP, _ROW = 8.0, 26.0
_SHORT, _MOST_KEPT, _LINES_KEPT = 200.0, 620.0, 40.0
_TOGETHER = 540.0
"""A chart and the table of its figures that are no higher stay on one page."""
_CHAPTER = 0.25
"""A chapter begins a page where less of this one is left."""
_HOLE = 180.0
"""No more of a page stays empty where what follows could have begun there."""
_TORN = 300.0
"""More of a page does not stay empty for figures that follow from those of a chart."""
_FEW_LINES = 12
_FAR = 1e6
"""How long the page is on which heights are measured."""
_TERM, _TERM_LINE = 150.0, 12.6
"""Points that a term has beside its text, and from line to line."""
_CARDS, _CARD, _CARD_GAP = 4, 62.0, 8.0
_NOTE = 8.0
"""The size of what is said beside tables, which is smaller than their figures."""
_TITLES = (22.0, 20.0, 18.0)
"""The first in which a title is one line, or the largest."""
_SECTION, _CONTENT = 13.0, 12.8

_CUT: Final[Template] = (
    "{shown} of {count} lines are printed here; {file} and results.xlsx have them all."
)
_PAGE: Final[Template] = "page {page}"
_GOES_ON: Final[Template] = "{title} (continued)"
_OF_PAGES: Final[Template] = "Page {page} of {count}"


def pdf_bytes(report: Report) -> bytes:
    """The pages; not tagged, because the library's open version cannot mark content.

    Anyone who reads with a screen reader has the same as a page, ``report.html``, and its tables.
    """
    if not (report.foot or report.listed):
        return _set(report, 0, {})
    # Where pages end depends on widths of texts alone, so the first time nothing is written.
    pages = _Pages(_Blank(), report, 0, {})
    pages.draw()
    return _set(report, pages.page, pages.begun, pages.heights)


def _set(
    report: Report,
    count: int,
    places: Mapping[str, int],
    heights: dict[int, tuple[float, float, float]] | None = None,
) -> bytes:
    """The pages.

    Args:
        report: what is on them.
        count: how many pages there are, which each says; 0 where that is not said.
        places: the page on which each numbered section begins.
        heights: of its sections, where they were measured.
    """
    stream = io.BytesIO()
    canvas = canvas_class()(
        stream,
        pagesize=(WIDTH, HEIGHT),
        pageCompression=0,
        invariant=1,
        lang=report.words.code,
        initialFontName=TEXT,
    )
    _Pages(canvas, report, count, places, heights).draw()
    canvas.save()
    return stream.getvalue()


class _Blank:
    """In place of the library's canvas and its paths, where pages are only counted."""

    def __getattr__(self, _name: str) -> _Blank:
        return self

    def __call__(self, *_given: Any, **_named: Any) -> _Blank:
        return self


def load_fonts() -> None:
    """Load the library and its fonts, which takes a moment, before pages are wanted."""
    canvas_class()


class _Pages:
    """Sets a report from top to bottom, page by page.

    Attributes:
        y: how far down the page is filled.
        lines: how many more lines of figures may be set.
        count: how many pages there are; 0 where pages do not say it.
        begun: the page of each numbered section that was set.
        heights: of each section, and of what of it stays with its heading if it can, and always.
        trailing: how much of what follows a short table stays on its page.
    """

    def __init__(
        self,
        canvas: Any,
        report: Report,
        count: int,
        places: Mapping[str, int],
        heights: dict[int, tuple[float, float, float]] | None = None,
    ) -> None:
        self.heights = {} if heights is None else heights
        self.trailing, self._goes_on = 0.0, ""
        self.canvas, self.report, self.count = canvas, report, count
        self.y, self.page, self.lines = TOP, 1, MOST_LINES
        self.begun: dict[str, int] = {}
        self._places = places
        self._fill: tuple[float, float, float] | None = None
        self._font = ("", 0.0)

    def draw(self) -> None:
        report, canvas = self.report, self.canvas
        canvas.setTitle(printable(self._marked(report.title)))
        canvas.setAuthor(printable(report.author))
        subject = report.subject or report.words.say("Released statistics")
        canvas.setSubject(printable(subject))
        canvas.setCreator("dpdesk")
        canvas.setViewerPreference("DisplayDocTitle", "true")
        canvas.showOutline()
        self._head()
        for block, after in zip_longest(report.opening, report.opening[1:]):
            self._block(block)
            self.y -= _GAP if isinstance(block, Terms) and isinstance(after, ReadingBox) else 0
        self._contents()
        for place, section in enumerate(report.sections):
            self._section(section, place)
        self._end_page()

    def _head(self) -> None:
        """Title, who released it, and what it is about."""
        report = self.report
        if not report.facts:
            self._heading(self._marked(report.title), 17)
            return
        if report.author:
            self.text(report.author, 9.5, role="quiet", after=0)
        title = self._marked(report.title)
        fitting = (size for size in _TITLES if text_width(title, BOLD, size) <= RIGHT - LEFT)
        self._heading(title, next(fitting, _TITLES[0]))
        self.y -= 4
        self.rule("ink", 0.8)
        self._facts(report.facts)
        self.rule("line", 0.6)
        self.y -= 10

    def _facts(self, facts: tuple[tuple[str, str], ...]) -> None:
        width = (RIGHT - LEFT) / len(facts)
        lines = [wrapped(text, BOLD, 9, width - _GAP) for _term, text in facts]
        top = self.y
        for place, ((term, _text), broken) in enumerate(zip(facts, lines, strict=True)):
            x = LEFT + width * place
            self.write(x, top - 13, term, 8, TEXT, "quiet")
            for number, line in enumerate(broken):
                self.write(x, top - 25 - 11.5 * number, line, 9, BOLD)
        self.y = top - 34 - 11.5 * (max(map(len, lines)) - 1)

    def rule(self, role: Role, width: float, left: float = LEFT) -> None:
        self.canvas.setStrokeColorRGB(*COLOURS[role])
        self.canvas.setLineWidth(width)
        self.canvas.line(left, self.y, RIGHT, self.y)

    def _contents(self) -> None:
        listed = self.report.listed
        if not listed:
            return
        self.y -= 6
        self.room(30 + _CONTENT * min(len(listed), 12))
        self.text(self.report.contents, 11, font=BOLD)
        for section in listed:
            self._content_line(section)
        self.y -= _GAP

    def _content_line(self, section: Section) -> None:
        page = self._places.get(section.number, 1)
        said = self.report.words.say(_PAGE, page=page)
        lines = wrapped(section.title, TEXT, 9.5, RIGHT - LEFT - 80)
        self.room(_CONTENT * len(lines))
        for place, line in enumerate(lines):
            self.y -= _CONTENT
            if place == 0:
                self.write(LEFT, self.y, section.number, 9.5, BOLD, "accent")
                self.write_right(RIGHT, self.y, said, 9.5, TEXT, "quiet")
            self.write(LEFT + 20, self.y, line, 9.5, TEXT)

    def _marked(self, title: str) -> str:
        """A heading with what every page of a rehearsal says."""
        mark = self.report.mark
        return f"[{mark}] {title}" if mark else title

    def _section(self, section: Section, place: int) -> None:
        self.y -= 12
        if place not in self.heights:
            self.heights[place] = self._heights_of(section)
        free, is_begun = self.y - BOTTOM, self.y < TOP - 100
        is_chapter = section.is_new_page and free < _CHAPTER * (TOP - BOTTOM)
        if is_begun and (is_chapter or _begins_page(*self.heights[place], free)):
            self.new_page()
        self._heading(self._marked(section.title), _SECTION, section.number)
        title = f"{section.number} {section.title}".strip()
        said = self.report.words.say(_GOES_ON, title=title)
        self._goes_on = cut_to(said, TEXT, 8, RIGHT - LEFT) if self.report.facts else ""
        if section.number:
            self.begun[section.number] = self.page
        for block, after in zip(section.blocks, (*section.blocks[1:], None), strict=True):
            is_bare = isinstance(block, Figures | CrossFigures) and _chart_of(block) is None
            if isinstance(block, Paragraph) and isinstance(after, Figures | CrossFigures):
                self.room(min(self._measured((block, _lead_of(after))), _MOST_KEPT))
            follows = isinstance(after, Paragraph) and after.tone == "quiet"
            # A table stays with its chart rather than with its notes.
            self.trailing = self._measured((after,)) if is_bare and after and follows else 0.0
            self._block(block)
        self._goes_on = ""

    def _heights_of(self, section: Section) -> tuple[float, float, float]:
        """How high a section is, and what of it stays with its heading if it can, and always."""
        pages = _Pages(_Blank(), self.report, 0, {})
        pages.y = _FAR
        pages._heading(self._marked(section.title), _SECTION, section.number)
        headed = _FAR - pages.y
        whole, lead = headed + self._measured(section.blocks), [*_lead(section.blocks)]
        charted = [*_lead(section.blocks, is_whole=True)]
        is_tabled = any(isinstance(one, Figures | CrossFigures) for one in lead)
        kept = self._measured(lead)
        if not is_tabled and kept > _SHORT:
            kept = _LINES_KEPT
        kept = min(headed + kept, _MOST_KEPT)
        together = self._measured(charted) if any(map(_chart_of, charted)) else _FAR
        if together > _TOGETHER:
            return whole, kept, kept
        # A chart that says its figures may be parted from others that follow, if it has to be.
        is_all_in_chart = any(isinstance(one, Figures) and one.is_all_in_chart for one in charted)
        return whole, headed + together, kept if is_all_in_chart else headed + together

    def _measured(self, blocks: Iterable[Block]) -> float:
        """How high blocks are, one below the other."""
        pages = _Pages(_Blank(), self.report, 0, {})
        pages.y, pages.lines = _FAR, self.lines
        for block in blocks:
            pages._block(block)
        return _FAR - pages.y

    def _heading(self, title: str, size: float, number: str = "") -> None:
        key = f"place-{self.page}-{self.y:.2f}"
        self.canvas.bookmarkHorizontal(key, 0, self.y + size)
        self.canvas.addOutlineEntry(printable(title), key, 0 if size > _SECTION else 1)
        if number:
            self.write(LEFT, self.y - size * 1.4, number, size, BOLD, "accent")
        indent = text_width(number, BOLD, size) + _GAP if number else 0
        self.text(title, size, font=BOLD, indent=indent)

    @singledispatchmethod
    def _block(self, block: Block) -> None:
        raise TypeError(block)

    @_block.register
    def _(self, block: Paragraph) -> None:
        is_loud = block.tone in ("warn", "doubt", "heading")
        role: Role = "quiet" if block.tone == "quiet" else "ink"
        size = _NOTE if role == "quiet" else 9.0
        self.text(block.text, size, font=BOLD if is_loud else TEXT, role=role)

    @_block.register
    def _(self, block: Terms) -> None:
        """Each term beside what is said of it."""
        for term, text in block.pairs:
            names = wrapped(term, TEXT, 8, _TERM - _GAP)
            lines = wrapped(text, TEXT, 9, RIGHT - LEFT - _TERM)
            height = _TERM_LINE * max(len(names), len(lines))
            self.room(height)
            for place, line in enumerate(names, start=1):
                self.write(LEFT, self.y - _TERM_LINE * place, line, 8, TEXT, "quiet")
            for place, line in enumerate(lines, start=1):
                self.write(LEFT + _TERM, self.y - _TERM_LINE * place, line, 9, TEXT)
            self.y -= height + 3

    @_block.register
    def _(self, block: Figures) -> None:
        if block.chart is not None:
            self._chart(block.chart)
            if block.is_all_in_chart:
                return
        shown = block.rows[: min(MOST_TABLE_LINES, self.lines)]
        self.lines -= len(shown)
        TableOnPages(self, block, shown).draw()
        if len(shown) < len(block.rows):
            self.text(self._cut(len(shown), block), 9, font=BOLD)

    @_block.register
    def _(self, block: CrossFigures) -> None:
        widths = cross_widths(block, RIGHT - LEFT)
        if widths is None:
            if block.plain.rows:
                self._block(block.plain)
        else:
            if block.plain.chart is not None:
                self._chart(block.plain.chart)
            self.lines -= len(block.lines)
            CrossOnPages(self, block, widths).draw()

    @_block.register
    def _(self, block: KeyFigures) -> None:
        for start in range(0, len(block.figures), _CARDS):
            self.room(_CARD + _CARD_GAP)
            width = (RIGHT - LEFT - (_CARDS - 1) * _CARD_GAP) / _CARDS
            for place, figure in enumerate(block.figures[start : start + _CARDS]):
                self._card(figure, LEFT + place * (width + _CARD_GAP), width)
            self.y -= _CARD + _CARD_GAP

    def _card(self, figure: KeyFigure, x: float, width: float) -> None:
        """A figure in a frame, its upper edge in the accent colour."""
        canvas, top = self.canvas, self.y
        canvas.setStrokeColorRGB(*COLOURS["line"])
        canvas.setLineWidth(0.7)
        canvas.rect(x, top - _CARD, width, _CARD, stroke=1, fill=0)
        self.fill("accent")
        canvas.rect(x, top - 2, width, 2, stroke=0, fill=1)
        lines = wrapped(figure.title, TEXT, 8, width - 18)[:2]
        for place, line in enumerate(lines):
            self.write(x + 9, top - 15 - 10 * place, line, 8, TEXT)
        size = 15.0
        while text_width(figure.figure, BOLD, size) > width - 18 and size > 8:
            size -= 1
        if figure.is_noisy:
            self.hatched(x + 6, top - _CARD + 16, width - 12, 19)
        self.write(x + 9, top - _CARD + 20, figure.figure, size, BOLD)
        self.write(x + 9, top - _CARD + 8, figure.margin, 8, TEXT, "quiet")

    @_block.register
    def _(self, block: ReadingBox) -> None:
        inner = RIGHT - LEFT - 50
        lines = [(sign, wrapped(text, TEXT, 9, inner)) for sign, text in block.lines]
        height = 32 + sum(13 * len(broken) + 4 for _sign, broken in lines)
        self.room(height)
        self.canvas.setStrokeColorRGB(*COLOURS["axis"])
        self.canvas.setLineWidth(0.7)
        self.canvas.roundRect(LEFT, self.y - height, RIGHT - LEFT, height, 5, stroke=1, fill=0)
        y = self.y - 18
        self.write(LEFT + 13, y, block.title, 10, BOLD)
        for sign, broken in lines:
            y -= 4
            for place, line in enumerate(broken):
                y -= 13
                if place == 0 and sign == HATCHED:
                    self.hatched(LEFT + 13, y - 1, 13, 8)
                elif place == 0:
                    at = LEFT + 19.5 - text_width(sign, BOLD, 9) / 2
                    self.write(at, y, sign, 9, BOLD, "accent")
                self.write(LEFT + 34, y, line, 9, TEXT)
        self.y -= height + 12

    @_block.register
    def _(self, block: Blanks) -> None:
        for box in block.boxes:
            self.room(_ROW)
            self.canvas.setStrokeColorRGB(*COLOURS["ink"])
            self.canvas.setLineWidth(0.8)
            self.canvas.rect(LEFT, self.y - 11, 8, 8, stroke=1, fill=0)
            self.text(box, 9, indent=16)
        for line in block.lines:
            self.room(2 * _ROW)
            self.y -= _GAP
            for part in wrapped(line, TEXT, 8, 170):
                self.y -= 10
                self.write(LEFT, self.y, part, 8, TEXT, "quiet")
            self.canvas.setStrokeColorRGB(*COLOURS["ink"])
            self.canvas.setLineWidth(0.5)
            self.canvas.line(LEFT + 180, self.y - 2, RIGHT, self.y - 2)
        self.y -= _GAP

    def _cut(self, shown: int, block: Figures) -> str:
        words, count = self.report.words, len(block.rows)
        numbers = (in_column(str(number), words.numbers) for number in (shown, count))
        return words.say(_CUT, shown=next(numbers), count=next(numbers), file=block.file)

    def _chart(self, drawing: ChartDrawing) -> None:
        self.room(drawing.height + _GAP)
        DrawingOnPage(self.canvas, LEFT, self.y - 2).draw(drawing)
        self.y -= drawing.height + _GAP + 2
        self._fill, self._font = None, ("", 0.0)

    def text(
        self,
        text: str,
        size: float,
        *,
        font: str = TEXT,
        role: Role = "ink",
        indent: float = 0,
        after: float = 5,
    ) -> None:
        """A paragraph, in as many lines as it needs."""
        lines = wrapped(text, font, size, RIGHT - LEFT - indent)
        for place, line in enumerate(lines):
            self.room(size * 1.4 * _lines_together(place, len(lines)))
            self.y -= size * 1.4
            self.write(LEFT + indent, self.y, line, size, font, role)
        self.y -= after

    def write(
        self, x: float, y: float, text: str, size: float, font: str, role: Role = "ink"
    ) -> None:
        self.fill(role)
        own = font_for(text, font)
        if self._font != (own, size):
            self._font = (own, size)
            self.canvas.setFont(own, size)
        self.canvas.drawString(x, y, text)

    def write_right(
        self, x: float, y: float, text: str, size: float, font: str, role: Role = "ink"
    ) -> None:
        """The same, ending there."""
        self.write(x - text_width(text, font, size), y, text, size, font, role)

    def fill(self, role: Role) -> None:
        """Fill with a colour from here on; what stays the same is not written again."""
        if self._fill != COLOURS[role]:
            self._fill = COLOURS[role]
            self.canvas.setFillColorRGB(*COLOURS[role])

    def shade(self, x: float, y: float, width: float, height: float, heat: float = 0.0) -> None:
        """A ground of quiet grey, or of as much of the band's colour as there is heat."""
        pairs = zip(COLOURS["ground"], COLOURS["band"], strict=True)
        warm = tuple(round(a + heat * (b - a), 3) for a, b in pairs)
        self._fill = None
        self.canvas.setFillColorRGB(*(warm if heat else SHADE))
        self.canvas.rect(x, y, width, height, stroke=0, fill=1)

    def hatched(self, x: float, y: float, width: float, height: float) -> None:
        """What is too noisy to use."""
        self.canvas.setStrokeColorRGB(*COLOURS["axis"])
        self.canvas.setLineWidth(0.4)
        self.canvas.lines([(*a, *b) for a, b in hatching(Area(x, y, width, height))])

    def room(self, height: float) -> bool:
        """Begin a page where there is no room for so much; whether one was begun."""
        if self.y - height >= BOTTOM:
            return False
        self.new_page()
        return True

    def new_page(self) -> None:
        """Begin a page; within a section, with a line that says which one goes on."""
        self._end_page()
        self.y, self.page = TOP, self.page + 1
        if self._goes_on:
            self.y -= 12
            self.write(LEFT, self.y, self._goes_on, 8, TEXT, "quiet")
            self.y -= 10

    def _end_page(self) -> None:
        report = self.report
        self._fill, self._font = None, ("", 0.0)
        if report.facts:
            self._edges()
        else:
            foot, width = (report.foot, 440) if report.foot else (self._marked(report.title), 380)
            self.write(LEFT, 36, wrapped(foot, TEXT, 7, width)[0], 7, TEXT, "quiet")
            number = f"{self.page} / {self.count}" if self.count else str(self.page)
            self.write_right(RIGHT, 36, number, 7, TEXT, "quiet")
        self.canvas.showPage()
        self._fill, self._font = None, ("", 0.0)  # a page begins with none of them

    def _edges(self) -> None:
        """Title and signer above all pages but the first; below, how to verify, and the number."""
        report, kept = self.report, self.y
        if self.page > 1:
            self.y = 802
            self.rule("line", 0.6)
            self.write(LEFT, 809, wrapped(report.title, TEXT, 8, 300)[0], 8, TEXT, "quiet")
            author = wrapped(report.author, TEXT, 8, 180)[0]
            self.write_right(RIGHT, 809, author, 8, TEXT, "quiet")
        self.y = 50
        self.rule("line", 0.6)
        self.write(LEFT, 36, wrapped(report.foot, TEXT, 8, 340)[0], 8, TEXT, "quiet")
        said = report.words.say(_OF_PAGES, page=self.page, count=self.count or self.page)
        self.write_right(RIGHT, 36, said, 8, TEXT, "quiet")
        self.y = kept


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


def _lead(blocks: Sequence[Block], is_whole: bool = False) -> Iterator[Block]:
    """What a heading stays with: all up to its first chart or table, or what has none.

    Of a table with a chart it is the chart; of a long one, its head and its first lines.

    Args:
        is_whole: whether a chart stays with the table of its figures, which may follow it.
    """
    for place, block in enumerate(blocks):
        if isinstance(block, Figures | CrossFigures):
            yield _lead_of(block, is_whole)
            rest = blocks[place + 1 :]
            has_table = any(isinstance(one, Figures | CrossFigures) for one in rest)
            if not (
                is_whole and has_table and isinstance(block, Figures) and block.is_all_in_chart
            ):
                return
        else:
            yield block


def _chart_of(block: Block) -> ChartDrawing | None:
    plain = block.plain if isinstance(block, CrossFigures) else block
    return plain.chart if isinstance(plain, Figures) else None


def _lead_of(block: Figures | CrossFigures, is_whole: bool = False) -> Figures | CrossFigures:
    chart = _chart_of(block)
    if is_whole and chart is not None:
        return block
    if chart is not None:
        return Figures((), (), (), chart, "", is_all_in_chart=True)
    if isinstance(block, CrossFigures):
        return replace(block, lines=block.lines[:_FEW_LINES])
    return block if len(block.rows) <= FEW_ROWS else replace(block, rows=block.rows[:3])


def _begins_page(whole: float, wanted: float, least: float, free: float) -> bool:
    """Whether a section begins a page, so that no large part of the one before stays empty.

    Args:
        whole: how high it is.
        wanted: what of it stays with its heading: a chart with the table of its figures.
        least: the same where that would leave too much of a page empty.
        free: how much is left of the page.

    >>> _begins_page(300, 200, 200, 320), _begins_page(300, 200, 200, 190)
    (False, True)
    >>> _begins_page(600, 80, 80, 150), _begins_page(600, 80, 80, 400)
    (True, False)
    >>> _begins_page(600, 400, 200, 350), _begins_page(600, 400, 200, 250)
    (False, True)
    """
    if (least if free > _TORN else wanted) > free:
        return True
    return free <= _HOLE and free < whole <= TOP - BOTTOM
