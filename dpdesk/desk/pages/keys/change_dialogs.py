# SPDX-License-Identifier: Apache-2.0
"""Changes of the signing key: another passphrase, a successor, its end, and a copy on paper.

Each says in a sentence what it means, and works at the lock off the GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from html import escape
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.key_dialog import LockDialog, differ
from dpdesk.desk.text import times, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.inputs.field import Field, LineField, PasswordField, TextField
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.release.backup.key_page import paper_page, write_page
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.revoked import finish_revocation, revoke_own
from dpdesk.release.signing import key_changes, keys, revocation, rotation
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.paper_words import LINES, key_of_words, words_of_key
from dpdesk.release.signing.passphrase_strength import strength_of
from dpdesk.release.signing.signers import RevokedKey, load_signers
from dpdesk.study.model.dates import ISO
from dpdesk.study.problem import Problem, Refused

Lines = tuple[tuple[str, ...], ...]


class ChangeDialog(LockDialog):
    """What all changes have in common: a sentence, fields, and a place for what went wrong.

    Attributes:
        done_with: what was done, or why not.
    """

    def __init__(self, window: QWidget, title: str, session: Session, sentence: str) -> None:
        super().__init__(window, title, session, escape(sentence))
        self.done_with = Remark()

    def show_fields(self, *fields: LineField) -> None:
        """Put the fields under the sentence; the first has the keyboard."""
        self.fields = fields
        for field in fields:
            self.body.addWidget(field)
        self.forget_errors(*fields)
        self.body.addWidget(self.done_with)
        if fields:
            fields[0].edit.setFocus()

    def work(
        self, call: Callable[[], object], then: Callable[[object], None], field: Field
    ) -> None:
        """Do it beside the window; what is refused stands at a field."""
        for one in self.fields:
            one.set_error("")

        def refused(problem: Problem) -> None:
            field.refuse(words.problem_sentence(problem))

        self._run(call, self.tr("Working at the key…"), then, refused)

    def ask_notice(self, proposed: str, then: Callable[[Path], None]) -> None:
        """Ask where the notice for recipients goes, and go on with that."""
        if self.is_busy:
            return
        title = self.tr("Write the notice for recipients")
        chosen = new_file(self, title, proposed)
        if chosen:
            then(chosen)

    def end(self) -> None:
        """Done: nothing secret stays in a field."""
        for one in self.fields:
            one.edit.clear()
        LockDialog.accept(self)


class PassphraseDialog(ChangeDialog):
    """Another passphrase for the same key."""

    def __init__(self, window: QWidget, _title: str, session: Session) -> None:
        title = QCoreApplication.translate("PassphraseDialog", "Change the passphrase")
        sentence = QCoreApplication.translate(
            "PassphraseDialog",
            "The key stays the same, and so does everything that it signed; copies of its file "
            "made before keep the old passphrase.",
        )
        super().__init__(window, title, session, sentence)
        self.old = PasswordField(self.tr("&Present passphrase"))
        self.first = PasswordField(self.tr("&New passphrase"))
        self.second = PasswordField(self.tr("&Repeat the new passphrase"))
        self.show_fields(self.old, self.first, self.second)
        self.first.edit.textChanged.connect(self._say_strength)
        self.ok = self.add_primary(self.tr("Change"))

    def _say_strength(self, text: str) -> None:
        said = {
            "weak": self.tr(
                "Strength, as an estimate: weak. Five or more random words are better."
            ),
            "fair": self.tr("Strength, as an estimate: fair."),
            "strong": self.tr("Strength, as an estimate: strong."),
        }
        self.done_with.say(said[strength_of(text)] if text else "")

    def accept(self) -> None:
        """Change it, or say what is wrong."""
        if self.is_busy or differ(self.first, self.second):
            return
        folder, old, new = self.session.home.keys, self.old.text, self.first.text
        call = partial(key_changes.change_passphrase, folder, old, new)
        self.work(call, lambda _info: self.end(), self.old)


class RotateDialog(ChangeDialog):
    """A new key takes the old one's place, and the old one says so."""

    def __init__(self, window: QWidget, _title: str, session: Session) -> None:
        title = QCoreApplication.translate("RotateDialog", "Replace the signing key")
        sentence = QCoreApplication.translate(
            "RotateDialog",
            "A new key signs from now on, under the same passphrase. The old one signs a notice "
            "for your recipients; what it signed stays valid.",
        )
        super().__init__(window, title, session, sentence)
        self.passphrase = PasswordField(self.tr("&Passphrase of the signing key"))
        self.show_fields(self.passphrase)
        self.ok = self.add_primary(self.tr("Replace…"))

    def accept(self) -> None:
        """Ask where the notice goes, then replace the key."""
        self.ask_notice("key-rotation.txt", self.rotate_to)

    def rotate_to(self, notice: Path) -> None:
        """Replace the key and write the notice."""
        call = partial(rotation.rotate, self.session.home, self.passphrase.text, notice)
        self.work(call, lambda _info: self.end(), self.passphrase)


