# SPDX-License-Identifier: Apache-2.0
"""A row of first queries, made from the declared columns: one press adds one."""

from __future__ import annotations

from itertools import zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.theme.metrics import Space, scale
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import RING, aligned_part
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.queries import Query
from dpdesk.study.reuse.first_queries import MOST, first_queries, is_asked

NAMED = 2
"""So many columns are named that nothing is suggested for."""
WIDTH_MOST = 300
"""Of a sentence; several fit beside each other."""


class SuggestedQueries(QWidget):
    """There while the plan is short; a query that was added goes, and the others move up.

    A double click adds one all the same, whatever is under the mouse by then.

    Signals:
        taken: a suggestion is to be added; carries it, without an id and a share.
    """

    taken = Signal(object)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self._offered: tuple[Query, ...] = ()
        self._lacks_some = False
        self.buttons = [_Suggestion() for _place in range(MOST)]
        column = aligned_part(self)
        column.setSpacing(Space.TIGHT)
        column.addWidget(quiet(self.tr("Suggested without reading the data:")))
        flow = FlowLayout(across=Space.TIGHT, down=Space.TIGHT, aligned=True)
        column.addLayout(flow)
        for place, button in enumerate(self.buttons):
            flow.addWidget(button)
            button.clicked.connect(lambda _on=False, place=place: self._take(place))
        self.lacking = quiet()
        column.addWidget(self.lacking)

    def show_state(self, state: DeskState) -> bool:
        """Offer what the declared columns suggest; whether there is anything to add."""
        study = state.study
        self._offered = first_queries(study)
        self._lacks_some = False
        for button, query in zip_longest(self.buttons, self._offered):
            # A button keeps its query: who was about to press it, or hears its name, gets no other.
            is_lacked = query is not None and not is_asked(study, query)
            if is_lacked:
                _show(button, words.sentence(study, query))
            button.setVisible(is_lacked)
            self._lacks_some |= is_lacked
        self._say_lacking(state)
        return self._lacks_some

    def _say_lacking(self, state: DeskState) -> None:
        """Say why nothing is suggested for the columns that are declared only in part."""
        partly = [c for c in state.study.columns if state.column_problems(c.name)]
        shown = [column_title(c) for c in partly[:NAMED]]
        named = ", ".join([*shown, "…"] if len(partly) > NAMED else shown)
        said = self.tr(
            "Nothing is suggested for %n column(s) still to declare: {0}", "", len(partly)
        )
        self.lacking.setText(said.format(named) if partly else "")
        self.lacking.setVisible(bool(partly))

    @property
    def can_add(self) -> bool:
        """Whether the plan lacks one of those that are offered."""
        return self._lacks_some

    def first(self) -> Button | None:
        """The first that is there to be added; ``None`` where none is on show."""
        return next((b for b in self.buttons if b.isVisible()), None)

    def _take(self, place: int) -> None:
        self.taken.emit(self._offered[place])


class _Suggestion(Button):
    """A button of one press: the second of a double click may meet another query's."""

    def __init__(self) -> None:
        super().__init__(before="plus", small=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        event.accept()


def _show(button: Button, text: str) -> None:
    """Say what it adds; a long sentence is shortened, and whole as a tooltip."""
    most = round(WIDTH_MOST * scale())
    shown = button.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, most)
    button.setText(shown.replace("&", "&&"))
    button.setToolTip(text if shown != text else "")
    button.setAccessibleName(text)
    button.updateGeometry()
