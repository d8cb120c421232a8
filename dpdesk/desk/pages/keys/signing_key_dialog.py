# SPDX-License-Identifier: Apache-2.0
"""The signing key's public side: the line to hand over, and the fingerprint to read out."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QSaveFile
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.change_dialogs import (
    PaperDialog,
    PassphraseDialog,
    RevokeDialog,
    RotateDialog,
)
from dpdesk.desk.pages.keys.key_dialog import LockDialog
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.release.backup.key_page import groups_of, public_page, write_page
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.signing.keys import KeyInfo, allowed_signers_line
from dpdesk.study.problem import Refused

WIDTH = 620
ALLOWED_SIGNERS = "allowed_signers"


class SigningKeyDialog(Dialog):
    """Shows the public line and the fingerprint in both its forms.

    Attributes:
        line: the line of ``allowed_signers``.
        fingerprint: as ``ssh-keygen`` prints it.
        groups: the same digest, to be read out.
    """

    def __init__(self, window: QWidget, info: KeyInfo, session: Session) -> None:
        title = QCoreApplication.translate("SigningKeyDialog", "Signing key")
        super().__init__(window, title, info.identity, icon="key", width=WIDTH)
        self._info, self._session = info, session
        self.line = _shown(self.tr("&Public line"), allowed_signers_line(info).strip())
        self.line.set_hint(
            self.tr(
                "Hand it over once, separately from any bundle: recipients save it and "
                "verify with it."
            )
        )
        self.fingerprint = _shown(self.tr("&Fingerprint, as ssh-keygen prints it"), "")
        self.fingerprint.set_text(info.fingerprint)
        self.groups = Label("", Type.CARD, mono=True, wrap=True)
        self.copy = secondary(self.tr("Copy line"), small=True)
        self.save = secondary(self.tr("Save line…"), small=True)
        self.page = secondary(self.tr("Print page…"), small=True)
        self.passphrase = secondary(self.tr("Change passphrase…"), small=True)
        self.paper = secondary(self.tr("Paper backup…"), small=True)
        self.rotate = secondary(self.tr("Replace…"), small=True)
        self.revoke = secondary(self.tr("Revoke…"), small=True)
        self._done = Remark()
        self._show_groups(groups_of(info.fingerprint))
        self._build_content()
        self.copy.clicked.connect(self._copy)
        self.save.clicked.connect(self._ask_save)
        self.page.clicked.connect(self._ask_page)
        for button, kind in (
            (self.passphrase, PassphraseDialog),
            (self.paper, PaperDialog),
            (self.rotate, RotateDialog),
            (self.revoke, RevokeDialog),
        ):
            button.clicked.connect(partial(self._change, kind))
        close = self.add_safe(self.tr("Close"))
        close.setFocus()

    def _show_groups(self, groups: tuple[str, ...]) -> None:
        """Two lines of eight; screen readers get them group by group."""
        half = len(groups) // 2
        self.groups.setText(" ".join(groups[:half]) + "\n" + " ".join(groups[half:]))
        self.groups.setAccessibleName(", ".join(" ".join(group) for group in groups))

    def _build_content(self) -> None:
        buttons = QHBoxLayout(spacing=Space.TIGHT)
        buttons.addWidget(self.copy)
        buttons.addWidget(self.save)
        buttons.addWidget(self.page)
        buttons.addStretch(1)
        changes = QHBoxLayout(spacing=Space.TIGHT)
        for button in (self.passphrase, self.paper, self.rotate, self.revoke):
            changes.addWidget(button)
        changes.addStretch(1)
        self.body.addWidget(self.line)
        self.body.addLayout(buttons)
        self.body.addWidget(self._done)
        self.body.addWidget(self.fingerprint)
        self.body.addWidget(
            quiet(
                self.tr(
                    "Sixteen groups to read out on the telephone; recipients compare them "
                    "before they trust the line."
                )
            )
        )
        self.body.addWidget(self.groups)
        self.body.addLayout(changes)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.line.text)
        self._done.say(self.tr("The line is on the clipboard."))

    def _ask_save(self) -> None:
        chosen, _kind = QFileDialog.getSaveFileName(
            self, self.tr("Save the public line"), ALLOWED_SIGNERS
        )
        if chosen:
            self.save_to(Path(chosen))

    def _change(self, kind: type[LockDialog]) -> None:
        """Open the dialog of a change over the window; this one shows the key as it was."""
        window = self.parentWidget()
        self.accept()
        if window is not None:
            kind(window, "", self._session).open()

    def _ask_page(self) -> None:
        title, kinds = self.tr("Write the key's page"), self.tr("Pages (*.pdf *.html)")
        chosen, _kind = QFileDialog.getSaveFileName(self, title, "signing-key.pdf", kinds)
        if chosen:
            self.print_to(Path(chosen))

    def print_to(self, path: Path) -> None:
        """Write the page with the public key."""
        page = public_page(self._info, ReleaseWords.of(catalogue().language))
        try:
            write_page(path, page, is_secret=False)
        except Refused as refused:
            self._done.say(" ".join(words.problem_sentence(p) for p in refused.problems))
            return
        self._done.say(self.tr("{0} is written; it holds nothing secret.").format(path.name))

    def save_to(self, path: Path) -> None:
        """Write the line, whole or not at all."""
        file = QSaveFile(str(path))
        opened = file.open(QSaveFile.OpenModeFlag.WriteOnly)
        if opened and file.write(f"{self.line.text}\n".encode("ascii")) > 0 and file.commit():
            self._done.say(self.tr("The line is saved."))
        else:
            self._done.say(self.tr("It cannot be written there; choose another folder."))


def _shown(label: str, text: str) -> LineField:
    field = LineField(label)
    field.edit.setReadOnly(True)
    field.edit.setMaxLength(len(text) + 1_000)
    field.set_text(text)
    field.edit.setCursorPosition(0)
    field.edit.setEchoMode(QLineEdit.EchoMode.Normal)
    return field
