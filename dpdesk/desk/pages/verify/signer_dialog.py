# SPDX-License-Identifier: Apache-2.0
"""Getting to know a signer: by the line they handed over, never by what a bundle brings."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.release.signing.signers import add_signer
from dpdesk.study.problem import Refused


class AddSignerDialog(Dialog):
    """Asks for a signer's allowed_signers line."""

    def __init__(self, window: QWidget, session: Session) -> None:
        super().__init__(window, tr("AddSignerDialog", "Add a signer you know"), icon="key")
        self._session = session
        text = self.tr(
            "Paste the public key that the signer gave you separately from the bundle. Compare "
            "its fingerprint with them, for example by telephone. A key that comes with what it "
            "signs proves nothing."
        )
        self.line = LineField(self.tr("&Public key of the signer"))
        self.body.addWidget(quiet(text))
        self.body.addWidget(self.line)
        self.add_safe(self.tr("Cancel"))
        self.add_primary(self.tr("Add signer"))
        self.line.edit.setFocus()

    def accept(self) -> None:
        try:
            add_signer(self._session.home.signers, self.line.text.strip())
        except Refused as refused:
            self.line.refuse(words.problem_sentence(refused.problems[0]))
            return
        super().accept()
