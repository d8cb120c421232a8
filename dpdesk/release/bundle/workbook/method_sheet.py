# SPDX-License-Identifier: Apache-2.0
"""The sheet on the method: what the report's last pages say, in the same words."""

from __future__ import annotations

from collections.abc import Iterable

from dpdesk.release.bundle.report.report_blocks import Block, Paragraph, Section, Terms
from dpdesk.release.bundle.workbook.reading_sheet import ReadingSheet


def write_method(
    sheet: ReadingSheet, title: str, sections: Iterable[Section], contents: str
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
    sheet.fit()


def _write_block(sheet: ReadingSheet, block: Block) -> None:
    if isinstance(block, Paragraph):
        sheet.paragraph(block.text, sheet.looks.quiet if block.tone == "quiet" else None)
    elif isinstance(block, Terms):
        for term, text in block.pairs:
            sheet.beside(term, text)
