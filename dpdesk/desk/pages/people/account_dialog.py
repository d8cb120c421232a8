# SPDX-License-Identifier: Apache-2.0
"""Opening a budget account, and raising its total: both are entries that stay for ever."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import AccountView
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.privacy.accounting.conversion import account_right_in_100, plain_account_rho
from dpdesk.release.record.amounts import DEFAULT_DELTA, kept_problem, parse_kept
from dpdesk.study import limits
from dpdesk.study.model.amount import (
    MAX_DELTA_ATTO,
    WITHOUT_DELTA,
    AccountDelta,
    Delta,
    Epsilon,
    Rho,
    Share,
)
from dpdesk.study.problem import Problem, Refused, refuse
from dpdesk.study.text.query_ids import slug

FIRST_TOTAL = Epsilon.of(1)


class NewAccountDialog(Dialog):
    """Asks for name, total and note of a new account.

    Signals:
        opened: the account is in the ledger; carries its name.
    """

    opened = Signal(str)

    def __init__(self, window: QWidget, session: Session, name: str) -> None:
        title = tr("NewAccountDialog", "Open a budget account")
        self._names = words.names(session.state.study)
        text = tr(
            "NewAccountDialog",
            "Keep one account for each group of {0}, even if several files are about them. Every "
            "release from their data is charged to it. Epsilon (ε) limits what all these releases "
            "together can reveal about one {1}.",
        ).format(self._names.people, self._names.person)
        # The text is markup, the names are the custodian's.
        super().__init__(window, title, escape(text), "scales")
        self._session = session
        about = self.tr("For the {0} that the data is about, such as diabetes-registry.")
        self.name = LineField(self.tr("&Name"), about.format(self._names.people))
        self.kept_in = ChoiceField(self.tr("&Kept in"))
        self.kept_in.set_choices(
            [
                ("epsilon", self.tr("Pure epsilon")),
                ("rho", self.tr("zCDP: epsilon with a delta")),
            ],
            "epsilon",
        )
        self.other = link(self.tr("Choose how losses add up (zCDP)…"))
        self._about = quiet(
            self.tr(
                "Pure epsilon (ε) adds up what each release can reveal. Choose it for a few "
                "figures.\n"
                "zCDP adds up in ρ and fails with a tiny probability δ. The same ε is then enough "
                "for many more figures."
            )
        )
        self.total = LineField(self.tr("&Total budget (never renews)"), unit="ε")
        self.delta = LineField(
            self.tr("D&elta, the chance of failing"),
            self.tr("Set by policy, never by the data; at most {0}.").format(
                words.delta(Delta(MAX_DELTA_ATTO))
            ),
            unit="δ",
        )
        self.delta.set_text(words.delta(DEFAULT_DELTA))
        self.found = LineField(
            self.tr("Of it for &found categories"),
            self.tr("With 0, ε is smallest. You can raise it later."),
            unit="δ",
        )
        self.found.set_text("0")
        self.note = LineField(
            self.tr("Who &decided, and when"), self.tr("For the record; may stay empty.")
        )
        self.name.set_text(name)
        self.total.set_text(words.amount(FIRST_TOTAL))
        for field in (self.name, self.total, self.note):
            self.body.addWidget(field)
        self.body.addWidget(self.other, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.kept_in)
        self.body.addWidget(self._about)
        both = AlignedRow(spacing=Space.CARDS)
        both.addWidget(self.delta, 3, Qt.AlignmentFlag.AlignTop)
        both.addWidget(self.found, 2, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(both)
        self.kept_in.hide()
        self._about.hide()
        self.other.clicked.connect(self._unfold)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Open account"))
        for edited in (
            self.total.edited,
            self.delta.edited,
            self.found.edited,
            self.kept_in.picked,
        ):
            edited.connect(lambda _text: self._explain())
        self.forget_errors(self.total, self.note, self.delta, self.found)
        self.name.suggestion_pressed.connect(self._take_plain_name)
        self.name.edited.connect(self._judge_name)
        self._explain()
        self.name.edit.setFocus()

    def _unfold(self) -> None:
        self.other.hide()
        self.kept_in.show()
        self._about.show()
        self.kept_in.combo.setFocus()

    def _typed_amounts(self) -> tuple[Share, AccountDelta]:
        """Total and delta as typed.

        Raises:
            Refused: one of them is wrong, at ``$.total``, ``$.delta`` or ``$.delta_kept``.
        """
        epsilon, delta = typed_numbers.amount_from_text(Epsilon, self.total.text), WITHOUT_DELTA
        if isinstance(epsilon, str):
            raise refuse(epsilon, "$.total")
        if self.kept_in.key != "rho":
            return epsilon, delta
        delta = AccountDelta(_typed_delta(self.delta.text), _typed_kept(self.found.text))
        if too_large := kept_problem(delta.whole, delta.kept):
            raise Refused([too_large])
        return plain_account_rho(epsilon, delta), delta

    def _explain(self) -> None:
        """Say what the amounts mean; what is wrong with them is said when they are used."""
        for field in (self.delta, self.found):
            field.setVisible(self.kept_in.key == "rho")
        try:
            total, delta = self._typed_amounts()
        except Refused:
            self.total.set_hint("")  # else it would promise what an earlier amount means
            return
        text = self._guess(total, delta)
        if isinstance(total, Rho):
            text = self.tr("That is {0}. {1}").format(words.budget(total), text)
        for field in (self.total, self.delta, self.found):
            field.set_error("")
        more = self.tr(
            "The total must last for later years, too. If in doubt, begin with 1 or less; you can "
            "raise it later."
        )
        self.total.set_hint(f"{text} {more}")

    def _guess(self, total: Share, delta: AccountDelta) -> str:
        if not words.guess_probability(total, delta):
            unlimited = self.tr(
                "A guess about any one {0} could be right nearly always, more than 99 in 100 "
                "times; a coin toss: 50."
            )
            return unlimited.format(self._names.person)
        template = self.tr(
            "A guess about any one {0} could be right at most {1} in 100 times; a coin toss: 50."
        )
        return template.format(self._names.person, account_right_in_100(total, delta))

    def accept(self) -> None:
        try:
            total, delta = self._typed_amounts()
            name, note = self.name.text.strip(), self.note.text.strip()
            self._session.accounts.ledger().new_account(
                *(name, total, note), delta.whole, delta.kept
            )
        except Refused as refused:
            self._say_wrong(refused.problems[0])
            return
        super().accept()
        self.opened.emit(name)

    def _say_wrong(self, problem: Problem) -> None:
        fields = {"$.total": self.total, "$.delta": self.delta, "$.note": self.note}
        fields["$.delta_kept"] = self.found
        field = fields.get(problem.path, self.name)
        if problem.code == "rho-unreachable":
            field = self.total
        plain = slug(field.text) if problem.code == "name-malformed" else ""
        field.set_error(words.problem_sentence(problem), plain)
        field.edit.setFocus()

    def _judge_name(self, text: str) -> None:
        """Say while it is typed what a name cannot have; a hyphen at its end may go on."""
        begun = text.strip().rstrip("-")
        if begun and not limits.ID_PATTERN.match(begun):
            problem = Problem("$.name", "name-malformed", {"most": str(limits.MAX_ID_LENGTH)})
            self.name.set_error(words.problem_sentence(problem), slug(text))
        else:
            self.name.set_error("")

    def _take_plain_name(self, name: str) -> None:
        self.name.set_text(name)
        self.name.set_error("")
        self.name.edit.setFocus()


def _typed_delta(text: str) -> Delta:
    """
    Raises:
        Refused: it is wrong, at ``$.delta``.
    """
    typed = typed_numbers.delta_from_text(text)
    if isinstance(typed, str):
        raise refuse(typed, "$.delta")
    return typed


def _typed_kept(text: str) -> Delta:
    """
    Raises:
        Refused: it is wrong, at ``$.delta_kept``.
    """
    typed = typed_numbers.delta_from_text(text, parse_kept)
    if isinstance(typed, str):
        raise refuse(typed, "$.delta_kept")
    return typed


class RaiseDialog(Dialog):
    """Asks for a higher total, or more delta for found categories, and the reason for it."""

    def __init__(self, window: QWidget, session: Session, account: AccountView) -> None:
        title = tr("RaiseDialog", "Raise the account “{0}”?")
        text = tr(
            "RaiseDialog", "The raise is an entry in the ledger. What was released stays spent."
        )
        super().__init__(window, title.format(account.name), text, "scales")
        self._session = session
        self._account = account
        unit = "ρ" if account.measure == "rho" else ""
        self.total = LineField(self.tr("New &total"), unit=unit)
        self.reason = LineField(self.tr("&Reason, and who decided"))
        self.found = LineField(self.tr("New delta for &found categories"), unit="δ")
        self.found.set_text(words.delta(account.delta.kept))
        self.found.setVisible(account.measure == "rho")
        self.total.set_text(words.amount(account.total))
        for field in (self.total, self.found):
            field.edited.connect(lambda _text: self._explain())
        self._explain()
        self.forget_errors(self.total, self.found, self.reason)
        for field in (self.total, self.found, self.reason):
            self.body.addWidget(field)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Raise the account"))
        self.total.edit.setFocus()

    def _explain(self) -> None:
        """Say what the new total means, and what the whole delta becomes."""
        try:
            total, delta = self._typed_amounts()
        except Refused:
            self.total.set_hint("")
            self.found.set_hint("")
            return
        self.total.set_hint(words.meaning(total, delta))
        whole = self.tr("The account’s whole delta is then {0}.").format(words.delta(delta.whole))
        self.found.set_hint(whole)

    def _typed_amounts(self) -> tuple[Share, AccountDelta]:
        """The new total and delta; what converts of it stays.

        Raises:
            Refused: one of them is wrong, at ``$.total`` or ``$.delta_kept``.
        """
        total = typed_numbers.share_from_text(self._account.measure, self.total.text)
        if isinstance(total, str):
            raise refuse(total, "$.total")
        kept = _typed_kept(self.found.text)
        return total, AccountDelta(self._account.delta.converts + kept, kept)

    def accept(self) -> None:
        try:
            total, delta = self._typed_amounts()
            self._session.accounts.ledger().raise_budget(
                self._account.name,
                None if total == self._account.total else total,
                self.reason.text.strip(),
                None if delta == self._account.delta else delta.kept,
            )
        except Refused as refused:
            problem = refused.problems[0]
            fields = {"$.delta_kept": self.found}
            is_reason = problem.code.startswith(("reason", "text"))
            field = self.reason if is_reason else fields.get(problem.path, self.total)
            field.refuse(words.problem_sentence(problem))
            return
        super().accept()
