# SPDX-License-Identifier: Apache-2.0
"""The sheet on the method: what the report's last pages say, in the same words; abbreviations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.report.report_blocks import Block, Paragraph, Section, Terms
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet

_ABBREVIATIONS: Final[Template] = "Abbreviations"
_SPELT: Final[tuple[tuple[Template, Template], ...]] = (
    ("n", "how many a figure is of"),
    (
        "± 95 %",
        "margin of the privacy noise: the exact figure is within it in at least 95 of 100 releases",
    ),
    ("p", "p-value: how often noise and chance alone would make as large a difference"),
    ("Q1 to Q4", "first to fourth quarter of a year"),
    ("D1, D2, …", "sheets of data, each with the number of the sheet that people read"),
    ("CSV", "comma-separated values: a table as plain text, one line a row"),
)


def write_method(
    sheet: ReadingSheet,
    title: str,
    sections: Iterable[Section],
    contents: str,
    words: ReleaseWords,
) -> None:
    """Each section below its heading; a term and what is said of it side by side.

    Args:
        contents: name of the sheet that leads to all others.
    """
    sheet.top(title, "", ((contents, f"← {contents}"),))
    sheet.keep_in_view()
    for section in sections:
        sheet.line((section.title,), sheet.looks.bold)
        for block in section.blocks:
            _write_block(sheet, block)
        sheet.at += 1
    sheet.line((words.say(_ABBREVIATIONS),), sheet.looks.bold)
    for term, spelt in ([words.say(text) for text in pair] for pair in _SPELT):
        sheet.beside(term, spelt)
    sheet.fit()


def _write_block(sheet: ReadingSheet, block: Block) -> None:
    if isinstance(block, Paragraph):
        sheet.paragraph(block.text, sheet.looks.quiet if block.tone == "quiet" else None)
    elif isinstance(block, Terms):
        for term, text in block.pairs:
            sheet.beside(term, text)
