# SPDX-License-Identifier: Apache-2.0
"""A small report, for the tests of what sets it."""

from dpdesk.release.bundle.query_headings import WORDS, ReleaseWords
from dpdesk.release.bundle.report.report_blocks import (
    FigureRow,
    Figures,
    Paragraph,
    Report,
    Section,
)


def small(text: str = "Ward", rows: int = 3, words: ReleaseWords = WORDS) -> Report:
    lines = tuple(FigureRow((text, str(i)), i % 2 == 1) for i in range(rows))
    table = Figures(("Ward", "Released"), (False, True), lines, None, "results/count.csv")
    section = Section(text, (table, Paragraph(text, "doubt")))
    return Report(text, text, words, (Paragraph(text),), (section,))
