# SPDX-License-Identifier: Apache-2.0
"""Changes of the signing key: another passphrase, a successor, and its end."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.lock_dialog import LockDialog, differ
from dpdesk.desk.pages.working_dialog import signing_passphrase
from dpdesk.desk.text import times, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.field import LineField, PasswordField
from dpdesk.release.places.home import Home
from dpdesk.release.second_person.revoked import finish_revocation, revoke_own
from dpdesk.release.signing import key_changes, revocation, rotation
from dpdesk.release.signing.passphrase_strength import strength_of
from dpdesk.release.signing.signers import RevokedKey
from dpdesk.study.model.dates import ISO


class PassphraseDialog(LockDialog):
    """Another passphrase for the same key."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("PassphraseDialog", "Change the passphrase")
        sentence = tr(
            "PassphraseDialog",
            "The key stays the same, and what it signed stays valid. Earlier copies of its file "
            "keep the old passphrase.",
        )
        super().__init__(window, session, title, sentence)
        self.old = PasswordField(self.tr("&Current passphrase"))
        self.first = PasswordField(self.tr("&New passphrase"))
        self.second = PasswordField(self.tr("&Repeat the new passphrase"))
        self.show_fields(self.old, self.first, self.second)
        self.first.edit.textChanged.connect(self._say_strength)
        self.ok = self.add_primary(self.tr("Change"))

    def _say_strength(self, text: str) -> None:
        said = {
            "weak": self.tr("Estimated strength: weak. Five or more random words are better."),
            "fair": self.tr("Estimated strength: fair."),
            "strong": self.tr("Estimated strength: strong."),
        }
        self.outcome.say(said[strength_of(text)] if text else "")

    def accept(self) -> None:
        if self.is_busy or differ(self.first, self.second):
            return
        folder, old, new = self.session.home.keys, self.old.text, self.first.text
        call = partial(key_changes.change_passphrase, folder, old, new)
        self.work_at(self.old, call, self.end)


class KeyNoticeDialog(LockDialog):
    """A change that a signed notice reports to recipients."""

    def _ask_notice(self, proposed: str, then: Callable[[Path], None]) -> None:
        if not self.is_busy:
            self.ask_place(self.tr("Save the notice for recipients"), proposed, then)


class RotateDialog(KeyNoticeDialog):
    """A new key takes the old one's place, and the old one says so."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("RotateDialog", "Replace the signing key")
        sentence = tr(
            "RotateDialog",
            "A new key signs from now on, with the same passphrase. The old key signs a notice "
            "for your recipients, and its bundles stay valid. Was it stolen? Revoke it instead.",
        )
        super().__init__(window, session, title, sentence)
        self.passphrase = signing_passphrase()
        self.show_fields(self.passphrase)
        self.ok = self.add_primary(self.tr("Replace…"))

    def accept(self) -> None:
        self._ask_notice("key-rotation.txt", self.rotate_to)

    def rotate_to(self, notice: Path) -> None:
        call = partial(rotation.rotate, self.session.home, self.passphrase.text, notice)
        self.work_at(self.passphrase, call, self.end)


class RevokeDialog(KeyNoticeDialog):
    """The key ends: nobody accepts what it signed."""

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("RevokeDialog", "Revoke the signing key")
        sentence = tr(
            "RevokeDialog",
            "This cannot be undone. For a stolen key: Verify then rejects all its bundles, and "
            "each counts only for recipients who had it before that day. The key can no longer "
            "sign.",
        )
        super().__init__(window, session, title, sentence)
        self.reason = LineField(self.tr("Rea&son, shown to recipients"))
        example = self.tr("For example {0}.").format(times.typed(times.EXAMPLE_DAY))
        self.day = LineField(self.tr("S&ince"), example)
        self.day.set_text(times.typed(datetime.now().astimezone().date()))
        self.passphrase = signing_passphrase()
        self.show_fields(self.reason, self.day, self.passphrase)
        self.ok = self.add_danger(self.tr("Revoke…"))

    def accept(self) -> None:
        is_day = times.day_from_text(self.day.text) is not None
        self.day.set_error("" if is_day else words.day_wanted(ISO))
        if is_day:
            self._ask_notice("key-revocation.txt", self.revoke_to)

    def revoke_to(self, notice: Path) -> None:
        stated = (self.passphrase.text, times.iso_typed(self.day.text), self.reason.text)
        call = partial(_revoke, self.session.home, notice, *stated)
        self.work_at(self.passphrase, call, self._finish)

    def _finish(self, _key: object) -> None:
        self.session.reread_accounts()
        self.end()


def _revoke(home: Home, notice: Path, passphrase: str, day: str, reason: str) -> RevokedKey:
    finished = finish_revocation(home)
    if finished is None:
        key = revocation.unlock_to_sign(home, passphrase)
        revocation.write_notice(notice, revocation.notice_of(key.info, day, reason), key)
        finished = revoke_own(home, notice)
    return finished[0]
