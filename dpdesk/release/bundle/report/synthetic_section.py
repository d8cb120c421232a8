# SPDX-License-Identifier: Apache-2.0
"""The synthetic rows of a release in its report: what they are, how far their counts are off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.report_blocks import FigureRow, Figures, Paragraph, Section
from dpdesk.release.bundle.synthetic.rows import FILE, ReleasedRows
from dpdesk.release.bundle.synthetic.words import MADE_UP_ROWS, SYNTHETIC
from dpdesk.study.text.number_text import in_column, in_text

_DO_NOT: Final[Template] = "For trying out code and forms only: do not analyse these rows."


def synthetic_section(
    rows: ReleasedRows | None, text: ReleaseText, number: str
) -> Iterator[Section]:
    """What is said of the rows; nothing where there are none.

    Args:
        number: what they are listed under.
    """
    if rows is None:
        return
    words = text.words
    heads = (
        words.say("Released counts"),
        words.say("Rows in another cell (%)"),
        words.say("Largest difference (rows)"),
    )
    lines = [
        FigureRow(
            (
                text.headings[table.id].title,
                in_column(f"{table.misplaced}", words.numbers),
                in_column(f"{table.largest.normalize():f}", words.numbers),
            ),
            is_noisy=False,
        )
        for table in rows.tables
    ]
    figures = Figures(heads, (False, True, True), lines, None, FILE)
    said = (words.say(MADE_UP_ROWS), *_said(rows, text))
    warning = Paragraph(words.say(_DO_NOT), "doubt")
    blocks = (warning, Paragraph(" ".join(said)), figures)
    yield Section(words.say(SYNTHETIC), blocks, number)


def _said(rows: ReleasedRows, text: ReleaseText) -> Iterator[str]:
    say, numbers = text.words.say, text.words.numbers
    count = in_text(str(rows.count), numbers)
    if rows.count < rows.wanted:
        wanted = in_text(str(rows.wanted), numbers)
        yield say("There are {count} of them, for {wanted} counted.", count=count, wanted=wanted)
    else:
        yield say("There are {count} of them.", count=count)
    if rows.joined:
        yield say(
            "{joined} took the values of others so that no row is alone in its combination of the "
            "named columns; that moved the farthest table by {cost} % of all rows.",
            joined=in_text(str(rows.joined), numbers),
            cost=in_text(f"{rows.cost_of_joining}", numbers),
        )
