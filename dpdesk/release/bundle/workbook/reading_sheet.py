# SPDX-License-Identifier: Apache-2.0
"""One sheet for people while it is written: heads that stay in view, links, sentences, figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Any, Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.readable import NUMBERS, Form
from dpdesk.release.bundle.workbook.cells import MOST_SIGNS, Published, hundredths, is_kept
from dpdesk.release.bundle.workbook.looks import Looks

_NOTES: Final[Template] = "Notes"
_LEAST_WIDTH, _MOST_WIDTH, _MEASURED = 10, 44, 400
_LINE = 120
"""Signs of a line of sentences."""
_HEAD_LINES, _LINE_HEIGHT, _TITLE_HEIGHT = 3, 15, 20
_SHORT = 12
"""Signs of a head that takes one line."""
_BOLD = 2
"""Signs by which bold words are longer than others, and from one head to the next."""
_TERM = _MOST_WIDTH - 4
_MOST_ABOVE = 2
"""Lines of a question above its table: what stays in view leaves the figures their room."""
_LINES_ACROSS, _SIGNS_UPRIGHT, _MOST_ON_PAGE = 36, 150, 90
"""Lines that a page has across, signs that one upright has, and lines that one may have at all."""
CHART_LINES: Final = 18
"""Lines of a sheet that a chart covers."""


class ReadingSheet:
    """One sheet for people, written from its top to its last line.

    Attributes:
        at: the line that is written next.
        widest: signs of the widest column; a longer text takes several lines.
        is_kept: whether something stays in view above all that follows.
    """

    widest = _MOST_WIDTH

    def __init__(self, sheet: Any, looks: Looks, say: Callable[..., str]) -> None:
        self.sheet, self.looks, self.at = sheet, looks, 0
        self._say = say
        self._widths: dict[int, int] = {}
        self._tall: dict[int, list[tuple[int, str]]] = {}
        self._links = (0, 0)
        self.is_kept = False

    def top(self, title: str, asked: str, links: Sequence[tuple[str, str]]) -> tuple[str, ...]:
        """Title, what is asked, links: few lines, as they stay in view with the heads below.

        Args:
            links: name and text of each.

        Returns:
            What had no room, for the notes.
        """
        self.headline(title)
        has_room = len(wrap(asked, _LINE)) <= _MOST_ABOVE
        if has_room:
            self.paragraph(asked, self.looks.quiet)
        for place, (name, text) in enumerate(links):
            self.link(place, name, text)
        self._links = self.at, len(links)
        self.at += 1
        return () if has_room else (asked,)

    def headline(self, title: str) -> None:
        """The title, in a line of its height."""
        self.sheet.set_row(self.at, _TITLE_HEIGHT)
        self.line((title,), self.looks.title)

    def notes(self, said: Iterable[str]) -> None:
        """What a reader must know, below the figures, with a link to it among those above."""
        sentences = list(dict.fromkeys(filter(None, said)))
        if not sentences:
            return
        heading, (line, place) = self._say(_NOTES), self._links
        self.at += 1
        self._link(line, place, self.name, f"{heading} ↓", self.at)
        self.line((heading,), self.looks.bold)
        for sentence in sentences:
            self.paragraph(sentence, self.looks.quiet)

    @property
    def name(self) -> str:
        return str(self.sheet.get_name())

    def chart(self, chart: Any, description: str, line: int | None = None) -> None:
        """A chart below what is written, with what it is for those who do not see it.

        Args:
            line: where room was left for it.
        """
        line = self.leave_room() if line is None else line
        self.sheet.insert_chart(line, 0, chart, {"description": description})

    def leave_room(self) -> int:
        """Lines for a chart that draws cells below it; the first of them."""
        self.at += CHART_LINES + 1
        return self.at - CHART_LINES

    def line(self, texts: Iterable[str], look: Any = None, first: int = 0) -> None:
        """A line of texts, which may be wider than their columns."""
        for place, text in enumerate(texts, start=first):
            self.sheet.write_string(self.at, place, text[:MOST_SIGNS], look)
        self.at += 1

    def paragraph(self, text: str, look: Any = None, place: int = 0) -> None:
        """A sentence over as many lines as it takes, so that a printed sheet is not too wide."""
        for line in wrap(text, _LINE):
            self.line((line,), look, place)

    def beside(self, term: str, text: str) -> None:
        """A term and what is said of it, each over as many lines as it takes."""
        for one, said in zip_longest(wrap(term, _TERM), wrap(text, _LINE), fillvalue=""):
            self.cell(0, one)
            self.line((said,), first=1)

    def heads(self, heads: Sequence[str], are_numbers: Sequence[bool]) -> None:
        """The heads of a table, which stay in view."""
        self.heads_below(heads, are_numbers)
        self.keep_in_view()

    def keep_in_view(self) -> None:
        """What is written so far, on the screen and on each printed page.

        Above several tables no heads, which would be those of one.
        """
        self.sheet.freeze_panes(self.at, 0)
        self.sheet.repeat_rows(0, self.at - 1)
        self.is_kept = True

    def heads_below(self, heads: Sequence[str], are_numbers: Sequence[bool]) -> None:
        """The heads of another table, below the first one; long ones take several lines."""
        for place, (head, is_number) in enumerate(zip(heads, are_numbers, strict=True)):
            self._widen(place, _BOLD + _narrowest(head))
            look = self.looks.head(is_number, is_first=place == 0)
            self.sheet.write_string(self.at, place, head[:MOST_SIGNS], look)
        self._tall[self.at] = list(enumerate(heads))
        self.at += 1

    def cell(self, place: int, text: str, look: Any = None) -> None:
        self._measure(place, text)
        if not text:
            return
        own = self.looks.text(is_first=place == 0)
        if " " in text and len(text) > self.widest - 2:
            own = self.looks.text(is_first=place == 0, is_wrapped=True)
            self._tall.setdefault(self.at, []).append((place, text))
        self.sheet.write_string(self.at, place, text[:MOST_SIGNS], look or own)

    def note(self, place: int, text: str, look: Any = None) -> None:
        """A text behind the last column, over what is behind it: no column is as wide for it."""
        if text:
            self.sheet.write_string(
                self.at, place, text[:MOST_SIGNS], look or self.looks.text(is_first=False)
            )

    def figure(self, place: int, figure: str, shown: str, form: Form, look: Any) -> None:
        """A number where a spreadsheet keeps it, else what people read."""
        self._measure(place, shown)
        if form in NUMBERS and is_kept(figure):
            number = hundredths(figure) if form == "points" else figure
            self.sheet.write_number(self.at, place, Published(number), look)
        else:
            self.cell(place, shown)

    def text_of_figure(self, place: int, text: str) -> None:
        """What is said in place of a number, where numbers are."""
        self.cell(place, text, self.looks.text_of_figure)

    def link(self, place: int, name: str, text: str) -> None:
        """A link to another sheet of this workbook, in the line that is written next."""
        self._measure(place, text)
        self._link(self.at, place, name, text, 0)

    def _link(self, line: int, place: int, name: str, text: str, to: int) -> None:
        """No other link than to a cell of this workbook is ever written."""
        look = self.looks.link if place == 0 else self.looks.link_behind
        self.sheet.write_url(line, place, f"internal:'{name}'!A{to + 1}", look, text)

    def fit(self) -> None:
        """Columns as wide as their cells, heads as high as their lines, and all on A4 if it can."""
        wide = sum(map(self._width, self._widths))
        if self.at > _LINES_ACROSS and wide <= _SIGNS_UPRIGHT:
            self.sheet.set_portrait()
        self.sheet.fit_to_pages(1, 1 if self.at <= _MOST_ON_PAGE else 0)
        for place in self._widths:
            self.sheet.set_column(place, place, self._width(place))
        for line, texts in self._tall.items():
            lines = (len(wrap(text, self._width(place) - 1)) for place, text in texts)
            self.sheet.set_row(line, _LINE_HEIGHT * max(lines, default=1))

    def _width(self, place: int) -> int:
        return max(_LEAST_WIDTH, min(self._widths.get(place, 0) + 2, self.widest))

    def _measure(self, place: int, text: str) -> None:
        if self.at < _MEASURED:
            self._widen(place, len(text))

    def _widen(self, place: int, signs: int) -> None:
        self._widths[place] = max(self._widths.get(place, 0), signs)


def _narrowest(head: str) -> int:
    """Signs of the narrowest column in which a head takes no more lines than it may.

    Two short words are side by side, or one of them would be beside the end of another head.

    >>> _narrowest("Population, lowest (noise and chance)"), _narrowest("Oberes Ende")
    (13, 11)
    """
    least = max(min(len(head), _SHORT), *map(len, head.split()), 1)
    widths = range(least, len(head) + 1)
    return next((one for one in widths if len(wrap(head, one)) <= _HEAD_LINES), 1)
