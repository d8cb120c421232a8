# SPDX-License-Identifier: Apache-2.0
"""The signing key on paper: its words shown, tried, and typed to restore it."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.lock_dialog import LockDialog, differ
from dpdesk.desk.pages.working_dialog import signing_passphrase
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField, TextField
from dpdesk.release.backup.key_page import paper_page, write_page
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.key_backups import PAPER, note_backup
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.paper_words import LINES, key_of_words, words_of_key
from dpdesk.release.signing.signers import load_signers
from dpdesk.study.problem import Refused, refuse

Lines = tuple[tuple[str, ...], ...]


class WordsDialog(LockDialog):
    """A dialog with a field for the words; none of them stay behind."""

    def __init__(self, window: QWidget, session: Session, title: str, text: str) -> None:
        super().__init__(window, session, title, text)
        self.words = TextField(self.tr("&Words, line by line"), lines=LINES + 1)
        self.words.edit.setFont(font(Type.TEXT, mono=True))
        self.body.addWidget(self.words)

    def done(self, result: int) -> None:
        """No words stay behind."""
        self.words.set_text("")
        super().done(result)


class PaperDialog(WordsDialog):
    """The private key as words, shown and, where asked for, written as a page."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("PaperDialog", "The signing key on paper")
        sentence = tr(
            "PaperDialog",
            "Anyone with these words has the key, even without its passphrase. Write them down or "
            "print them, and keep them in a safe.",
        )
        super().__init__(window, session, title, sentence)
        self._found: tuple[KeyInfo, Lines] | None = None
        self.passphrase = signing_passphrase()
        self.words.edit.setReadOnly(True)
        self.words.hide()
        self.show_fields(self.passphrase)
        self.page = self.add_other(self.tr("Save a page…"))
        self.page.clicked.connect(self._ask_page)
        self.page.hide()
        self.ok = self.add_primary(self.tr("Show the words"))

    def accept(self) -> None:
        if self.is_busy:
            return
        call = partial(keys.unlock, self.session.home.keys, self.passphrase.text)
        self.work_at(self.passphrase, call, self._show)

    def _show(self, key: object) -> None:
        if not isinstance(key, SigningKey):
            return
        lines = words_of_key(key.private)
        self._found = key.info, lines
        self.passphrase.edit.clear()
        self.passphrase.hide()
        self.words.set_text("\n".join("  ".join(line) for line in lines))
        self.words.show()
        self.page.show()
        self.ok.hide()
        self.cancel.setText(self.tr("Close"))

    def _ask_page(self) -> None:
        kinds = self.tr("Pages (*.pdf *.html)")
        self.ask_place(self.tr("Save the words"), "paper-key.pdf", self.write_to, kinds)

    def write_to(self, path: Path) -> None:
        """Write the words as a page, for this user alone."""
        if self._found is None:
            return
        page = paper_page(*self._found, ReleaseWords.of(catalogue().language))
        try:
            write_page(path, page, is_secret=True)
        except Refused as refused:
            self.outcome.say(" ".join(words.problem_sentence(p) for p in refused.problems))
            return
        text = self.tr("{0} is saved, for you alone. Print it, then delete it.")
        self.outcome.say(text.format(path.name))

    def done(self, result: int) -> None:
        self._found = None
        super().done(result)


class RestoreWordsDialog(WordsDialog):
    """The signing key again, from its words on paper.

    Signals:
        made: the key is there.
    """

    made = Signal()

    def __init__(self, window: QWidget, session: Session, name: str) -> None:
        title = tr("RestoreWordsDialog", "Restore the key from paper")
        sentence = tr(
            "RestoreWordsDialog",
            "Type the six lines as they are printed. dpdesk finds typing errors and names the "
            "line.",
        )
        super().__init__(window, session, title, sentence)
        self.name = LineField(self.tr("Wh&o signs"))
        self.name.set_text(name)
        self.first = PasswordField(self.tr("New &passphrase"))
        self.second = PasswordField(self.tr("&Repeat the passphrase"))
        self.show_fields(self.name, self.first, self.second)
        self.words.edit.setFocus()
        self.ok = self.add_primary(self.tr("Restore"))

    def accept(self) -> None:
        if self.is_busy or differ(self.first, self.second):
            return
        lines, name = self.words.text.splitlines(), self.name.text.strip()
        call = partial(_restore, self.session.home, name, lines, self.first.text)
        self.work_at(self.words, call, self._finish)

    def _finish(self, _info: object) -> None:
        self.end()
        self.made.emit()


def _restore(home: Home, name: str, lines: list[str], passphrase: str) -> KeyInfo:
    pair = key_of_words(lines)
    load_signers(home.signers).refuse_revoked(keys.info_of(name, pair).fingerprint)
    return keys.keep(home.keys, name, pair, passphrase)


class TryWordsDialog(WordsDialog):
    """Asks for the words as they stand on paper; a copy counts once they were right.

    Signals:
        tried: they give this key.
    """

    tried = Signal()

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("TryWordsDialog", "Try the words on paper")
        sentence = tr(
            "TryWordsDialog",
            "Type the six lines from the paper, not from the screen. Nothing changes: dpdesk says "
            "whether they would restore this key.",
        )
        super().__init__(window, session, title, sentence)
        self.show_fields()
        self.ok = self.add_primary(self.tr("Try"))
        self.words.edit.setFocus()

    def accept(self) -> None:
        if self.is_busy:
            return
        self.words.set_error("")
        lines = self.words.text.splitlines()
        self.work_at(self.words, partial(_try, self.session.home, lines), self._finish)

    def _finish(self, _info: object) -> None:
        self.end()
        self.tried.emit()


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
