# SPDX-License-Identifier: Apache-2.0
"""After the export: where the bundle is, and what its recipients need besides."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from PySide6.QtCore import QLocale, QProcess, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.opened_elsewhere import open_elsewhere
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.announcing import announce, announce_copy
from dpdesk.desk.widgets.buttons import Button, link, primary, secondary
from dpdesk.desk.widgets.card import Card, Hairline
from dpdesk.desk.widgets.inputs.field import FieldFrame, ReadFrame
from dpdesk.desk.widgets.inputs.line_edit import INSET, PlainTextEdit, ShownLine
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, heading, quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn, AlignedRow, aligned_part
from dpdesk.release.record.second_person import SecondPersonRecord
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing.fingerprint import groups_of, to_read_out
from dpdesk.release.signing.keys import KeyInfo, allowed_signers_line
from dpdesk.study.model.document import Study
from dpdesk.study.text.shown_text import shown_text

MAIL_LINES = 5


class ExportedView(QWidget):
    """What now: send the bundle, hand over the public line, read the fingerprint out.


    Signals:
        closed: the figures are wanted again.
        verify_wanted: the bundle is to be checked as its recipients will; carries its path.
    """

    closed = Signal()
    verify_wanted = Signal(object)

    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        self._path = Path()
        self.banner = Banner(Tone.DONE, stands_out=True)
        self.banner.set_action(self.tr("Show in folder"))
        self._trouble = Banner(Tone.ERROR)
        self._trouble.hide()
        self.mail = PlainTextEdit()
        self.mail.setAccessibleName(self.tr("Text for the mail"))
        self.line = ShownLine()
        self.line.setFont(font(Type.TEXT, mono=True))
        self.line.setAccessibleName(self.tr("Public key"))
        self.groups = Label("", Type.CARD, mono=True, wrap=True)
        self.copy_mail = secondary(self.tr("Copy text"), before="copy", small=True)
        self.copy_line = secondary(self.tr("Copy public key"), before="copy", small=True)
        self.printed = Label("", Type.SMALL, mono=True, wrap=True)
        self.copy_groups = secondary(self.tr("Copy"), before="copy", small=True)
        self.copy_groups.setAccessibleName(self.tr("Copy fingerprint"))
        self.back = link(self.tr("Back to the figures"))
        self.verify = primary(self.tr("Verify it as they will"), before="shield")
        self._send, self._send_how = _title(""), quiet("")
        self._ways = QWidget()
        self._build()
        self._connect()

    def _connect(self) -> None:
        self.banner.action_pressed.connect(self.show_in_folder)
        self.copy_mail.clicked.connect(lambda: self._copy(self.mail.toPlainText()))
        self.copy_line.clicked.connect(lambda: self._copy(self.line.text()))
        self.copy_groups.clicked.connect(lambda: self._copy(" ".join(self.groups.text().split())))
        self.back.clicked.connect(self.closed)
        self.verify.clicked.connect(lambda: self.verify_wanted.emit(self._path))

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.CARDS)
        column.addWidget(self.banner)
        column.addWidget(self._trouble)
        column.addWidget(heading(self.tr("What now")))
        card = Card()
        mail_height = self.mail.lines_height(MAIL_LINES) + 2 * INSET
        steps = (
            (
                "parcel",
                self._send,
                self._send_how,
                self.copy_mail,
                FieldFrame(self.mail, mail_height),
            ),
            (
                "link",
                _title(self.tr("Send the public key")),
                quiet(
                    self.tr(
                        "Recipients check your signature with it. Send it once, not with the "
                        "bundle."
                    )
                ),
                self.copy_line,
                ReadFrame(self.line),
            ),
            (
                "key",
                _title(self.tr("Read the fingerprint out")),
                quiet(
                    self.tr(
                        "When they call, compare all 16 groups. If one differs, the key is not "
                        "yours: they must not use it."
                    )
                ),
                self.copy_groups,
                _inset(
                    self.groups,
                    self.tr("Read the fingerprint out"),
                    quiet(self.tr("As ssh-keygen prints it")),
                    self.printed,
                ),
            ),
        )
        for place, (icon, title, text, button, content) in enumerate(steps):
            if place:
                card.body.addWidget(Hairline())
            card.body.addLayout(_step(icon, title, text, button, content))
        column.addWidget(card)
        column.addWidget(
            quiet(
                self.tr("You will find the release in History; exporting it again costs nothing.")
            )
        )
        ways = QHBoxLayout(self._ways, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        ways.addWidget(self.back)
        ways.addStretch(1)
        ways.addWidget(self.verify)
        column.addWidget(self._ways)

    def lend_ways(self) -> Button:
        """Leave the ways on to the page's foot; the button that verifies, for there."""
        self._ways.hide()
        return self.verify

    def show_bundle(
        self, path: Path, done: ReleaseDone, study: Study | None, signer: KeyInfo
    ) -> None:
        """Say what was written, and fill the steps.

        Args:
            path: the bundle.
            done: its release.
            study: the study that was released.
            signer: the public side of the key that signed it.
        """
        self._path = path
        self._trouble.hide()
        stated = done.stored.record.second_person
        if stated is not None and stated.person.signs_manifest:
            self._await_signature(path, stated.person.identity)
        else:
            self._may_go(path)
        announce(self.banner, self.banner.accessibleName())  # it comes on show after this
        figures = sum(len(table.rows) for table in done.stored.tables)
        subject = study.title.strip() if study is not None else ""
        text = self._mail_text(stated, figures).format(signer.identity)
        self.mail.setPlainText(f"{subject}\n{text}" if subject else text)
        self.line.setText(allowed_signers_line(signer).strip())
        self.line.setCursorPosition(0)
        self.groups.setText(to_read_out(signer.fingerprint))
        self.printed.setText(signer.fingerprint)
        groups = groups_of(signer.fingerprint)
        self.groups.setAccessibleName(", ".join(" ".join(group) for group in groups))

    def _may_go(self, path: Path) -> None:
        """What is finished goes to anyone."""
        named = f"{path.name}{self._size(path)}"
        self.banner.say(self.tr("Exported and signed."), named, Tone.DONE)
        self._send.setText(self.tr("Send the bundle"))
        text = self.tr("You may send it to anyone: it contains only what you have released.")
        self._send_how.setText(text)

    def _await_signature(self, path: Path, person: str) -> None:
        """What lacks the second signature goes to who signs it, and to nobody else."""
        said = self.tr("Do not send {0} yet: {1} must sign it first.").format(path.name, person)
        self.banner.say(self.tr("Exported, but not finished."), said, Tone.ATTENTION)
        self._send.setText(self.tr("Send the bundle to {0}").format(person))
        text = self.tr(
            "They open it in Verify on their own computer, which must know your public key, and "
            "sign it. Send recipients only the signed file."
        )
        self._send_how.setText(text)

    def _mail_text(self, stated: SecondPersonRecord | None, figures: int) -> str:
        """To the recipients, or to the second person; the signer's name is filled in."""
        if stated is not None and stated.person.signs_manifest:
            return self.tr(
                "The attached bundle contains %n figure(s), signed by {0}, and needs your "
                "signature before we may send it. Open it in dpdesk, in Verify: read what it "
                "publishes, press “Sign as the second person…” and send the file back. Call us to "
                "compare our key’s fingerprint.",
                "",
                figures,
            )
        return self.tr(
            "The attached bundle contains %n figure(s), signed by {0}. Each has noise for "
            "privacy, with its margin beside it. Start with report.pdf; README.txt says how to "
            "check the signature. Call us to compare our key’s fingerprint.",
            "",
            figures,
        )

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        announce_copy(self)

    def _size(self, path: Path) -> str:
        """How many files a bundle holds, and how large it is; nothing where it is gone again."""
        try:
            with ZipFile(path) as bundle:
                files = len(bundle.namelist())
            # As the page of the data does: one scale for all sizes of files.
            scale = QLocale.DataSizeFormat.DataSizeTraditionalFormat
            size = QLocale().formattedDataSize(path.stat().st_size, 0, scale)
        except (OSError, BadZipFile):
            return ""
        return ", " + self.tr("%n file(s), {0}", "", files).format(size)

    def show_in_folder(self) -> None:
        """Open the bundle's folder, or say where the bundle is and why that cannot be seen."""
        self._say_trouble("")
        if not self._path.exists():
            self._say_trouble(
                self.tr("The bundle is no longer in {0}. Export it again; that costs nothing.")
            )
        else:
            _show_in_folder(self, self._path, self._say_no_program)

    def _say_no_program(self) -> None:
        self._say_trouble(self.tr("dpdesk cannot open the folder. The bundle is in {0}."))

    def _say_trouble(self, text: str) -> None:
        self._trouble.say("", text.format(shown_text(str(self._path.parent))))
        self._trouble.setVisible(bool(text))
        if text:
            announce(self._trouble, self._trouble.accessibleName())


