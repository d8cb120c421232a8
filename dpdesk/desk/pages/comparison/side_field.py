# SPDX-License-Identifier: Apache-2.0
"""One of the two releases: one of this ledger, or anyone's bundle."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt, Signal

from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.text.times import when
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.release.comparison.sides import ComparedSide
from dpdesk.release.ledger.history import HistoryEntry

BUNDLE = "bundle"
FILE = "file:"


@dataclass(frozen=True)
class LedgerRelease:
    """A release of the ledger.

    Attributes:
        number: which release of its account it is, the first being 1.
        history: what its entry states.
    """

    number: int
    history: HistoryEntry

    @property
    def sequence(self) -> int:
        return self.history.entry.sequence

    @property
    def account(self) -> str:
        return self.history.entry.account


SideMemory = tuple[tuple[LedgerRelease, ...], Path | None, str | None]
"""The ledger's releases, a bundle's file, and which of them is chosen."""


class SideField(ChoiceField):
    """Chooses a release, by its title; when it was is below.

    Signals:
        chosen: another one is wanted; its place is in ``sequence`` or ``path``.
    """

    chosen = Signal()

    def __init__(self, label: str) -> None:
        super().__init__(label, placeholder=self.tr("Choose a release"))
        self._releases: tuple[LedgerRelease, ...] = ()
        self._path: Path | None = None
        self._key: str | None = None
        # Titles of one hospital begin alike and end in their year.
        self.combo.cut = Qt.TextElideMode.ElideMiddle
        self.keep_lines(1)
        self.picked.connect(self._pick)

    @property
    def sequence(self) -> int | None:
        is_entry = self._key is not None and self._key.isdigit()
        return int(self._key) if is_entry and self._key is not None else None

    @property
    def path(self) -> Path | None:
        return self._path if self._key == FILE else None

    def offer(self, releases: tuple[LedgerRelease, ...], sequence: int | None) -> None:
        """Offer the ledger's releases, the newest first, and choose one."""
        self._releases = releases
        self._key = None if sequence is None else str(sequence)
        self._show()

    def memory(self) -> SideMemory:
        return self._releases, self._path, self._key

    def recall(self, memory: SideMemory) -> None:
        """Offer what another window offered, and choose what was chosen there."""
        self._releases, self._path, self._key = memory
        self._show()

    def take_bundle(self, path: Path) -> None:
        self._path, self._key = path, FILE
        self._show()
        self.chosen.emit()

    def _show(self) -> None:
        template = self.tr("{0}, release {1}")
        choices = [
            (str(one.sequence), template.format(one.history.title or one.account, one.number))
            for one in self._releases
        ]
        if self._path is not None:
            choices.append((FILE, self._path.name))
        choices.append((BUNDLE, self.tr("A bundle…")))
        self.set_choices(choices, self._key)
        times = {str(one.sequence): one.history.entry.time for one in self._releases}
        time = times.get(self._key or "")
        self.set_hint(when(time, brief=True) if time else "")

    def report_verified(self, side: ComparedSide) -> None:
        if side.bundle is not None:
            stamp = when(side.record.time, brief=True)
            self.set_hint(self.tr("{0}. Signature valid.").format(stamp))

    def _pick(self, key: str) -> None:
        if key != BUNDLE:
            self._key = key
            self.chosen.emit()
            return
        self._show()  # until a file is chosen
        self.ask_bundle()

    def ask_bundle(self) -> None:
        title, kinds = self.tr("Choose a bundle"), self.tr("Bundles (*.zip)")
        if (path := existing_file(self, title, "", kinds)) is not None:
            self.take_bundle(path)
