# SPDX-License-Identifier: Apache-2.0
"""Between *Release…* and the confirmation: what the check found, where that is serious.

Like the card that owns it, it is exempt from the constant proof, and nothing of it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.inspection.finding import Finding, Weight
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import check_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link, primary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.release.record.totals import together
from dpdesk.study.model.baseline.expansion import places
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.derivation import with_operands

WIDTH = 560
_UNREADABLE = frozenset({"numbers", "days", "listed", "codes"})


class CheckDialog(Dialog):
    """Asked before a release of what can hardly be read; going on is a person's decision.

    Signals:
        fix_wanted: what a finding names is to be changed; carries the finding.
        separation_wanted: the people are to be declared others; carries the finding.
    """

    fix_wanted = Signal(object)
    separation_wanted = Signal(object)

    def __init__(self, window: QWidget, state: DeskState, found: Sequence[Finding]) -> None:
        serious = [finding for finding in found if finding.weight is Weight.SERIOUS]
        super().__init__(
            window, _title(serious), escape(_cost(state, serious)), "alert", Role.WARN, WIDTH
        )
        self._state = state
        self._list(serious, len(found) - len(serious))
        self._remark()
        self._buttons(serious[0])

    def _list(self, serious: Sequence[Finding], others: int) -> None:
        card = Card()
        for finding in serious:
            card.body.addWidget(self._row(finding))
        if others:
            text = tr("CheckDialog", "%n other(s): nothing serious found.", "", others)
            row = QHBoxLayout(spacing=Space.SMALL)
            row.addWidget(IconLabel("check", Role.OK))
            row.addWidget(Label(text), 1)
            card.body.addLayout(row)
        self.body.addWidget(card)

    def _row(self, finding: Finding) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        row.addWidget(IconLabel("alert", Role.WARN), 0, Qt.AlignmentFlag.AlignTop)
        study = self._state.study
        subject, sentence = check_words.subject(finding, study), check_words.said(finding, study)
        both = QVBoxLayout(spacing=0)
        both.addWidget(Label(subject, semibold=True, wrap=True))
        both.addWidget(quiet(sentence[:1].upper() + sentence[1:]))
        row.addLayout(both, 1)
        change = link(check_words.action(finding, study.column(finding.column)))
        change.setAccessibleName(f"{change.text()} {subject}")
        change.setAccessibleDescription(f"{subject}: {sentence}")
        change.clicked.connect(partial(self._fix, finding))
        row.addWidget(change)
        if finding.account:
            row.addWidget(declare_link(finding, self._separate))
        return line

    def _remark(self) -> None:
        text = tr(
            "CheckDialog",
            "Deliberately coarse. It stays on this computer, is not recorded and changes no "
            "figure.",
        )
        row = QHBoxLayout(spacing=Space.SMALL)
        row.addWidget(
            IconLabel("lock", Role.TEXT_QUIET, Space.ICON_CHIP), 0, Qt.AlignmentFlag.AlignTop
        )
        row.addWidget(quiet(text), 1)
        self.body.addLayout(row)

    def _buttons(self, first: Finding) -> None:
        """What goes on is apart; the keyboard is on the first fix."""
        going_on = self.add_danger(tr("CheckDialog", "Release anyway…"))
        self.buttons.removeWidget(going_on)
        self.buttons.insertWidget(0, going_on)
        self.add_safe(tr("CheckDialog", "Not now"))
        column = self._state.study.column(first.column)
        self.fix = primary(check_words.action(first, column))
        self.fix.setAutoDefault(False)
        self.fix.clicked.connect(partial(self._fix, first))
        self.buttons.addWidget(self.fix)
        self.fix.setFocus()

    def _fix(self, finding: Finding) -> None:
        self.reject()
        self.fix_wanted.emit(finding)

    def _separate(self, finding: Finding) -> None:
        self.reject()
        self.separation_wanted.emit(finding)


def declare_link(finding: Finding, declare: Callable[[Finding], object]) -> QAbstractButton:
    """What leads to the declaration that the people are not those of an account."""
    other = link(tr("CheckDialog", "They are others…"))
    other.setAccessibleName(f"{other.text()} {finding.account}")
    other.clicked.connect(partial(declare, finding))
    return other


def _title(serious: Sequence[Finding]) -> str:
    if all(finding.code in _UNREADABLE for finding in serious):
        return tr(
            "CheckDialog", "Before you spend: %n column(s) can hardly be read", "", len(serious)
        )
    return tr("CheckDialog", "Before you spend: %n point(s) to check", "", len(serious))


def _cost(state: DeskState, serious: Sequence[Finding]) -> str:
    """Which queries it is about, and what they cost; of people, whose budget it is."""
    serious = [finding for finding in serious if not finding.account]
    if not serious:
        return tr(
            "CheckDialog",
            "The same people must not get a second budget in another account. Nothing was spent.",
        )
    queries = _affected(state, serious)
    paid = [query for query in queries if query.share and query.id not in state.free]
    spent = together(state.measure, (query.share for query in paid if query.share))
    of_queries = places(state.study)
    numbers = sorted({of_queries[query.id] for query in queries})
    about = tr("CheckDialog", "Queries concerned: {0}.")
    rest = tr(
        "CheckDialog",
        "If you release now, {0} of budget may go to figures that say almost nothing.",
    )
    shown = ", ".join(map(str, numbers))
    return f"{about.format(shown)} {rest.format(words.amount(spent))}"


def _affected(state: DeskState, serious: Sequence[Finding]) -> list[Query]:
    """The queries that use what was found; all of them where that is the file or its ids.

    A query uses what its columns are made of, too.
    """
    columns = {finding.column for finding in serious if finding.code in _OF_COLUMNS}
    if any(finding.code not in _OF_COLUMNS for finding in serious):
        return list(state.study.queries)
    declared = state.study.by_name
    return [q for q in state.study.queries if columns & with_operands(declared, q.names)]


_OF_COLUMNS = _UNREADABLE | {"outside-bounds", "outside-period", "between-steps"}
