# SPDX-License-Identifier: Apache-2.0
"""The budget account that pays: chosen, opened, raised; and what its total means."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import AccountView
from dpdesk.desk.pages.people.account_dialog import NewAccountDialog, RaiseDialog
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.painting import box
from dpdesk.privacy.accounting.conversion import account_right_in_100
from dpdesk.study.model.amount import AccountDelta, Rho, Share
from dpdesk.study.text.query_ids import free_name, slug


class AccountCard(Card):
    """Which account pays, and the most that this study may take from it.

    Signals:
        opened: a new account was opened, and pays.
    """

    opened = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._wrong_limit = ""
        self.new = link(self.tr("New account…"))
        self.raise_total = link(self.tr("Raise the account…"))
        for button in (self.new, self.raise_total):
            button.stand_in_text()  # the head is as high as those of the other cards
        self.choice = ChoiceField(self.tr("&Account"))
        self.limit = LineField(self.tr("Li&mit for this study"))
        self._after_number = Label("", Type.CARD, semibold=True)
        self._after_line = quiet("")
        self._after_bar = GuessBar()
        self._whom = Label("", wrap=True)
        self._meaning = QWidget()
        self._build()
        self.new.clicked.connect(lambda: self.ask_new())
        self.raise_total.clicked.connect(self.ask_raise)
        self.choice.picked.connect(self.choose)
        self.limit.edited.connect(self._type_limit)
        self.limit.left.connect(self.render_state)

    def _build(self) -> None:
        head = AlignedRow()
        head.addWidget(self.head(self.tr("Budget account")), 1)
        head.addWidget(self.raise_total)
        head.addWidget(self.new)
        self.body.addLayout(head)
        row = AlignedRow(spacing=Space.CARDS)
        row.addWidget(self.choice, 3, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.limit, 2, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(row)
        meaning = QVBoxLayout(self._meaning)
        meaning.setContentsMargins(0, Space.SMALL, 0, 0)
        meaning.setSpacing(Space.SMALL)
        pair = QHBoxLayout(spacing=Space.CARD)
        before = Label(self.tr("{0} in 100").format(50), Type.CARD, semibold=True)
        pair.addLayout(_guess_row(before, quiet(self.tr("Before any release")), GuessBar(50)), 1)
        pair.addWidget(IconLabel("arrow-right", Role.TEXT_QUIET))
        pair.addLayout(_guess_row(self._after_number, self._after_line, self._after_bar), 1)
        meaning.addLayout(pair)
        meaning.addWidget(self._whom)
        self.body.addWidget(self._meaning)

    def render_state(self) -> None:
        accounts = self._session.accounts.states
        # What is left decides between accounts; total and spent stand in the gauge.
        template = self.tr("{0}: {1} remaining")
        offers = [(a.name, template.format(a.name, words.budget(a.left))) for a in accounts]
        account = self._session.state.account
        # Whoever reads that there is none opens a second one for the same people.
        none = self.tr("Choose the account") if offers else self.tr("No account yet")
        self.choice.combo.setPlaceholderText(none)
        self.choice.set_choices(offers, account.name if account else None)
        budget = self._session.state.study.budget
        named = budget.account if budget else ""
        absent = bool(named) and account is None
        self.choice.set_error(self._why_absent(named) if absent else "")
        self.raise_total.setVisible(account is not None)
        limit = budget.limit if budget else None
        self._show_limit(limit)
        self.limit.set_unit(
            self.tr("of {0}").format(words.budget(account.total)) if account else ""
        )
        self._meaning.setVisible(account is not None)
        text = self.tr(
            "How often a guess whether one certain {0} is in this data is right, starting from a "
            "coin toss."
        )
        self._whom.setText(text.format(words.names(self._session.state.study).person))
        if account is not None:
            self._show_meaning(account.total, account.delta)

    def _why_absent(self, name: str) -> str:
        text = self.tr(
            "Account {0} is not on this computer. Restore its ledger; open a new account only "
            "if nothing was ever released about these people."
        )
        if self._session.accounts.has_lost(name):
            text = self.tr(
                "Account {0} is missing: an older copy of the ledger is in use. Reconcile it in "
                "History."
            )
        return text.format(name)

    def _show_limit(self, limit: Share | None) -> None:
        """Show the limit; a wrong text stays until a limit is set."""
        if self._wrong_limit and limit is None:
            self.limit.set_error(self._wrong_limit)
            return
        if self._wrong_limit or not self.limit.edit.hasFocus():
            self.limit.set_text(words.amount(limit) if limit else "")
        self._wrong_limit = ""
        self.limit.set_error("")

    def forget(self) -> None:
        """Another study is open: what was typed wrong was not for it."""
        self._wrong_limit = ""

    def _show_meaning(self, total: Share, delta: AccountDelta) -> None:
        # A limit of 100 in 100 times limits nothing.
        guess = words.guess_probability(total, delta)
        at_most, unlimited = self.tr("at most {0}").format(guess), self.tr("more than 99 in 100")
        self._after_number.setText(at_most if guess else unlimited)
        line = self.tr("When all {0} is spent").format(words.budget(total))
        if isinstance(total, Rho):
            line += f": {words.meaning(total, delta)}"
        self._after_line.setText(line)
        self._after_bar.set_in_100(account_right_in_100(total, delta))

    def choose(self, name: str) -> None:
        account = next((a for a in self._session.accounts.states if a.name == name), None)
        if account is not None:
            # A study that chooses its own account again has part of what is spent in its limit.
            budget = self._session.state.study.budget
            is_own = budget is not None and budget.account == name
            left = account.total if is_own or not account.left.units else account.left
            self._use(account.name, left)

    def _use(self, name: str, total: Share) -> None:
        """Pay from an account; the study's limit starts at what is left of it."""
        study = study_edits.use_account(self._session.state.study, name, total)
        self._session.edit(study, self.tr("Choose the budget account"))

    def _type_limit(self, text: str) -> None:
        limit = typed_numbers.share_from_text(self._session.state.measure, text)
        if isinstance(limit, str):
            # Not set, lest the beginning of a wrong text pass for what was meant.
            self._wrong_limit = self.tr("Type an amount such as 0.5.")
            self.limit.set_error(self._wrong_limit)
            study = study_edits.set_budget(self._session.state.study, epsilon=None, rho=None)
        else:
            self._wrong_limit = ""
            self.limit.set_error("")
            study = study_edits.set_limit(self._session.state.study, limit)
        self._session.edit(study, self.tr("Change the study’s limit"), "limit")

    def ask_new(self, over: QWidget | None = None) -> None:
        """Ask for a new account and use it.

        Args:
            over: where it is asked, if not on this page.
        """
        study = self._session.state.study
        named = study.budget.account if study.budget else ""
        taken = {account.name for account in self._session.accounts.states}
        # Next year's report is about the same people, and has no account of its own.
        lasting = slug(study.title).rstrip("-0123456789") or slug(study.title)
        name = free_name(named or lasting, taken)
        dialog = NewAccountDialog(over or self, self._session, name)
        dialog.opened.connect(self._opened)
        dialog.open()

    def _opened(self, name: str) -> None:
        self._session.reread_accounts()
        self.choose(name)
        if self.isVisible():
            self.opened.emit()

    def ask_raise(self) -> None:
        account = self._session.state.account
        if account is not None:
            dialog = RaiseDialog(self, self._session, account)
            dialog.accepted.connect(partial(self._raised, account))
            dialog.open()

    def _raised(self, before: AccountView) -> None:
        """A limit that was all of the account is all of it still."""
        self._session.reread_accounts()
        after, budget = self._session.state.account, self._session.state.study.budget
        if after is not None and budget is not None and budget.limit == before.total:
            study = study_edits.set_limit(self._session.state.study, after.total)
            self._session.edit(study, self.tr("Change the study’s limit"))


def _guess_row(number: Label, line: Label, bar: GuessBar) -> QVBoxLayout:
    column = QVBoxLayout(spacing=Space.TIGHT)
    column.addWidget(number)
    column.addWidget(line)
    column.addWidget(bar)
    return column


BLOCKS = 20
GAP = 3


class GuessBar(QWidget):
    """A share of 100 as blocks; its number is beside it as text."""

    def __init__(self, in_100: int = 50, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._in_100 = in_100
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_in_100(self, in_100: int) -> None:
        """Show another share."""
        self._in_100 = in_100
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(Space.RAIL - Space.CARD, Space.ICON_CHIP)

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Paint the blocks; the last filled one may be filled in part."""
        painter = QPainter(self)
        width = (self.width() - GAP * (BLOCKS - 1)) / BLOCKS
        for index in range(BLOCKS):
            block = QRectF(index * (width + GAP), 0, width, self.height())
            box(painter, block, 2, Role.TRACK)
            filled = min(1.0, max(0.0, self._in_100 / 100 * BLOCKS - index))
            if filled > 0:
                block.setWidth(width * filled)
                box(painter, block, 2, Role.ACCENT)
        painter.end()