class RevokeDialog(ChangeDialog):
    """The key ends: nobody accepts what it signed."""

    def __init__(self, window: QWidget, _title: str, session: Session) -> None:
        title = QCoreApplication.translate("RevokeDialog", "Revoke the signing key")
        sentence = QCoreApplication.translate(
            "RevokeDialog",
            "It signs nothing any more, and no bundle that it signed is accepted, whatever its "
            "date. This cannot be undone.",
        )
        super().__init__(window, title, session, sentence)
        self.reason = LineField(self.tr("Rea&son, for recipients to read"))
        example = self.tr("Such as {0}.").format(times.typed(times.EXAMPLE_DAY))
        self.day = LineField(self.tr("S&ince"), example)
        self.day.set_text(times.typed(datetime.now().astimezone().date()))
        self.passphrase = PasswordField(self.tr("&Passphrase of the signing key"))
        self.show_fields(self.reason, self.day, self.passphrase)
        self.ok = self.add_danger(self.tr("Revoke…"))

    def accept(self) -> None:
        """Ask where the notice goes, then revoke the key."""
        is_day = times.day_from_text(self.day.text) is not None
        self.day.set_error("" if is_day else words.day_wanted(ISO))
        if is_day:
            self.ask_notice("key-revocation.txt", self.revoke_to)

    def revoke_to(self, notice: Path) -> None:
        """Revoke the key and write the notice."""
        stated = (self.passphrase.text, times.iso_typed(self.day.text), self.reason.text)
        call = partial(_revoke, self.session.home, notice, *stated)
        self.work(call, lambda _key: self._finish(), self.passphrase)

    def _finish(self) -> None:
        self.session.reread_accounts()
        self.end()


def _revoke(home: Home, notice: Path, passphrase: str, day: str, reason: str) -> RevokedKey:
    finished = finish_revocation(home)
    if finished is None:
        key = revocation.unlock_to_sign(home, passphrase)
        revocation.write_notice(notice, revocation.notice_of(key.info, day, reason), key)
        finished = revoke_own(home, notice)
    return finished[0]


class PaperDialog(ChangeDialog):
    """The private key as words, shown and, where asked for, written as a page."""

    def __init__(self, window: QWidget, _title: str, session: Session) -> None:
        title = QCoreApplication.translate("PaperDialog", "The signing key on paper")
        sentence = QCoreApplication.translate(
            "PaperDialog",
            "Whoever has these words has the key, without its passphrase: write them down or print "
            "them, and keep them in a safe.",
        )
        super().__init__(window, title, session, sentence)
        self._found: tuple[KeyInfo, Lines] | None = None
        self.passphrase = PasswordField(self.tr("&Passphrase of the signing key"))
        self.shown = TextField(self.tr("&Words, line by line"), lines=LINES + 1)
        self.shown.edit.setReadOnly(True)
        self.shown.edit.setFont(font(Type.TEXT, mono=True))
        self.shown.hide()
        self.body.addWidget(self.shown)
        self.show_fields(self.passphrase)
        self.page = self.add_other(self.tr("Write a page…"))
        self.page.clicked.connect(self._ask_page)
        self.page.hide()
        self.ok = self.add_primary(self.tr("Show the words"))

    def accept(self) -> None:
        """Show the words."""
        if self.is_busy:
            return
        call = partial(keys.unlock, self.session.home.keys, self.passphrase.text)
        self.work(call, self._show, self.passphrase)

    def _show(self, key: object) -> None:
        if not isinstance(key, SigningKey):
            return
        lines = words_of_key(key.private)
        self._found = key.info, lines
        self.passphrase.edit.clear()
        self.passphrase.hide()
        self.shown.set_text("\n".join("  ".join(line) for line in lines))
        self.shown.show()
        self.page.show()
        self.ok.hide()
        self.cancel.setText(self.tr("Close"))

    def _ask_page(self) -> None:
        title, kinds = self.tr("Write the words"), self.tr("Pages (*.pdf *.html)")
        chosen = new_file(self, title, "paper-key.pdf", kinds)
        if chosen:
            self.write_to(chosen)

    def write_to(self, path: Path) -> None:
        """Write the words as a page, for this user alone."""
        if self._found is None:
            return
        page = paper_page(*self._found, ReleaseWords.of(catalogue().language))
        try:
            write_page(path, page, is_secret=True)
        except Refused as refused:
            self.done_with.say(" ".join(words.problem_sentence(p) for p in refused.problems))
            return
        text = self.tr("{0} is written, for you alone; print it and delete it.")
        self.done_with.say(text.format(path.name))

    def done(self, result: int) -> None:
        """No words stay behind."""
        self._found = None
        self.shown.set_text("")
        super().done(result)


class RestoreWordsDialog(ChangeDialog):
    """The signing key again, from its words on paper.

    Signals:
        made: the key is there.
    """

    made = Signal()

    def __init__(self, window: QWidget, name: str, session: Session) -> None:
        title = QCoreApplication.translate("RestoreWordsDialog", "Restore the key from paper")
        sentence = QCoreApplication.translate(
            "RestoreWordsDialog",
            "Type the six lines as they are printed; a slip is found, and its line is named.",
        )
        super().__init__(window, title, session, sentence)
        self.typed = TextField(self.tr("&Words, line by line"), lines=LINES + 1)
        self.typed.edit.setFont(font(Type.TEXT, mono=True))
        self.body.addWidget(self.typed)
        self.name = LineField(self.tr("Wh&o signs"))
        self.name.set_text(name)
        self.first = PasswordField(self.tr("New &passphrase"))
        self.second = PasswordField(self.tr("&Repeat the passphrase"))
        self.show_fields(self.name, self.first, self.second)
        self.typed.edit.setFocus()
        self.ok = self.add_primary(self.tr("Restore"))

    def accept(self) -> None:
        """Restore the key, or say which line is wrong."""
        if self.is_busy or differ(self.first, self.second):
            return
        lines, name = self.typed.text.splitlines(), self.name.text.strip()
        call = partial(_restore, self.session.home, name, lines, self.first.text)
        self.work(call, self._finish, self.typed)

    def _finish(self, _info: object) -> None:
        self.typed.set_text("")
        self.end()
        self.made.emit()


def _restore(home: Home, name: str, lines: list[str], passphrase: str) -> KeyInfo:
    pair = key_of_words(lines)
    load_signers(home.signers).refuse_revoked(keys.info_of(name, pair).fingerprint)
    return keys.keep(home.keys, name, pair, passphrase)
