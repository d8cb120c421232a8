# SPDX-License-Identifier: Apache-2.0
"""What is to be known of some open queries: what 100 % of a share are, which bounds are awaited."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.model.columns import DROP, CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.text.counted_rows import CountedRows
from dpdesk.study.text.unit_names import in_query


class ShareNote(Banner):
    """Says that rows with a value off the list are no part of a share, and offers to count them.

    A share "of the rows" is taken for one of all rows: with three of a hundred diagnoses listed it
    is one of three, and nothing in its name says so.

    Signals:
        counted: the rows are to count; carries the study with it.
    """

    counted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, parent=parent)
        self._study: Study | None = None
        self.action_pressed.connect(lambda: self.counted.emit(self._study))
        self.hide()

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show what a query leaves out; what was answered stays as it was asked."""
        found = [] if query.id in state.answered else leaving_out(state.study, query)
        if found:
            rows = in_query(words.names(state.study), query.of).rows
            if (said := words.left_out_of_share(state.study, query)) != self.accessibleName():
                self.say("", said)
            self.set_action(self.tr("Count all {0}").format(rows))
            self._study = with_others(state.study, found)
        self.setVisible(bool(found))


def leaving_out(study: Study, query: Query) -> list[CategoryColumn]:
    """The listed columns of a share's property that leave rows out with a value off the list."""
    if query.declaration.percent_factor == 1:
        return []
    names = query.parameters.names
    return [
        column
        for column in study.columns
        if isinstance(column, CategoryColumn) and column.name in names and column.unknown == DROP
    ]


def with_others(study: Study, changed: list[CategoryColumn]) -> Study:
    """The study with what is off the lists counted as a category of its own."""
    columns = tuple(replace(c, unknown="category") if c in changed else c for c in study.columns)
    return replace(study, columns=columns)


class BoundsFirst(Banner):
    """Is in the open card of a query for bounds, where another query led to it.

    Attributes:
        came_from: the query that was open before it was asked for; empty for none.

    Signals:
        led: another query is wanted; carries its id.
    """

    led = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="arrow-left", parent=parent)
        self.came_from = self._target = ""
        self.action_pressed.connect(lambda: self.led.emit(self._target))
        self.hide()

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show what waits for a query's bounds; nothing for a query that looks for none."""
        study = state.study
        finds = query.declaration.finds == "bounds" and query.column is not None
        waiting = query_edits.needs_bounds(study, query.column or "") if finds else ()
        back = study.query(self.came_from) if self.came_from != query.id else None
        back = back or next(iter(waiting), None)
        self.setVisible(finds and back is not None)
        if not finds or back is None:
            return
        self._target = back.id
        found = self.tr("Once it is released, Columns offers the bounds that were found.")
        if waiting:
            lead = self.tr("%n quer(y|ies) wait(s|) for these bounds.", "", len(waiting))
            more = self.tr(
                "Until then this plan cannot be released: release this query from a copy of the "
                "study."
            )
            self.say(lead, f"{more} {found}")
        else:
            self.say("", found)
        self.set_action(self.tr("Back to {0}").format(words.query_title(study, back)))


class CountedNote(Banner):
    """Is in the open card of each query that counts rows; folded, its first sentence stays.

    It is information and nothing to be fixed: whether anybody has more rows is not looked up.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="people", parent=parent)
        self._counted = CountedRows()
        self._is_folded = False
        self.action_pressed.connect(self._fold)
        self.hide()

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show what is counted of each person; nothing for a query that counts people."""
        counted = words.counted_rows(state.study, query)
        if counted != self._counted:
            self._counted = counted
            self._render()
        self.setVisible(bool(counted.limit))

    def _fold(self) -> None:
        """Fold to the first sentence, or say all again."""
        self._is_folded = not self._is_folded
        self._render()

    def _render(self) -> None:
        self.say(self._counted.limit, "" if self._is_folded else self._counted.meaning)
        self.set_action(self.tr("Show more") if self._is_folded else self.tr("Show less"))
