# SPDX-License-Identifier: Apache-2.0
"""Replacing a second person whose key is lost, which every later bundle says."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.second_person_fields import SecondPersonFields
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.working_dialog import typed_reason
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.record.second_person import SecondPerson
from dpdesk.release.second_person.lost_key import override_lost
from dpdesk.release.second_person.proven_persons import Requirement
from dpdesk.release.second_person.requirement import info_of_person
from dpdesk.release.signing.fingerprint import fingerprint_of
from dpdesk.release.signing.keys import allowed_signers_line
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.release.signing.signers import add_signer
from dpdesk.study.problem import Refused


class LostSecondKeyDialog(LedgerDialog):
    """Asks who signs from now on and why, and says what recipients will read of it."""

    def __init__(
        self, window: QWidget, session: Session, account: str, person: SecondPerson
    ) -> None:
        title = tr("LostSecondKeyDialog", "Replace {0} without their signature?")
        text = tr(
            "LostSecondKeyDialog",
            "This cannot be undone. Use it for a key that is lost or revoked. It applies to "
            "releases from now on; every later bundle of the account shows recipients what you "
            "did, when and why.",
        )
        super().__init__(window, session, title.format(person.identity), text, Role.DANGER)
        self._account = account
        self.fields = SecondPersonFields(self, self.tr("Public &key of the new second person"))
        hint = self.tr("Every later bundle of the account shows it.")
        self.reason = LineField(self.tr("&Why, and who decided"), hint)
        self.passphrase = PasswordField(self.tr("&Passphrase of your signing key"))
        self._build_content(person)

    def _build_content(self, person: SecondPerson) -> None:
        fields = self.fields
        fields.offer(person.before, nobody=True)
        self.add_rows(
            [(self.tr("Account"), self._account), (self.tr("Key"), fingerprint_of(person.blob))]
        )
        self.show_parts(fields.before, fields.line, self.reason, self.passphrase)
        fields.picked.connect(fields.line.setVisible)
        self.ok = self.add_danger(self.tr("Replace without signature"))

    def ask(self) -> None:
        try:
            person = self.fields.person()
        except Refused:
            return
        reason = typed_reason(self.reason)
        if reason is None:
            return
        ledger, home = self.session.accounts.ledger(), self.session.home
        stated = (self._account, person, reason, self.passphrase.text)
        self.begin(partial(_override, ledger, home, *stated), self._say)

    def _say(self, now: Requirement | None) -> str:
        self.passphrase.edit.clear()
        if now is None:
            return self.tr(
                "Your signature alone is enough from now on; every later bundle says why."
            )
        text = self.tr("{0} signs from now on; every later bundle says why.")
        return text.format(now.person.identity)


def _override(
    ledger: Ledger,
    home: Home,
    account: str,
    person: SecondPerson | None,
    reason: str,
    passphrase: str,
) -> Requirement | None:
    key = unlock_to_sign(home, passphrase)
    now = override_lost(ledger, account, person, reason, key)
    if now is not None:
        add_signer(home.signers, allowed_signers_line(info_of_person(now.person)))
    return now
