# SPDX-License-Identifier: Apache-2.0
"""What a report is made of, whatever it is set in: paragraphs, terms, tables of figures, blanks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.chart import PICTURE, ChartLine

Tone: TypeAlias = Literal["plain", "cost", "quiet", "warn", "doubt"]


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
        chart: the lines of its chart; none where it has no chart.
        file: its file in the bundle.
        picture: what its chart is called.
        is_made_up: it is a rehearsal's; its chart is drawn as nothing that was released.
    """

    heads: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: Sequence[FigureRow]
    chart: tuple[ChartLine, ...]
    file: str
    picture: str = PICTURE
    is_made_up: bool = False


@dataclass(frozen=True)
class Blanks:
    """Room for what is written by hand: boxes to tick, then lines to fill in."""

    boxes: tuple[str, ...]
    lines: tuple[str, ...]


Block: TypeAlias = Paragraph | Terms | Figures | Blanks


@dataclass(frozen=True)
class Section:
    """A part of a report under its heading."""

    title: str
    blocks: tuple[Block, ...]


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
    """

    title: str
    author: str
    words: ReleaseWords
    opening: tuple[Paragraph, ...]
    sections: tuple[Section, ...]
    subject: str = ""
    mark: str = ""
    foot: str = ""
