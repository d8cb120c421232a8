# SPDX-License-Identifier: Apache-2.0
"""Tables and lists of a dossier, in the report's own blocks."""

from __future__ import annotations

from collections.abc import Iterable

from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.report_blocks import Block, FigureRow, Figures, Paragraph
from dpdesk.study.text.number_text import in_text

MOST_ROWS = 150
"""Lines of one table on paper; ``dossier.json`` has them all."""
MOST_CELL = 400
"""Characters of one cell on paper."""


def grid(
    heads: tuple[str, ...],
    rows: Iterable[tuple[str, ...]],
    words: ReleaseWords,
    numeric: tuple[int, ...] = (),
) -> tuple[Block, ...]:
    """A table, and how many of its lines are printed where that is not all of them."""
    lines = tuple(FigureRow(tuple(map(_short, cells)), False) for cells in rows)
    columns = tuple(place in numeric for place in range(len(heads)))
    table = Figures(heads, columns, lines[:MOST_ROWS], None, "dossier.json")
    if len(lines) <= MOST_ROWS:
        return (table,)
    text = words.say(
        "{shown} of {count} lines are printed here; dossier.json has them all.",
        shown=in_text(str(MOST_ROWS), words.numbers),
        count=in_text(str(len(lines)), words.numbers),
    )
    return (table, Paragraph(text, "doubt"))


def number(value: object, words: ReleaseWords) -> str:
    """A plain decimal as the language writes it in a sentence."""
    return in_text(str(value), words.numbers)


def in_100(times: int, words: ReleaseWords) -> str:
    return words.say("{n} in 100", n=times)


def _short(text: str) -> str:
    return text if len(text) <= MOST_CELL else f"{text[: MOST_CELL - 1]}…"
