# SPDX-License-Identifier: Apache-2.0
"""The signing key's dialogs: making it, and unlocking it for one export.

Its lock takes a second to close and to open, by design: off the GUI thread, and the dialog says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.working_dialog import WorkingDialog
from dpdesk.desk.text import words
from dpdesk.desk.widgets.buttons import Button
from dpdesk.desk.widgets.dialog import WIDTH
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField, TextField
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.study.problem import Problem, Refused


def guards_nothing(field: LineField) -> bool:
    """Whether a new passphrase is too short or too long, which is said at its field."""
    return _refused(field, keys.check_passphrase, field.text)


def _refused(field: LineField, check: Callable[[str], None], text: str) -> bool:
    """Whether a text is refused, which is said at its field."""
    try:
        check(text)
    except Refused as refused:
        field.set_error(words.problem_sentence(refused.problems[0]))
        return True
    return False


def differ(first: LineField, second: LineField) -> bool:
    """Whether a passphrase was repeated otherwise, which is said at the second field."""
    if first.text == second.text:
        return False
    second.refuse(words.problem_sentence(Problem("$", "passphrases-differ")))
    return True


WIDE, LINES = 720, 16
"""Of a dialog that shows what is signed, and of the field that holds it."""


class LockDialog(WorkingDialog):
    """A dialog that works at the key's lock."""

    def __init__(
        self, window: QWidget, title: str, session: Session, text: str = "", width: int = WIDTH
    ) -> None:
        super().__init__(window, session, title, text, width=width)
        self._idle_text = ""
        self.fields: tuple[LineField, ...] = ()
        self.cancel = self.add_safe(self.tr("Cancel"))
        self.others: tuple[Button, ...] = ()
        self.ok: Button

    def _run(
        self,
        work: Callable[[], object],
        said: str,
        then: Callable[[Any], None],
        refused: Callable[[Problem], None],
    ) -> None:
        """Work at the lock; meanwhile nothing can be typed or pressed, and the button says why."""

        def end(tell: Callable[[Any], None], result: Any) -> None:
            self._set_busy("")
            tell(result)

        self._set_busy(said)
        self._latest.run(
            lambda _progress, _cancel: work(),
            lambda result: end(then, result),
            lambda problems: end(refused, problems[0]),
        )

    def _set_busy(self, said: str) -> None:
        if said:
            self._idle_text = self.ok.text()
            self.hold_keyboard(said)
        self.ok.setText(said or self._idle_text)
        self.ok.updateGeometry()
        for one in (*self.fields, self.cancel, *self.others, self.ok):
            one.setEnabled(not said)
        if not said:
            self.give_keyboard_back()

    def accept(self) -> None:
        """Done, unless the lock is still at work."""
        if not self.is_busy:
            super().accept()


