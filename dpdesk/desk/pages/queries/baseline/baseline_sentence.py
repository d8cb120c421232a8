# SPDX-License-Identifier: Apache-2.0
"""Of whom a Table 1 is, by which group, and which rows count: words and chips."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import Signal

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.sentence.choice_pickers import (
    ConditionPicker,
    GroupPicker,
    has_person,
)
from dpdesk.desk.pages.queries.sentence.query_sentence import FIRST_GROUP, QuerySentence
from dpdesk.desk.text import words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.queries import Query


class BaselineSentence(QuerySentence):
    """A query's sentence whose statistic is the table.

    Group and conditions are those of its count of rows, so that their pickers are a query's own.

    Signals:
        table_changed: the table was edited; carries it.
    """

    table_changed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._table = BaselineTable("")
        self.setAccessibleName(self.tr("The table as a sentence"))
        self.changed.connect(lambda query, _key: self._take(query))

    def show_table(self, state: DeskState, table: BaselineTable) -> None:
        """Show a table; the chips are made again only where the sentence changed."""
        self._table = table
        self.show_query(state, Query("", by=table.by, where=table.where, of=table.of))

    def _take(self, query: Query) -> None:
        made = replace(self._table, by=query.by[:1], where=query.where, of=query.of)
        self.table_changed.emit(made)

    def _build(self) -> None:
        study, query = self._state.study, self._query
        self._word(baseline_words.plain_name(), leads=False)
        self._word(self.tr("of the"))
        if has_person(study) or query.of == "people":
            self._build_of(query)
        else:
            self._word(words.names(study).rows, leads=False)
        for place, grouping in enumerate(query.by):
            self._word(self.tr("by"))
            text = words.grouped_by(study, grouping)
            self._chip(f"group-{place}", text, partial(GroupPicker, place=place))
            self._build_bins(place, grouping)
        if not query.by and self._has_groups():
            first = self._chip(FIRST_GROUP, self.tr("by…"), _first_group, dashed=True)
            first.setAccessibleName(self.tr("By: choose the groups that are its columns"))
        self._build_conditions("where", query.where, self.tr("where"))
        add = self._chip("add", "+", _new_condition, dashed=True)
        add.setAccessibleName(self.tr("Add a condition"))
        add.setToolTip(add.accessibleName())


_first_group = partial(GroupPicker, place=0)


def _new_condition(*asked: object) -> ConditionPicker:
    """The picker of one condition more."""
    study, query, done = asked
    return ConditionPicker(study, query, done, "where", len(query.where))  # type: ignore[arg-type,attr-defined]
