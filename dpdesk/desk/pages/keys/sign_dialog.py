# SPDX-License-Identifier: Apache-2.0
"""The second person reads a plan, or a change of who signs, and signs it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.lock_dialog import WIDE, LockDialog, shown_text
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.field import PasswordField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.second_person.handed_over import read_handed, write_handed
from dpdesk.release.second_person.plan_file import PlanFile, read_plan
from dpdesk.release.second_person.plan_signature import sign_plan
from dpdesk.release.second_person.proven_persons import RequirementChange
from dpdesk.release.second_person.requirement import read_change, sign_change
from dpdesk.release.signing.revocation import unlock_to_sign


class HandedFile:
    """What was handed over to be signed.

    Attributes:
        path: its file; the signature goes beside it.
        raw: its bytes, which are signed.
        content: what they say, made again from them.
    """

    def __init__(self, path: Path) -> None:
        """Read a file.

        Raises:
            Refused: it is neither a plan nor a change as dpdesk writes them.
        """
        self.path, self.raw = path, read_handed(path)
        is_change = b'\n "dpdesk_change": ' in self.raw
        self.content: PlanFile | RequirementChange = (
            read_change(self.raw) if is_change else read_plan(self.raw)
        )

    @property
    def signature_path(self) -> Path:
        return self.path.with_name(f"{self.path.name}.sig")

    def sign(self, session: Session, passphrase: str) -> Path:
        """Sign it with this user's own key.

        Raises:
            Refused: the key's, ``second-person-other``, ``handed-exists``, ``handed-unwritable``.
        """
        key = unlock_to_sign(session.home, passphrase)
        sign = sign_plan if isinstance(self.content, PlanFile) else sign_change
        write_handed(self.signature_path, sign(self.raw, key))
        return self.signature_path


class SignDialog(LockDialog):
    """Shows what is to be signed, and asks for the passphrase.

    Signals:
        signed: carries the signature's path.
    """

    signed = Signal(object)

    def __init__(self, window: QWidget, session: Session, handed: HandedFile) -> None:
        super().__init__(window, session, tr("SignDialog", "Sign as the second person"), width=WIDE)
        self._handed = handed
        self.shown = shown_text(self.tr("&What you sign"), "\n".join(self._lines()))
        self.body.addWidget(self.shown)
        text = self.tr("Your signature is saved beside {0}, as {1}. Return both files.")
        self.body.addWidget(quiet(text.format(handed.path.name, handed.signature_path.name)))
        self.passphrase = PasswordField(self.tr("&Passphrase of your signing key"))
        self.show_fields(self.passphrase)
        self.ok = self.add_primary(self.tr("Sign"))

    def _lines(self) -> list[str]:
        content = self._handed.content
        if isinstance(content, RequirementChange):
            return self._change_lines(content)
        # Loaded here: what sets pages comes with it.
        from dpdesk.release.plan_report.lines_to_sign import lines_to_sign

        return list(lines_to_sign(content, ReleaseWords.of(catalogue().language)))

    def _change_lines(self, change: RequirementChange) -> list[str]:
        person = change.decision.person
        nobody = self.tr("From now on, no second person has to sign.")
        other = self.tr("From now on {0} signs.").format(person.identity if person else "")
        return [
            self.tr("Account: {0}").format(change.account),
            other if person else nobody,
            self.tr("Reason: {0}").format(change.decision.reason),
        ]

    def accept(self) -> None:
        if not self.is_busy:
            work = partial(self._handed.sign, self.session, self.passphrase.text)
            self.work_at(self.passphrase, work, self._end, self.tr("Unlocking the key…"))

    def _end(self, path: Path) -> None:
        self.end()
        self.signed.emit(path)