def _show_in_folder(owner: QWidget, path: Path, failed: Callable[[], None]) -> None:
    """Open a file's folder, where the system can with the file selected; or say that it failed."""
    if sys.platform == "win32":
        explorer = str(Path(os.environ.get("SYSTEMROOT", r"C:\Windows")) / "explorer.exe")
        _start(explorer, ["/select,", str(path)], failed)
    elif sys.platform == "darwin":
        _start("/usr/bin/open", ["-R", str(path)], failed)
    else:
        open_elsewhere(owner, path.parent, failed)


def _start(program: str, arguments: list[str], failed: Callable[[], None]) -> None:
    if not QProcess.startDetached(program, arguments)[0]:
        failed()


def _title(text: str) -> Label:
    return headed(Label(text, semibold=True, wrap=True))


def _inset(label: Label, name: str, *below: QWidget) -> Card:
    """What is read and not written, in a quiet box as wide as the fields above."""
    around = Card(fill=Role.INSET)
    around.setAccessibleName(name)
    around.set_padding(Space.SMALL + INSET)
    for part in (label, *below):
        around.body.addWidget(part)
    return around


def _step(icon: str, title: Label, text: Label, button: Button, content: QWidget) -> QHBoxLayout:
    """An icon; beside it what to do, the button that helps, and what is to be handed on."""
    row = QHBoxLayout(spacing=Space.CARDS)
    mark = IconLabel(icon, Role.ACCENT, tile=Role.TINT)
    column = AlignedColumn(spacing=Space.TIGHT)
    head = AlignedRow(spacing=Space.SMALL)
    words = QVBoxLayout(spacing=Space.HAIR)
    words.addWidget(title)
    words.addWidget(text)
    head.addLayout(words, 1)
    head.addWidget(button)
    column.addLayout(head)
    column.addWidget(content)
    row.addWidget(mark, 0, Qt.AlignmentFlag.AlignTop)
    row.addLayout(column, 1)
    return row
