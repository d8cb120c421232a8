# SPDX-License-Identifier: Apache-2.0
"""Signing key: its fingerprint and public line, its copies, its passphrase, and its end."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSaveFile, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.keys.change_dialogs import PassphraseDialog, RevokeDialog, RotateDialog
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.desk.pages.keys.require_dialog import RequireSecondPersonDialog
from dpdesk.desk.pages.keys.words_dialogs import PaperDialog, TryWordsDialog
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.times import calendar_day
from dpdesk.desk.theme.metrics import Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import Button, secondary
from dpdesk.desk.widgets.card import Card, Hairline
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.empty_state import EmptyState
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, heading, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn, AlignedRow
from dpdesk.desk.widgets.page import stacking
from dpdesk.release.backup.key_page import public_page, write_page
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.signing import keys
from dpdesk.release.signing.fingerprint import groups_of, to_read_out
from dpdesk.release.signing.key_backups import KeyBackups, known_backups
from dpdesk.release.signing.keys import KeyInfo, allowed_signers_line
from dpdesk.study.problem import Refused

ALLOWED_SIGNERS = "allowed_signers"


class KeyPage(StepPage):
    """The key that signs this user's bundles; without one, the way to it."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.set_line(self.tr("It shows recipients that a bundle is yours. Keep it to yourself."))
        self._info: KeyInfo | None = None
        self.empty = EmptyState(
            "key",
            self.tr("No signing key yet"),
            self.tr(
                "You sign every bundle with it, so that recipients can check that it is yours and "
                "unchanged. It needs a name and a passphrase."
            ),
            self.tr("Make a signing key…"),
        )
        self.trouble = Banner(Tone.ERROR)
        self._name = heading("", wrap=True)
        self.fingerprint = Label("", Type.TEXT, mono=True, wrap=True)
        self.groups = Label("", Type.CARD, mono=True, wrap=True)
        self.line = Label("", Type.TEXT, mono=True, wrap=True, whole=True)
        self._done = Remark()
        self._make_buttons()
        self._filled = QWidget()
        self._build()
        self._connect()

    def _make_buttons(self) -> None:
        self.copy_groups = secondary(self.tr("Copy"), before="copy", small=True)
        self.copy_groups.setAccessibleName(self.tr("Copy fingerprint"))
        self.print_page = secondary(self.tr("Print page…"), before="print", small=True)
        self.copy_line = secondary(self.tr("Copy public key"), before="copy", small=True)
        self.save_line = secondary(self.tr("Save public key…"), small=True)
        self.paper = secondary(self.tr("On paper…"), small=True)
        self.try_paper = secondary(self.tr("Try the paper…"), small=True)
        self.file = secondary(self.tr("In a file…"), small=True)
        self.passphrase = secondary(self.tr("Change passphrase…"), small=True)
        self.second = secondary(self.tr("Require a second person…"), small=True)
        self.replace = secondary(self.tr("Replace the key…"))
        self.revoke = secondary(self.tr("Revoke the key…"))

    def _build(self) -> None:
        self.trouble.hide()
        column = QVBoxLayout(self._filled, spacing=Space.CARDS)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._public_card())
        column.addWidget(self._changes_card())
        column.addWidget(
            Banner(
                Tone.INFO,
                self.tr("Lost or stolen?"),
                self.tr(
                    "A lost key is replaced, and its bundles stay valid. A stolen key is revoked: "
                    "Verify then rejects all its bundles, and each counts only for recipients who "
                    "had it before that day. Tell every recipient at once."
                ),
            )
        )
        for widget in (self.trouble, self.empty, self._filled):
            self.body.addWidget(widget)
        self.footer.add_button(self.revoke)
        self.footer.add_button(self.replace)

    def _public_card(self) -> Card:
        card = Card()
        card.body.setSpacing(Space.CARDS)
        head = QHBoxLayout(spacing=Space.CARDS)
        head.addWidget(IconLabel("key", Role.ACCENT, tile=Role.TINT))
        who = QVBoxLayout(spacing=Space.HAIR)
        who.addWidget(self._name)
        who.addWidget(quiet(self.tr("Signs every bundle that you export.")))
        head.addLayout(who, 1)
        card.body.addLayout(head)
        card.body.addWidget(Hairline())
        box = Card("", Role.INSET)
        box.body.addWidget(quiet(self.tr("As ssh-keygen prints it")))
        box.body.addWidget(self.fingerprint)
        box.body.addWidget(Hairline())
        box.body.addWidget(quiet(self.tr("To read out on the telephone, sixteen groups of four")))
        box.body.addWidget(self.groups)
        said = self.tr("Recipients compare it before they trust the key.")
        buttons = (self.copy_groups, self.print_page)
        card.body.addLayout(_part(self.tr("Fingerprint"), said, buttons, box))
        said = self.tr(
            "Send it once to each recipient, separately from any bundle, for example by letter."
        )
        buttons = (self.copy_line, self.save_line)
        shown = Card("", Role.INSET)
        shown.body.addWidget(self.line)
        card.body.addLayout(_part(self.tr("Public key"), said, buttons, shown))
        card.body.addWidget(self._done)
        return card

    def _changes_card(self) -> Card:
        card = Card()
        card.body.setSpacing(Space.CARDS)
        self._copies = KeyRow("parcel", self.tr("Backup"), (self.paper, self.try_paper, self.file))
        lock = KeyRow("lock", self.tr("Passphrase"), (self.passphrase,))
        lock.say(self.tr("Every export asks for it. Nobody can recover it."))
        self._persons = KeyRow("people", self.tr("Second person"), (self.second,))
        self._rows = (self._copies, lock, self._persons)
        for place, row in enumerate(self._rows):
            if place:
                card.body.addWidget(Hairline())
            card.body.addWidget(row)
        return card

    def _connect(self) -> None:
        self.empty.action_pressed.connect(self._make_key)
        self.copy_groups.clicked.connect(self._copy_groups)
        self.copy_line.clicked.connect(self._copy_line)
        self.print_page.clicked.connect(self._ask_page)
        self.save_line.clicked.connect(self._ask_save)
        self.file.clicked.connect(self.key_backup_wanted)
        self.try_paper.clicked.connect(self._try_paper)
        self.second.clicked.connect(self._require_person)
        for button, kind in (
            (self.paper, PaperDialog),
            (self.passphrase, PassphraseDialog),
            (self.replace, RotateDialog),
            (self.revoke, RevokeDialog),
        ):
            button.clicked.connect(partial(self._change, kind))

    # --- what is on show ------------------------------------------------------------------------

    def enter(self) -> None:
        """Look at the key again: another program may have changed it."""
        super().enter()
        self._done.say("")
        self._look()

    def set_narrow(self, narrow: bool) -> None:
        super().set_narrow(narrow)
        for row in self._rows:
            row.set_narrow(narrow)

    def first_to_do(self) -> QWidget | None:
        if self._info is None:
            return self.empty.button if self.empty.isVisibleTo(self) else self.footer.back
        return self.copy_groups

    def _look(self) -> None:
        try:
            folder = self.session.home.keys
            self._info = keys.show(folder)
            if self._info is not None:
                # What is shown is its public file; without the private one nothing is signed.
                keys.read_key_file(folder / keys.PRIVATE_NAME)
            problems = ""
        except Refused as refused:
            self._info = None
            problems = " ".join(words.problem_sentence(p) for p in refused.problems)
        self.trouble.say("", problems)
        self.trouble.setVisible(bool(problems))
        self.empty.setVisible(self._info is None and not problems)
        self._filled.setVisible(self._info is not None)
        for button in (self.replace, self.revoke):
            button.setVisible(self._info is not None)
        if self._info is not None:
            self._show_key(self._info)

    def _show_key(self, info: KeyInfo) -> None:
        self._name.setText(info.identity)
        self.fingerprint.setText(info.fingerprint)
        # Two lines of eight; screen readers get them group by group.
        self.groups.setText(to_read_out(info.fingerprint))
        groups = groups_of(info.fingerprint)
        self.groups.setAccessibleName(", ".join(" ".join(group) for group in groups))
        self.line.setText(allowed_signers_line(info).strip())
        self._show_copies(known_backups(self.session.home, info))
        accounts = self.session.accounts.states
        self.second.setEnabled(bool(accounts))
        self._persons.say(
            self.tr("With one, an account releases nothing that you have not both signed.")
            if accounts
            else self.tr("You require one for an account; there is none yet.")
        )

    def _show_copies(self, known: KeyBackups) -> None:
        paper, file = known.paper, known.file
        if paper is not None:
            said = self.tr("On paper, tried on {0}.").format(calendar_day(paper.day))
        elif file is not None and known.opens:
            said = self.tr("In a file of {0}, with the current passphrase.").format(
                calendar_day(file.day)
            )
        elif file is not None:
            said = self.tr(
                "Only in a file of {0}, with an earlier passphrase. Make a new one."
            ).format(calendar_day(file.day))
        else:
            said = self.tr(
                "No backup is known. If this computer is lost, so is the key. A backup counts "
                "once you have tried it."
            )
        self._copies.say(said, "" if known.is_safe else self.tr("needs attention"))

    # --- what is done ---------------------------------------------------------------------------

    def _make_key(self) -> None:
        dialog = NewKeyDialog(self.window(), self.session)
        dialog.made.connect(self._look_again)
        dialog.open()

    def _look_again(self) -> None:
        self._look()
        self.focus_first()

    def _change(self, kind: Callable[[QWidget, Session], Dialog]) -> None:
        dialog = kind(self.window(), self.session)
        dialog.finished.connect(lambda _result: self._look())
        dialog.open()

    def _try_paper(self) -> None:
        dialog = TryWordsDialog(self.window(), self.session)
        dialog.tried.connect(self._look)
        dialog.open()

    def _require_person(self) -> None:
        names = tuple(account.name for account in self.session.accounts.states)
        RequireSecondPersonDialog(self.window(), self.session, names).open()

    def _copy_groups(self) -> None:
        QGuiApplication.clipboard().setText(" ".join(self.groups.text().split()))
        self._done.say(self.tr("The groups are on the clipboard."), Tone.DONE)

    def _copy_line(self) -> None:
        QGuiApplication.clipboard().setText(self.line.text())
        self._done.say(self.tr("The public key is on the clipboard."), Tone.DONE)

    def _ask_save(self) -> None:
        chosen = new_file(self.window(), self.tr("Save the public key"), ALLOWED_SIGNERS)
        if chosen:
            self.save_to(chosen)

    def save_to(self, path: Path) -> None:
        """Write it, whole or not at all."""
        file = QSaveFile(str(path))
        opened = file.open(QSaveFile.OpenModeFlag.WriteOnly)
        if opened and file.write(f"{self.line.text()}\n".encode("ascii")) > 0 and file.commit():
            self._done.say(self.tr("The public key is saved."), Tone.DONE)
        else:
            self._done.say(self.tr("dpdesk cannot save there. Choose another folder."))

    def _ask_page(self) -> None:
        title, kinds = self.tr("Save the key’s page"), self.tr("Pages (*.pdf *.html)")
        chosen = new_file(self.window(), title, "signing-key.pdf", kinds)
        if chosen:
            self.print_to(chosen)

    def print_to(self, path: Path) -> None:
        if self._info is None:
            return
        page = public_page(self._info, ReleaseWords.of(catalogue().language))
        try:
            write_page(path, page, is_secret=False)
        except Refused as refused:
            self._done.say(" ".join(words.problem_sentence(p) for p in refused.problems))
            return
        said = self.tr("{0} is saved. It contains nothing secret.")
        self._done.say(said.format(path.name), Tone.DONE)


