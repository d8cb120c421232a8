# SPDX-License-Identifier: Apache-2.0
"""Quiet lines below what nobody declared: public lists of values, bounds that were released."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.edits.found_bounds import FoundBounds
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.query_words import costs_again
from dpdesk.desk.text.suggestion_words import Proposal, proposals, second_line, sentence
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.accessibility.opener import make_opener
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.inputs.choice_popup import Choice, ChoicePopup
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.problem import Refused


class SuggestionLine(QWidget):
    """There only while something is suggested; it declares nothing by itself.

    Signals:
        taken: a proposal is to be used.
    """

    taken = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._found: tuple[Proposal, ...] = ()
        self.popup: ChoicePopup | None = None
        self.words = quiet()
        self.second = quiet()
        self.use = secondary(self.tr("Use"), small=True)
        self.choose = secondary("", small=True)
        make_opener(self.choose)
        lines = QVBoxLayout(spacing=Space.TIGHT)
        lines.addWidget(self.words)
        lines.addWidget(self.second)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.SMALL)
        row.addLayout(lines, 1)
        row.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.choose, 0, Qt.AlignmentFlag.AlignTop)
        self.use.clicked.connect(self._take_first)
        self.choose.clicked.connect(self._open)
        self.hide()

    def _take_first(self) -> None:
        first, *_others = self._found
        self.taken.emit(first)

    def show_column(self, column: Column | None) -> None:
        """Say what a column's name suggests, while it has no values of its own."""
        self._found = proposals(column) if column is not None else ()
        if self._found:
            self._say_one(self._found[0])
            self._count_others(len(self._found) - 1)
        self.choose.setVisible(len(self._found) > 1)
        self.setVisible(bool(self._found))

    def _say_one(self, proposal: Proposal) -> None:
        template = self.tr("Plausible for {0}")
        shown, more = sentence(proposal), second_line(proposal)
        self.words.setText(template.format(shown))
        self.words.setToolTip(proposal.source)
        self.second.setText(more)
        self.second.setVisible(bool(more))
        self.use.setAccessibleName(self.tr("Use {0}").format(shown))
        self.use.setAccessibleDescription(f"{more} {proposal.source}".strip())
        self.use.setToolTip(proposal.source)

    def _count_others(self, others: int) -> None:
        """The likeliest is taken in one press; the others are a press away."""
        self.choose.setText(self.tr("%n more…", "", others))
        self.choose.updateGeometry()
        self.choose.setAccessibleDescription(self._about())

    def _about(self) -> str:
        count = len(self._found)
        return self.tr("%n public list(s) for a column of this name.", "", count)

    def _open(self) -> None:
        """List every proposal with unit and source, the keyboard in it."""
        offered = self._found
        choices = [Choice(str(i), sentence(p)) for i, p in enumerate(offered)]
        self.popup = ChoicePopup(choices, parent=self, about=self._about())
        for row, proposal in enumerate(offered):
            shown = f"{second_line(proposal)}\n{proposal.source}".strip()
            item = self.popup.list.item(row)
            item.setToolTip(shown)
            item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, shown)
        self.popup.chosen.connect(lambda keys: self.taken.emit(offered[int(keys[0])]))
        self.popup.open_under(self.choose)


class ReleasedBounds(Banner):
    """There only while nobody has declared other bounds since; it declares nothing by itself.

    Signals:
        taken: the bounds are to be used; carries the column with them.
    """

    taken = Signal(object)

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(Tone.INFO, icon="history", stands_out=True, parent=parent)
        self._session = session
        self._offered: NumberColumn | None = None
        self._shown: tuple[NumberColumn, str] | None = None
        self.action_pressed.connect(lambda: self.taken.emit(self._offered))
        self.hide()

    def show_column(self, column: Column | None) -> None:
        """Offer what the account's last release found that looked for this column's bounds."""
        found = None
        if isinstance(column, NumberColumn) and column.step is not None:
            found = next((one for one in self._known() if one.is_for(column)), None)
        self.setVisible(found is not None)
        if found is None or not isinstance(column, NumberColumn):
            return
        offered = found.declared(column)
        again = costs_again(self._session.state.study, column.name)
        if (offered, again) == self._shown:
            return
        self._offered, self._shown = offered, (offered, again)
        ends = (offered.lower or Decimal(0), offered.upper or Decimal(0))
        lower, upper = (words.localised(words.plain(end)) for end in ends)
        said = self.tr("Released bounds: {0} to {1} (release {2}).")
        shown = said.format(lower, upper, found.number)
        public = self.tr("Estimated privately; anyone may know them.")
        self.say(shown, f"{public} {again}".strip())
        use = self.tr("Use the released bounds")
        self.set_action(use)
        self.action.setAccessibleName(f"{use}: {shown}")

    def _known(self) -> tuple[FoundBounds, ...]:
        try:
            return self._session.accounts.found_bounds(self._session.state.study)
        except Refused:
            return ()
