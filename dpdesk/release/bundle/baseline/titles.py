# SPDX-License-Identifier: Apache-2.0
"""What a Table 1 is called. A plan says no more of it, and loads nothing else of its forms."""

from __future__ import annotations

from typing import Final

from dpdesk.catalogue import Template
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.text.titles import conditions, in_sentence

NAME: Final[Template] = "Table 1"
_BY: Final[Template] = "{table} by {group}"
_WHERE: Final[Template] = "{table}, where {conditions}"


def baseline_name(table: BaselineTable, words: ReleaseWords) -> str:
    """As the custodian called it, or "Table 1"."""
    return table.title or words.say(NAME)


def baseline_title(study: Study, table: BaselineTable, words: ReleaseWords) -> str:
    """The name with what the table is by, and of which rows."""
    text = baseline_name(table, words)
    for by in table.by:
        group = in_sentence(title_in(study, column_of(by)), words.language)
        text = words.say(_BY, table=text, group=group)
    queries = (query for query in study.queries if query.component is not None)
    own = next((q for q in queries if q.component and q.component.table == table.id), None)
    if own is not None and own.where:
        said = conditions(study, own, words.language)
        text = words.say(_WHERE, table=text, conditions=said)
    return text


def title_in(study: Study, name: str) -> str:
    """What a column of a study is called; its name where the study has none such."""
    column = study.column(name)
    return name if column is None else column_title(column)
