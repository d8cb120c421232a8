# SPDX-License-Identifier: Apache-2.0
"""Which rows are the 100 % of a share, where the declarations leave some out."""

from __future__ import annotations

from dpdesk.study.model.columns import (
    DROP,
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
    column_title,
)
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.text import title_words as words
from dpdesk.study.text.language import ENGLISH, Language
from dpdesk.study.text.titles import joined
from dpdesk.study.text.unit_names import names_of


def rows_of_share(study: Study, query: Query, language: Language = ENGLISH) -> str:
    """Which rows a share is taken of, as a sentence; empty where every row counts.

    A row counts where each cell that the property asks for has a value; what a column's rules
    leave out is in neither part of the share. "Share of rows where Diagnosis is E11", with three
    of a hundred diagnoses listed, is a share of the rows with one of the three.

    Args:
        study: with the columns' rules.
        query: any query; other statistics than shares have no such sentence.
        language: of the sentence.
    """
    own = query.parameters
    if not isinstance(own, PropertyParameters) or not query.declaration.is_share:
        return ""
    declared = (study.column(name) for name in dict.fromkeys(own.names))
    needed = ((column, _needed(column)) for column in declared if column is not None)
    cells = [
        language.say(words.SHARE_CELLS[cell]).format(column=column_title(column))
        for column, cell in needed
        if cell is not None
    ]
    if not cells:
        return ""
    rows = names_of(study.unit, language.names).rows
    return language.say(words.SHARE_ROWS).format(rows=rows, cells=joined(cells, language))


def _needed(column: Column) -> words.ShareCell | None:
    """What a cell must be for its row to count; ``None`` where a row always does."""
    match column:
        case CategoryColumn(unknown="drop"):
            return "listed"
        case YesNoColumn(unknown="drop"):
            return "yes-or-no"
        case NumberColumn(outside="drop"):
            return "number-in-bounds"
        case DateColumn(outside="drop"):
            return "day-in-period"
        case NumberColumn() if DROP in (column.missing, column.unparsable):
            return "number"
        case DateColumn() if DROP in (column.missing, column.unparsable):
            return "day"
        case CategoryColumn(missing="drop") | YesNoColumn(missing="drop"):
            return "value"
    return None
