# SPDX-License-Identifier: Apache-2.0
"""Trying out the words on paper: they give this key, or the line with the slip is named."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.change_dialogs import ChangeDialog
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.inputs.field import TextField
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.key_backups import PAPER, note_backup
from dpdesk.release.signing.keys import KeyInfo
from dpdesk.release.signing.paper_words import LINES, key_of_words
from dpdesk.study.problem import refuse


class TryWordsDialog(ChangeDialog):
    """Asks for the words as they stand on paper; a copy counts once they were right.

    Signals:
        tried: they give this key.
    """

    tried = Signal()

    def __init__(self, window: QWidget, _title: str, session: Session) -> None:
        title = QCoreApplication.translate("TryWordsDialog", "Try the words on paper")
        sentence = QCoreApplication.translate(
            "TryWordsDialog",
            "Type the six lines from the paper, not from the screen. Nothing is changed: dpdesk "
            "says whether they would bring this key back.",
        )
        super().__init__(window, title, session, sentence)
        self.typed = TextField(self.tr("&Words, line by line"), lines=LINES + 1)
        self.typed.edit.setFont(font(Type.TEXT, mono=True))
        self.body.addWidget(self.typed)
        self.show_fields()
        self.ok = self.add_primary(self.tr("Try"))
        self.typed.edit.setFocus()

    def accept(self) -> None:
        """Try them, or say which line is wrong."""
        if self.is_busy:
            return
        self.typed.set_error("")
        lines = self.typed.text.splitlines()
        self.work(partial(_try, self.session.home, lines), self._finish, self.typed)

    def _finish(self, _info: object) -> None:
        self.end()
        self.tried.emit()

    def done(self, result: int) -> None:
        """No words stay behind."""
        self.typed.set_text("")
        super().done(result)


def _try(home: Home, lines: list[str]) -> KeyInfo:
    """Note the copy where its words give the key that is there.

    Raises:
        Refused: what :func:`key_of_words` refuses, ``key-missing`` or ``words-other-key``.
    """
    own = keys.show(home.keys)
    if own is None:
        raise refuse("key-missing")
    if keys.info_of(own.identity, key_of_words(lines)).fingerprint != own.fingerprint:
        raise refuse("words-other-key")
    note_backup(home, PAPER, own)
    return own
