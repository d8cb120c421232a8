# SPDX-License-Identifier: Apache-2.0
"""What a report is made of, whatever it is set in: paragraphs, terms, tables of figures, blanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dpdesk.release.bundle.charts.drawing import ChartDrawing
from dpdesk.release.bundle.query_headings import ReleaseWords

Tone: TypeAlias = Literal["plain", "cost", "quiet", "warn", "doubt", "heading"]
"""``heading``: it heads the table that follows."""


@dataclass(frozen=True)
class Paragraph:
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True)
class Terms:
    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class FigureRow:
    """One line of a table of figures; whether it is too noisy to use."""

    cells: tuple[str, ...]
    is_noisy: bool


@dataclass(frozen=True)
class Figures:
    """A table of figures.

    Attributes:
        numeric: which columns hold numbers.
        chart: its chart; ``None`` where it has none.
        file: its file in the bundle.
        is_made_up: it is a rehearsal's; its chart is drawn as nothing that was released.
        is_all_in_chart: whether its chart says all of it, so that pages to print need no table.
    """

    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: Sequence[FigureRow]
    chart: ChartDrawing | None
    file: str
    is_made_up: bool = False
    is_all_in_chart: bool = False


@dataclass(frozen=True)
class CrossCell:
    """One figure of a cross-table.

    Attributes:
        heat: between 0 and 1, how much there is of it; ``None`` where it is not coloured.
    """

    figure: str
    margin: str
    is_noisy: bool
    heat: float | None = None


@dataclass(frozen=True)
class CrossLine:
    """One line of a cross-table.

    Attributes:
        cells: one a column, then the line's total where the table has totals.
    """

    name: str
    cells: tuple[CrossCell, ...]
    is_total: bool = False


@dataclass(frozen=True)
class CrossFigures:
    """Figures by two groupings.

    Attributes:
        corner: what the lines are.
        across: what the columns are.
        heads: of the columns, that of the totals last.
        has_totals: whether the last column is totals.
        plain: the same as a list, where there is no room across.
    """

    corner: str
    across: str
    heads: tuple[str, ...]
    lines: tuple[CrossLine, ...]
    has_totals: bool
    plain: Figures


@dataclass(frozen=True)
class KeyFigure:
    """A query's only figure, before all tables."""

    title: str
    figure: str
    margin: str
    is_noisy: bool


@dataclass(frozen=True)
class KeyFigures:
    figures: tuple[KeyFigure, ...]


HATCHED = "hatched"
"""In place of a sign, what hatched figures look like."""


@dataclass(frozen=True)
class ReadingBox:
    """How to read what follows: a sign and what it means, line by line."""

    title: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Blanks:
    """Room for what is written by hand: boxes to tick, then lines to fill in."""

    boxes: tuple[str, ...]
    lines: tuple[str, ...]


Block: TypeAlias = Paragraph | Terms | Figures | CrossFigures | KeyFigures | ReadingBox | Blanks


@dataclass(frozen=True)
class Section:
    """A part of a report under its heading.

    Attributes:
        number: what it is listed under in the contents; empty where it is not.
        is_new_page: whether it begins a page.
        common: sentences that hold for other sections, too: a report says each once for all.
    """

    title: str
    blocks: tuple[Block, ...]
    number: str = ""
    is_new_page: bool = False
    common: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """A report.

    Attributes:
        author: who released it; empty where the study does not say.
        opening: what is before the first section.
        sections: the tables, then what belongs to all of them.
        subject: what kind of document it is; released statistics where it does not say.
        mark: what is behind every heading and on every page; empty for what was released.
        foot: what is at the foot of every page, with how many there are; where it is empty,
            the title does.
        facts: what it is about, below its title; without them a document has a plain head.
        contents: what heads the list of numbered sections; empty where there is none.
        tables: how many of the sections are tables of released figures.
    """

    title: str
    author: str
    words: ReleaseWords
    opening: tuple[Block, ...]
    sections: tuple[Section, ...]
    subject: str = ""
    mark: str = ""
    foot: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    contents: str = ""
    tables: int = 0

    @property
    def listed(self) -> tuple[Section, ...]:
        """The sections of the contents; none where one sees them all at once."""
        numbered = tuple(section for section in self.sections if section.number)
        return numbered if self.contents and len(numbered) > 2 else ()
