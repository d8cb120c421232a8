# SPDX-License-Identifier: Apache-2.0
"""The sheets that programs read: each the CSV file of one query, heads and cells alike."""

from __future__ import annotations

from typing import Any

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.readable import NUMBERS, forms_of
from dpdesk.release.bundle.workbook.cells import MOST_SIGNS, Published, is_kept, shown_unit
from dpdesk.release.bundle.workbook.looks import Looks
from dpdesk.release.record.values import ReleasedQuery

_LEAST_WIDTH, _MOST_WIDTH, _MEASURED = 10, 40, 200


def write_data(sheet: Any, table: Table, query: ReleasedQuery, looks: Looks, contents: str) -> None:
    """The table of one query as its CSV file has it; numbers show their declared unit.

    The first head is the way back, as no cell may be added to what programs read.

    Args:
        contents: name of the sheet that leads to all others.
    """
    forms = forms_of(table, query)
    units = [shown_unit(column.unit) for column in table.columns]
    for place, column in enumerate(table.columns):
        if place == 0:
            sheet.write_url(0, place, f"internal:'{contents}'!A1", looks.link, contents)
        look = looks.bold_link if place == 0 else looks.bold_head(forms[place] in NUMBERS)
        sheet.write_string(0, place, column.name[:MOST_SIGNS], look)
    for number, row in enumerate(table.rows, start=1):
        for place, (text, form, unit) in enumerate(zip(row, forms, units, strict=True)):
            if form in NUMBERS and is_kept(text):
                sheet.write_number(number, place, Published(text), looks.plain(text, form, unit))
            elif text:
                sheet.write_string(number, place, text[:MOST_SIGNS])
    sheet.freeze_panes(1, 0)
    sheet.repeat_rows(0)
    for place, column in enumerate(table.columns):
        widest = max((len(row[place]) for row in table.rows[:_MEASURED]), default=0)
        signs = max(len(column.name), widest + len(units[place])) + 2
        sheet.set_column(place, place, max(_LEAST_WIDTH, min(signs, _MOST_WIDTH)))