def _part(title: str, said: str, buttons: tuple[Button, ...], content: QWidget) -> QVBoxLayout:
    """A name with what it is for, what can be done with it, and the thing itself."""
    column = AlignedColumn(spacing=Space.SMALL)
    head = AlignedRow(spacing=Space.SMALL)
    names = QVBoxLayout(spacing=Space.TIGHT)
    names.addWidget(headed(Label(title, semibold=True)))
    names.addWidget(quiet(said))
    head.addLayout(names, 1)
    for button in buttons:
        head.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
    column.addLayout(head)
    column.addWidget(content)
    return column


class KeyRow(QWidget):
    """Icon, name and sentence; buttons beside them, or below where it is narrow."""

    ring_room = RING

    def __init__(self, icon: str, name: str, buttons: tuple[Button, ...]) -> None:
        super().__init__()
        self._usual = icon
        self._icon = IconLabel(icon)
        self._sentence = quiet()
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        # The words begin at the left end, the buttons have their rings at the right.
        self._row.setContentsMargins(RING, 0, 0, 0)
        self._row.setSpacing(Space.CARDS)
        said = QHBoxLayout(spacing=Space.CARDS)
        said.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        names = QVBoxLayout(spacing=Space.TIGHT)
        names.addWidget(headed(Label(name, semibold=True)))
        names.addWidget(self._sentence)
        said.addLayout(names, 1)
        self._row.addLayout(said, 1)
        self._buttons = QWidget()
        flow = FlowLayout(self._buttons, across=Space.TIGHT, down=Space.TIGHT)
        for button in buttons:
            flow.addWidget(button)
        self._row.addWidget(self._buttons)

    @property
    def sentence(self) -> str:
        return self._sentence.text()

    def say(self, sentence: str, attention: str = "") -> None:
        """Say how it is; ``attention`` is the word beside the icon where something is amiss."""
        self._icon.set_icon("warning" if attention else self._usual, _ROLES[bool(attention)])
        self._sentence.setText(sentence)
        self._sentence.set_role(Role.WARN if attention else Role.TEXT_QUIET)
        self._sentence.setAccessibleName(f"{sentence} ({attention})" if attention else sentence)

    def set_narrow(self, narrow: bool) -> None:
        self._row.setDirection(stacking(narrow))


_ROLES = {True: Role.WARN, False: Role.TEXT_QUIET}
