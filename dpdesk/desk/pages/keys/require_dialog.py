# SPDX-License-Identifier: Apache-2.0
"""Requiring a second person's signature for an account, and changing whose it is."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.lost_key_dialog import LostSecondKeyDialog
from dpdesk.desk.pages.keys.second_person_fields import SecondPersonFields
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.working_dialog import typed_reason
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.release.ledger import Ledger
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.handed_over import MAX_SIGNATURE, read_handed, write_handed
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import (
    apply_change,
    info_of_person,
    propose_change,
    read_change,
    require,
    requirement_in,
)
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.signers import add_signer, read_line
from dpdesk.study.problem import Refused

CHANGE_NAME = "change.json"


class RequireSecondPersonDialog(LedgerDialog):
    """Asks whose signature an account requires, and before what.

    Where somebody's is required already, the change is written for them to sign, and entered when
    it came back with their signature.
    """

    sign = "people"

    def __init__(self, window: QWidget, session: Session, accounts: tuple[str, ...]) -> None:
        title = tr("RequireSecondPersonDialog", "Require a second person’s signature?")
        text = tr(
            "RequireSecondPersonDialog",
            "Nothing is released from the account, or exported, without the second person’s "
            "signature. Changing or ending this rule needs that signature, too. If the second "
            "person’s key is lost, you can change or end the rule without it, and every later "
            "bundle says so. Ask the second person to keep a copy of the key on paper.",
        )
        super().__init__(window, session, title, text)
        self._window = window
        self.account = ChoiceField(self.tr("&Account"))
        self.account.set_choices([(name, name) for name in accounts], accounts[0])
        self.now = quiet("")
        self.fields = SecondPersonFields(self, self.tr("Public &key of the second person"))
        self.file = link(self.tr("Read it from a file…"))
        self.reason = LineField(self.tr("&Why, and who decided"))
        self.lost = link(self.tr("Their key is lost…"))
        self.enter = self.add_other(self.tr("Enter a signed change…"))
        self.held = (self.enter,)
        self._current: Requirement | None = None
        self._build_content()
        self.account.picked.connect(lambda _name: self._look())
        self.fields.picked.connect(lambda _somebody: self._render())
        self.file.clicked.connect(self._ask_line)
        self.enter.clicked.connect(self._ask_change)
        self.lost.clicked.connect(self.open_lost)
        self._look()

    def _build_content(self) -> None:
        self.body.addWidget(self.account)
        self.body.addWidget(self.now)
        self.body.addWidget(self.lost, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addWidget(self.fields.before)
        self.body.addWidget(self.fields.line)
        self.body.addWidget(self.file, 0, Qt.AlignmentFlag.AlignLeft)
        self.show_parts(self.reason)
        self.ok = self.add_primary(self.tr("Require it"))

    @property
    def name(self) -> str:
        return self.account.key or ""

    @property
    def ledger(self) -> Ledger:
        return self.session.accounts.ledger()

    def _look(self) -> None:
        try:
            self._current = requirement_in(self.ledger, self.name)
        except Refused as refused:
            self._refused(refused.problems)
        before = self._current.person.before if self._current else "release"
        self.fields.offer(before, nobody=self._current is not None)
        self._render()

    def _render(self) -> None:
        current = self._current
        self.now.setVisible(current is not None)
        self.enter.setVisible(current is not None)
        self.lost.setVisible(current is not None)
        if current is not None:
            text = self.tr("{0} now signs for this account and must sign any change.")
            self.now.setText(text.format(current.person.identity))
        self.fields.line.setVisible(self.fields.is_somebody)
        self.file.setVisible(self.fields.is_somebody)
        write, require_it = self.tr("Save the change to be signed…"), self.tr("Require it")
        self.ok.setText(require_it if current is None else write)

    def _ask_line(self) -> None:
        chosen = existing_file(self, self.tr("The second person’s public key"), "", "")
        if chosen is None:
            return
        try:
            self.fields.line.set_text(read_line(chosen).strip())
        except Refused as refused:
            self.fields.line.refuse(words.problem_sentence(refused.problems[0]))

    def ask(self) -> None:
        """Check what was typed; then require it, or ask where the change is written."""
        try:
            person = self.fields.person()
        except Refused:
            return
        reason = typed_reason(self.reason)
        if reason is None:
            return
        if self._current is None and person is not None:
            self.begin(partial(self._require, self.ledger, self.name, person, reason), self._say)
            return
        title, kinds = self.tr("Save the change"), self.tr("Changes (*.json)")
        write = partial(self.write, person=person, reason=reason)
        self.ask_place(title, CHANGE_NAME, write, kinds)

    def _require(
        self, ledger: Ledger, account: str, person: SecondPerson, reason: str
    ) -> SecondPerson:
        require(ledger, account, person, reason)
        return self._keep(person)

    def _keep(self, person: SecondPerson) -> SecondPerson:
        add_signer(self.session.home.signers, allowed_signers_line(info_of_person(person)))
        return person

    def write(self, path: Path, person: SecondPerson | None, reason: str) -> None:
        ledger, account = self.ledger, self.name

        def work() -> str:
            change = propose_change(ledger, account, person, reason)
            path.unlink(missing_ok=True)  # the system's own dialog asked
            write_handed(path, change.to_bytes())
            return path.name

        self.begin(work, self._say_written)

    def open_lost(self) -> None:
        if self._current is None or self.is_busy:
            return
        dialog = LostSecondKeyDialog(self._window, self.session, self.name, self._current.person)
        dialog.changed.connect(self.changed)
        self.reject()
        dialog.open()

    def _ask_change(self) -> None:
        title, kinds = self.tr("Enter a signed change"), self.tr("Changes (*.json)")
        if (chosen := existing_file(self, title, "", kinds)) is not None:
            self.enter_change(chosen)

    def enter_change(self, path: Path) -> None:
        ledger = self.ledger

        def work() -> SecondPerson | None:
            change = read_change(read_handed(path))
            signature = read_handed(path.with_name(f"{path.name}.sig"), MAX_SIGNATURE)
            now = apply_change(ledger, change, signature)
            return None if now is None else self._keep(now.person)

        self.begin(work, self._say)

    def _say(self, person: SecondPerson | None) -> str:
        self.enter.hide()
        if person is None:
            return self.tr("Your signature alone is enough from now on.")
        return self.tr("{0} signs from now on.").format(person.identity)

    def _say_written(self, name: str) -> str:
        self.enter.hide()
        text = self.tr(
            "{0} is saved. Give it to the current second person, who signs it in Verify. Then "
            "enter it here, with its signature beside it."
        )
        return text.format(name)
