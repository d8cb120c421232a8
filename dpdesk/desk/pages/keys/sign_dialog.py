# SPDX-License-Identifier: Apache-2.0
"""The second person reads a plan, or a change of who signs, and signs it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.key_dialog import LINES, WIDE, LockDialog
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.widgets.inputs.field import PasswordField, TextField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.second_person.handed_over import read_handed, write_handed
from dpdesk.release.second_person.plan_file import PlanFile, read_plan
from dpdesk.release.second_person.plan_signature import sign_plan
from dpdesk.release.second_person.proven_steps import RequirementChange
from dpdesk.release.second_person.requirement import read_change, sign_change
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.study.problem import Problem


class HandedFile:
    """What was handed over to be signed.

    Attributes:
        path: its file; the signature goes beside it.
        raw: its bytes, which are signed.
        content: what they say, made anew from them.
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
        """Where the signature goes."""
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
        title = QCoreApplication.translate("SignDialog", "Sign as the second person")
        super().__init__(window, title, session, width=WIDE)
        self._handed = handed
        self.shown = TextField(self.tr("&What you sign"), lines=LINES)
        self.shown.edit.setReadOnly(True)
        self.shown.set_text("\n".join(self._lines()))
        self.passphrase = PasswordField(self.tr("&Passphrase of your signing key"))
        self.body.addWidget(self.shown)
        text = self.tr("Your signature is written beside {0}, as {1}; give both back.")
        self.body.addWidget(quiet(text.format(handed.path.name, handed.signature_path.name)))
        self.body.addWidget(self.passphrase)
        self.fields = (self.passphrase,)
        self.forget_errors(self.passphrase)
        self.ok = self.add_primary(self.tr("Sign"))
        self.passphrase.edit.returnPressed.connect(self.accept)
        self.passphrase.edit.setFocus()

    def _lines(self) -> list[str]:
        content = self._handed.content
        if isinstance(content, RequirementChange):
            return self._change_lines(content)
        # Loaded here: what sets pages comes with it.
        from dpdesk.release.plan_report.lines_to_sign import lines_to_sign

        return list(lines_to_sign(content, ReleaseWords.of(catalogue().language)))

    def _change_lines(self, change: RequirementChange) -> list[str]:
        person = change.decision.person
        nobody = self.tr("Nobody has to sign besides any more.")
        other = self.tr("From now on {0} signs.").format(person.identity if person else "")
        return [
            self.tr("Account: {0}").format(change.account),
            other if person else nobody,
            self.tr("Reason: {0}").format(change.decision.reason),
        ]

    def accept(self) -> None:
        """Sign, or say why not."""
        if self.is_busy:
            return
        passphrase = self.passphrase.text
        said = self.tr("Unlocking the key…")
        self._run(
            lambda: self._handed.sign(self.session, passphrase), said, self._end, self._refuse
        )

    def _refuse(self, problem: Problem) -> None:
        self.passphrase.set_error(words.problem_sentence(problem))
        self.passphrase.edit.selectAll()
        self.passphrase.edit.setFocus()

    def _end(self, path: Path) -> None:
        self.passphrase.edit.clear()
        super().accept()
        self.signed.emit(path)