class NewKeyDialog(LockDialog):
    """Asks for the signer's name and a passphrase.

    Signals:
        made: the key is there.
    """

    made = Signal()

    def __init__(self, window: QWidget, session: Session, home: Home | None = None) -> None:
        title = QCoreApplication.translate("NewKeyDialog", "Make a signing key")
        text = QCoreApplication.translate(
            "NewKeyDialog",
            "Every bundle is signed, so that recipients can check that it is yours and unchanged. "
            "The key stays on this computer under a passphrase that dpdesk cannot recover.",
        )
        self._home = home or session.home
        if self._home.is_sample:
            text = QCoreApplication.translate(
                "NewKeyDialog",
                "The sample hospital has a key of its own, which signs nothing else. Your own "
                "study asks for a key of your own.",
            )
        super().__init__(window, title, session, text)
        hint = self.tr("Such as data-office@hospital.example; every bundle states it.")
        self.name = LineField(self.tr("&Who signs"), hint)
        self.name.set_text(keys.as_identity(session.state.study.organisation))
        least = self.tr("At least {0} characters; five or more random words are better.")
        self.first = PasswordField(self.tr("&Passphrase"), least.format(keys.MIN_PASSPHRASE))
        self.second = PasswordField(self.tr("&Repeat the passphrase"))
        self.fields = (self.name, self.first, self.second)
        for field in self.fields:
            self.body.addWidget(field)
        self.forget_errors(*self.fields)
        self.restore = self.add_other(self.tr("Restore from paper…"))
        self.restore.clicked.connect(self._ask_words)
        self.restore.setVisible(not self._home.is_sample)
        self.others = (self.restore,)
        self.ok = self.add_primary(self.tr("Make key"))
        self.go_on_by_enter(self.fields, self.ok)
        self.name.suggestion_pressed.connect(self._take_identity)
        self.name.edit.setFocus()
        self.name.edit.selectAll()

    def _take_identity(self, identity: str) -> None:
        self.name.set_text(identity)
        self.name.set_error("")
        self.name.edit.setFocus()

    def _has_no_identity(self) -> bool:
        """Whether the name is none, which is said at its field, with the likeliest that is one."""
        named = self.name.text.strip()
        if not _refused(self.name, keys.check_identity, named):
            return False
        self.name.set_error(self.name.error, keys.as_identity(named))
        return True

    def accept(self) -> None:
        """Make the key, or say all that is wrong."""
        if self.is_busy:
            return
        for field in self.fields:
            field.set_error("")
        wrong = {
            self.name: self._has_no_identity(),
            self.first: guards_nothing(self.first),
            self.second: differ(self.first, self.second),
        }
        if any(wrong.values()):
            next(field for field, is_wrong in wrong.items() if is_wrong).edit.setFocus()
            return
        home, name, passphrase = self._home, self.name.text.strip(), self.first.text

        def work() -> KeyInfo:
            home.make()
            return keys.new_key(home.keys, name, passphrase)

        self._run(work, self.tr("Making the key…"), self._end, self._refuse)

    def _ask_words(self) -> None:
        """Instead of making a key, take one back from paper."""
        # Imported where it is asked for: it stands on this module.
        from dpdesk.desk.pages.keys.change_dialogs import RestoreWordsDialog

        dialog = RestoreWordsDialog(self, self.name.text.strip(), self.session)
        dialog.made.connect(self._end)
        dialog.open()

    def _end(self, _info: object = None) -> None:
        super().accept()
        self.made.emit()

    def _refuse(self, problem: Problem) -> None:
        field = self.first if problem.code.startswith("passphrase") else self.name
        field.set_error(words.problem_sentence(problem))
        field.edit.setFocus()


class UnlockDialog(LockDialog):
    """Asks for the passphrase, for one signature.

    Args:
        identity: who signs.
        action: what its button says.
        content: what is signed, where that is not on show behind it.
        home: whose key it is; the user's own where none is given.

    Signals:
        unlocked: carries the key.
    """

    unlocked = Signal(object)

    def __init__(
        self,
        window: QWidget,
        session: Session,
        identity: str,
        action: str = "",
        content: str = "",
        home: Home | None = None,
    ) -> None:
        self._home = home or session.home
        title = QCoreApplication.translate("UnlockDialog", "Sign as {0}")
        super().__init__(window, title.format(identity), session, width=WIDE if content else WIDTH)
        self.shown = TextField(self.tr("&What you sign"), lines=LINES)
        self.shown.edit.setReadOnly(True)
        self.shown.set_text(content)
        self.shown.setVisible(bool(content))
        self.body.addWidget(self.shown)
        kept = self.tr("dpdesk keeps it nowhere: every signature asks for it again.")
        self.passphrase = PasswordField(self.tr("&Passphrase of the signing key"), kept)
        self.fields = (self.passphrase,)
        self.body.addWidget(self.passphrase)
        self.forget_errors(self.passphrase)
        self.ok = self.add_primary(action or self.tr("Sign and export"))
        self.passphrase.edit.returnPressed.connect(self.accept)
        self.passphrase.edit.setFocus()

    def accept(self) -> None:
        """Unlock the key, or say that the passphrase is wrong."""
        if self.is_busy:
            return
        work = partial(unlock_to_sign, self._home, self.passphrase.text)
        self._run(work, self.tr("Unlocking the key…"), self._end, self._refuse)

    def _refuse(self, problem: Problem) -> None:
        self.passphrase.set_error(words.problem_sentence(problem))
        self.passphrase.edit.selectAll()
        self.passphrase.edit.setFocus()

    def _end(self, key: SigningKey) -> None:
        self.passphrase.edit.clear()
        super().accept()
        self.unlocked.emit(key)
