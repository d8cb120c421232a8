# SPDX-License-Identifier: Apache-2.0
"""The signing key's dialogs: making it, and unlocking it for one export."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.desk.core import words
from dpdesk.desk.core.session import Session
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.field import LineField
from dpdesk.desk.widgets.label import quiet
from dpdesk.release import keys
from dpdesk.release.keys import SigningKey
from dpdesk.study.problem import Problem, Refused


def _password(label: str) -> LineField:
    field = LineField(label)
    field.edit.setEchoMode(QLineEdit.EchoMode.Password)
    return field


class NewKeyDialog(Dialog):
    """Asks for the signer's name and a passphrase.

    Signals:
        made: the key is there.
    """

    made = Signal()

    def __init__(self, window: QWidget, session: Session) -> None:
        title = QCoreApplication.translate("NewKeyDialog", "Make a signing key")
        super().__init__(window, title, icon="key")
        self._session = session
        hint = self.tr("Such as data-office@hospital.example; it stands in every bundle.")
        self.name = LineField(self.tr("&Who signs"), hint)
        self.first = _password(self.tr("&Passphrase"))
        self.second = _password(self.tr("The same &again"))
        text = self.tr(
            "Every bundle is signed, so that recipients can check that it is yours and unchanged. "
            "The key stays on this computer under a passphrase that dpdesk cannot recover."
        )
        self.body.addWidget(quiet(text))
        for field in (self.name, self.first, self.second):
            self.body.addWidget(field)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Make key"))
        self.name.edit.setFocus()

    def accept(self) -> None:
        """Make the key, or say what is wrong."""
        for field in (self.name, self.first, self.second):
            field.set_error("")
        if self.first.text != self.second.text:
            self.second.set_error(words.problem_sentence(Problem("$", "passphrases-differ")))
            return
        try:
            keys.new_key(self._session.home.keys, self.name.text.strip(), self.first.text)
        except Refused as refused:
            problem = refused.problems[0]
            field = self.first if problem.code.startswith("passphrase") else self.name
            field.set_error(words.problem_sentence(problem))
            return
        super().accept()
        self.made.emit()


class UnlockDialog(Dialog):
    """Asks for the passphrase, for one signature.

    Signals:
        unlocked: carries the key.
    """

    unlocked = Signal(object)

    def __init__(self, window: QWidget, session: Session, identity: str) -> None:
        title = QCoreApplication.translate("UnlockDialog", "Sign as {0}")
        super().__init__(window, title.format(identity), icon="key")
        self._session = session
        self.passphrase = _password(self.tr("&Passphrase of the signing key"))
        self.body.addWidget(self.passphrase)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Sign and export"))
        self.passphrase.edit.returnPressed.connect(self.accept)
        self.passphrase.edit.setFocus()

    def accept(self) -> None:
        """Unlock the key, or say that the passphrase is wrong."""
        try:
            key: SigningKey = keys.unlock(self._session.home.keys, self.passphrase.text)
        except Refused as refused:
            self.passphrase.set_error(words.problem_sentence(refused.problems[0]))
            self.passphrase.edit.selectAll()
            self.passphrase.edit.setFocus()
            return
        self.passphrase.edit.clear()
        super().accept()
        self.unlocked.emit(key)
