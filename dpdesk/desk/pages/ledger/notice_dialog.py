# SPDX-License-Identifier: Apache-2.0
"""Withdrawing or correcting a release that was published, by a signed notice."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.working_dialog import signing_passphrase, typed_reason
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.text.result_words import release_words
from dpdesk.desk.text.times import day
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.release.bundle.query_headings import headings_of
from dpdesk.release.ledger import HistoryEntry
from dpdesk.release.notices.notice_file import SUFFIX, write_notice
from dpdesk.release.notices.revoke import Wish, notice_of, revoke
from dpdesk.release.signing import keys
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused, refuse

ALL = ""
_TOGETHER = "/"
"""Between names of tables that are withdrawn in one: no file's name has it."""


def _title_of(about: HistoryEntry) -> str:
    if about.entry.kind == "release":
        return tr("NoticeDialog", "Withdraw or correct a release?")
    return tr("NoticeDialog", "Save the notice again?")


def _text_of(about: HistoryEntry) -> str:
    if about.entry.kind == "release":
        return tr(
            "NoticeDialog",
            "The decision stays in the ledger. dpdesk writes a signed notice; send it to everyone "
            "who has the bundle. The budget stays spent: what was published stays known.",
        )
    return tr("NoticeDialog", "The notice follows from the ledger’s entry. Nothing else changes.")


class NoticeDialog(LedgerDialog):
    """Asks what is to be said of a release and why, and writes the notice.

    Args:
        about: the release; or its withdrawal or correction, whose notice is written again.
        numbers: which release of its account each is, by its entry.
        later: later releases of the same account, which may replace it.
    """

    def __init__(
        self,
        window: QWidget,
        session: Session,
        about: HistoryEntry,
        numbers: Mapping[int, int],
        later: tuple[HistoryEntry, ...] = (),
    ) -> None:
        tone = Role.DANGER if about.entry.kind == "release" else Role.ACCENT
        super().__init__(window, session, _title_of(about), _text_of(about), tone)
        self._about = about
        self._numbers = numbers
        hint = self.tr("This reason appears in the notice, for everyone who has the bundle.")
        self.withdrawn = OptionCard(self.tr("Withdrawn: do not use the figures"))
        self.corrected = OptionCard(self.tr("Corrected: a later release replaces them"))
        self.by = ChoiceField(self.tr("&Replaced by"), placeholder=self.tr("Not named"))
        self.table = ChoiceField(self.tr("W&hat it is about"))
        self.reason = LineField(self.tr("&Why"), hint)
        self.passphrase = signing_passphrase()
        self._is_again = about.entry.kind != "release"
        self._build_content(later)

    def _build_content(self, later: tuple[HistoryEntry, ...]) -> None:
        untitled = self.tr("Untitled study")
        of = self.tr("Release {0}: {1}", "a release's number and its study's title")
        named = [
            (str(h.entry.sequence), of.format(self._number(h), h.title or untitled)) for h in later
        ]
        self.by.set_choices(named, None)
        self.withdrawn.setChecked(True)
        self.by.hide()
        entry = self._about.entry
        if not self._is_again:
            number = self.tr("{0} (entry {1} of the ledger), {2}")
            released = number.format(
                self._number(self._about), entry.sequence, day(entry.time, brief=True)
            )
            title = self._about.title or untitled
            self.add_rows(((self.tr("Release"), released), (self.tr("Study"), title)))
        if not self._is_again:
            self.table.set_choices([(ALL, self.tr("The whole release")), *self._tables()], ALL)
            for widget in (self.withdrawn, self.corrected, self.by, self.table, self.reason):
                self.body.addWidget(widget)
            # Only where it lies in the dialog: else it would be a window of its own.
            self.corrected.toggled.connect(lambda on: self.by.setVisible(on and bool(named)))
        self.show_parts(self.passphrase)
        text = self.tr("Sign the notice…")
        self.ok = self.add_primary(text) if self._is_again else self.add_danger(text)

    def _tables(self) -> list[tuple[str, str]]:
        """The release's tables by their names, with their titles; before them each Table 1."""
        ledger = self.session.accounts.ledger()
        try:
            record = ledger.release(self._about.entry.sequence).record
        except Refused:
            return []  # what is wrong with it is said where it is signed
        only = self.tr("Only {0}", "a table's title and file")
        shown = self.tr("{0} ({1})", "a table's title and file")
        titles = headings_of(record, release_words())
        whole, study = [], record.study.study or Study()
        for table in study.baseline_tables:
            parts = {q.id for q in study.queries if q.component and q.component.table == table.id}
            names = [one.name for one in record.queries if one.id in parts]
            whole.append((_TOGETHER.join(names), only.format(baseline_words.title(study, table))))
        return whole + [
            (one.name, only.format(shown.format(titles[one.id].title, f"{one.name}.csv")))
            for one in record.queries
        ]

    def _number(self, about: HistoryEntry) -> int:
        """Which release of its account a release is, or the one that a decision is about."""
        entry = about.concerned or about.entry.sequence
        return self._numbers.get(entry, entry)

    def ask(self) -> None:
        if not self._is_again and typed_reason(self.reason) is None:
            return
        name = f"release-{self._number(self._about)}{SUFFIX}"
        kinds = self.tr("Notices ({0})").format(f"*{SUFFIX}")
        self.ask_place(self.tr("Save the notice"), name, self.write, kinds)

    def write(self, path: Path) -> None:
        ledger, home = self.session.accounts.ledger(), self.session.home
        passphrase, wish = self.passphrase.text, self._wish()

        def work() -> str:
            if os.path.exists(path):
                raise refuse("notice-exists", name=path.name)
            account = self._about.entry.account
            key = keys.unlock(home.of_account(account).keys, passphrase)
            sequence = self._about.entry.sequence
            if wish is not None:
                sequence = revoke(ledger, wish, key.info).sequence
            write_notice(path, notice_of(ledger, sequence, key))
            return path.name

        self.begin(work, self._say)

    def _wish(self) -> Wish | None:
        if self._is_again:
            return None
        sequence, reason = self._about.entry.sequence, self.reason.text
        if self.corrected.isChecked():
            return Wish("corrected", sequence, reason, int(self.by.key or 0), self._meant)
        return Wish("withdrawn", sequence, reason, tables=self._meant)

    @property
    def _meant(self) -> tuple[str, ...]:
        """The tables that are chosen; none where it is the whole release."""
        key = self.table.key
        return () if key is None or key == ALL else tuple(key.split(_TOGETHER))

    def _say(self, name: str) -> str:
        self.passphrase.edit.clear()
        return self.tr("{0} is signed. Send it to everyone who has the bundle.").format(name)
