# SPDX-License-Identifier: Apache-2.0
"""Making a signing key, and unlocking it for one signature."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.jobs.latest_job import Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.lock_dialog import WIDE, LockDialog, differ, shown_text
from dpdesk.desk.pages.keys.words_dialogs import RestoreWordsDialog
from dpdesk.desk.pages.working_dialog import signing_passphrase
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.dialog import WIDTH
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.release.signing.revocation import unlock_to_sign
from dpdesk.study.problem import Refused


def guards_nothing(field: LineField) -> bool:
    """Whether a new passphrase is too short or too long, which is said at its field."""
    return _refused(field, keys.check_passphrase, field.text)


def _refused(field: LineField, check: Callable[[str], None], text: str) -> bool:
    try:
        check(text)
    except Refused as refused:
        field.set_error(words.problem_sentence(refused.problems[0]))
        return True
    return False


class NewKeyDialog(LockDialog):
    """Asks for the signer's name and a passphrase.

    Signals:
        made: the key is there.
    """

    made = Signal()

    def __init__(self, window: QWidget, session: Session, home: Home | None = None) -> None:
        title = tr("NewKeyDialog", "Make a signing key")
        text = tr(
            "NewKeyDialog",
            "You sign every bundle, so that recipients can check that it is yours and unchanged. "
            "The key stays on this computer, protected by a passphrase that dpdesk cannot "
            "recover.",
        )
        self._home = home or session.home
        if self._home.is_sample:
            text = tr(
                "NewKeyDialog",
                "The sample hospital has its own key, which signs nothing else. Your own study "
                "needs your own key.",
            )
        super().__init__(window, session, title, text)
        hint = self.tr("For example data-office@hospital.example. Every bundle shows it.")
        self.name = LineField(self.tr("&Who signs"), hint)
        self.name.set_text(keys.as_identity(session.state.study.organisation))
        least = self.tr("At least {0} characters; five or more random words are better.")
        self.first = PasswordField(self.tr("&Passphrase"), least.format(keys.MIN_PASSPHRASE))
        self.second = PasswordField(self.tr("&Repeat the passphrase"))
        self.restore = self.add_other(self.tr("Restore from paper…"))
        self.restore.clicked.connect(self._ask_words)
        self.restore.setVisible(not self._home.is_sample)
        self.held = (self.restore,)
        self.show_fields(self.name, self.first, self.second)
        self.ok = self.add_primary(self.tr("Make key"))
        self.name.suggestion_pressed.connect(self._take_identity)
        self.name.edited.connect(self._judge_name)
        self.name.edit.selectAll()

    def _take_identity(self, identity: str) -> None:
        self.name.set_text(identity)
        self.name.set_error("")
        self.name.edit.setFocus()

    def forget_errors(self, *fields: LineField) -> None:
        """Those of the name are said while it is typed: two passphrases come after it."""
        super().forget_errors(*(field for field in fields if field is not self.name))

    def _judge_name(self, text: str) -> None:
        if not text.strip() or not self._has_no_identity():
            self.name.set_error("")

    def _has_no_identity(self) -> bool:
        """Whether the name is none, which is said at its field, with the likeliest that is one."""
        named = self.name.text.strip()
        if not _refused(self.name, keys.check_identity, named):
            return False
        self.name.set_error(self.name.error, keys.as_identity(named))
        return True

    def accept(self) -> None:
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

        self.run(work, self._end, self._refuse, self.tr("Making the key…"))

    def _ask_words(self) -> None:
        """Instead of making a key, take one back from paper."""
        dialog = RestoreWordsDialog(self, self.session, self.name.text.strip())
        dialog.made.connect(self._end)
        dialog.open()

    def _end(self, _info: object = None) -> None:
        self.end()
        self.made.emit()

    def _refuse(self, problems: Problems) -> None:
        field = self.first if problems[0].code.startswith("passphrase") else self.name
        field.refuse(words.problem_sentence(problems[0]))


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
        title = tr("UnlockDialog", "Sign as {0}")
        super().__init__(window, session, title.format(identity), width=WIDE if content else WIDTH)
        self.shown = shown_text(self.tr("&What you sign"), content)
        self.shown.setVisible(bool(content))
        self.body.addWidget(self.shown)
        hint = self.tr("dpdesk does not keep it: every signature asks for it again.")
        self.passphrase = signing_passphrase(hint)
        self.show_fields(self.passphrase)
        self.ok = self.add_primary(action or self.tr("Sign and export"))

    def accept(self) -> None:
        if not self.is_busy:
            work = partial(unlock_to_sign, self._home, self.passphrase.text)
            self.work_at(self.passphrase, work, self._end, self.tr("Unlocking the key…"))

    def _end(self, key: SigningKey) -> None:
        self.end()
        self.unlocked.emit(key)
