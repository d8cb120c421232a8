# SPDX-License-Identifier: Apache-2.0
"""A query for bounds: what waits for them, how the two come together, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.study.model.queries import Query


class BoundsFirst(Banner):
    """Stands in the open card of a query for bounds, where another query led to it.

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
