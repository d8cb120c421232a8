# SPDX-License-Identifier: Apache-2.0
"""Preferences: language, look, text size, folders, recent studies. Each holds at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QWidget

from dpdesk.desk.core.file_dialogs import existing_folder
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import SCHEMES, TEXT_SIZES, Settings
from dpdesk.desk.text.translating import tr
from dpdesk.desk.text.translators import chosen_language
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.theme import glides
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.label import Label, heading, quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn

WIDTH = 620
LABELS = 150


class FolderRow(QWidget):
    """A folder that can be chosen, or be the usual one.

    Args:
        name: what is kept there.
        usual: what the usual place is called.
        folder: the chosen one; ``None`` for the usual place.


    Signals:
        picked: another one was chosen; carries its path, or ``None`` for the usual place.
    """

    picked = Signal(object)

    ring_room = RING

    def __init__(self, name: str, usual: str, folder: Path | None) -> None:
        super().__init__()
        self._name, self._usual, self._folder = name, usual, folder
        self.shown = ElidedLabel()
        self.choose = secondary(self.tr("Choose…"), small=True)
        self.reset = link(self.tr("Use the default folder"))
        self.choose.setAccessibleName(self.tr("Choose a folder: {0}").format(name))
        self.reset.setAccessibleName(self.tr("Use the default folder: {0}").format(name))
        row = QHBoxLayout(self, spacing=Space.SMALL)
        row.setContentsMargins(RING, 0, 0, 0)
        row.addWidget(self.shown, 1)
        row.addWidget(self.reset)
        row.addWidget(self.choose)
        self.choose.clicked.connect(self._ask)
        self.reset.clicked.connect(lambda: self.use(None))
        self._show()

    def _ask(self) -> None:
        chosen = existing_folder(self, self._name, str(self._folder or Path.home()))
        if chosen:
            self.use(chosen)

    def use(self, folder: Path | None) -> None:
        self._folder = folder
        self._show()
        self.picked.emit(folder)

    def _show(self) -> None:
        self.shown.setText(self._usual if self._folder is None else str(self._folder))
        self.shown.setToolTip(self.shown.text())
        self.reset.setVisible(self._folder is not None)


class PreferencesDialog(Dialog):
    """What a person sets of the program itself.

    Args:
        window: the window to dim.
        settings: where it is kept.
        session: the window's work; while something is at work, no other window can take its place.


    Signals:
        scheme_picked: another look; carries ``system``, ``light`` or ``dark``.
        text_size_picked: another size of texts; carries per cent.
        language_picked: another language; carries its code or ``system``.
        less_motion_wanted: whether nothing is to glide.
        recent_kept: whether recent studies are remembered.
    """

    scheme_picked = Signal(str)
    text_size_picked = Signal(int)
    language_picked = Signal(str)
    less_motion_wanted = Signal(bool)
    recent_kept = Signal(bool)

    def __init__(self, window: QWidget, settings: Settings, session: Session) -> None:
        title = tr("PreferencesDialog", "Preferences")
        text = tr("PreferencesDialog", "Changes apply at once.")
        super().__init__(window, title, text, "sliders", width=WIDTH)
        self._settings = settings
        self._is_busy = session.jobs.current is not None
        looks = (self.tr("As the system"), self.tr("Light"), self.tr("Dark"))
        self.scheme = Segmented(
            [(key, name, "") for key, name in zip(SCHEMES, looks, strict=True)], self.tr("Look")
        )
        percent = self.tr("{0} %")
        sizes = [(str(size), percent.format(size), "") for size in TEXT_SIZES]
        self.text_size = Segmented(sizes, self.tr("Text size"))
        self.language = ChoiceField(self.tr("&Language"))
        self.less_motion = Toggle(self.tr("Less motion: nothing glides into place"))
        self.studies = FolderRow(
            self.tr("New studies"), self.tr("In the folder of the ledger"), settings.studies_folder
        )
        self.bundles = FolderRow(
            self.tr("Bundles"),
            self.tr("Beside their study, or in Documents"),
            settings.bundles_folder,
        )
        self.recent = Toggle(self.tr("Remember opened studies"))
        self._build()
        self._start()
        self._connect()

    def _build(self) -> None:
        grid = QGridLayout(verticalSpacing=Space.TIGHT, horizontalSpacing=Space.CARDS)
        grid.setColumnMinimumWidth(0, LABELS)
        grid.setColumnStretch(1, 1)
        rows: tuple[tuple[QLabel, QWidget], ...] = (
            (self.language.put_label_beside(), self.language),
            (Label(self.tr("Look")), self.scheme),
            (Label(self.tr("Text size")), self.text_size),
            (Label(self.tr("Folder for new studies")), self.studies),
            (Label(self.tr("Folder for bundles")), self.bundles),
        )
        for line, (name, control) in enumerate(rows):
            # A hint may stand below the first field.
            beside_field = Qt.AlignmentFlag.AlignTop if line == 0 else Qt.AlignmentFlag(0)
            grid.addWidget(name, line, 0, beside_field)
            beside = AlignedColumn()
            beside.addWidget(control)
            if not hasattr(control, "ring_room"):  # the others have theirs above and below
                beside.setContentsMargins(0, RING, 0, RING)
            grid.addLayout(beside, line, 1)
        self.body.addLayout(grid)
        self.body.addWidget(self.less_motion)
        privacy = AlignedColumn(spacing=Space.TIGHT)
        privacy.addWidget(heading(self.tr("What is remembered")))
        privacy.addWidget(self.recent)
        privacy.addWidget(
            quiet(
                self.tr(
                    "dpdesk never remembers where data files are. While this is off, you choose "
                    "files in dpdesk’s own dialogs, so that the system keeps no list of folders "
                    "either."
                )
            )
        )
        self.body.addSpacing(Space.CARDS)  # above a heading as much again as between rows
        self.body.addLayout(privacy)
        self.add_safe(self.tr("Close"))

    def _start(self) -> None:
        settings, busy = self._settings, self._is_busy
        names = [(chosen_language.SYSTEM, self.tr("As the system"))]
        names += [(c, chosen_language.own_name(c)) for c in chosen_language.languages()]
        known = settings.language in [key for key, _name in names]
        chosen = settings.language if known else chosen_language.SYSTEM
        self.language.set_choices(names, chosen)
        self.scheme.select(settings.scheme)
        self.text_size.select(str(settings.text_size))
        self.less_motion.setChecked(not glides())
        self.recent.setChecked(settings.keeps_recent)
        self.language.setEnabled(not busy)
        self.text_size.setEnabled(not busy)
        self.language.set_hint(
            self.tr("You can change this when dpdesk is not busy.") if busy else ""
        )

    def _connect(self) -> None:
        # What builds the window again is sent once this event is over: it takes the dialog along.
        queued = Qt.ConnectionType.QueuedConnection
        self.scheme.picked.connect(self.scheme_picked)
        self.text_size.picked.connect(self._pick_text_size, queued)
        self.language.picked.connect(self._pick_language, queued)
        self.studies.picked.connect(self._keep_studies)
        self.bundles.picked.connect(self._keep_bundles)
        self.less_motion.toggled.connect(self.less_motion_wanted)
        self.recent.toggled.connect(self.recent_kept)

    def _pick_text_size(self, key: str) -> None:
        if int(key) != self._settings.text_size:
            self.text_size_picked.emit(int(key))

    def _pick_language(self, key: str) -> None:
        if key != self._settings.language:
            self.language_picked.emit(key)

    def _keep_studies(self, folder: Path | None) -> None:
        self._settings.studies_folder = folder

    def _keep_bundles(self, folder: Path | None) -> None:
        self._settings.bundles_folder = folder

    @property
    def place(self) -> str:
        """What has the keyboard: ``language``, ``text-size``, or ``close``."""
        if self.language.combo.hasFocus():
            return "language"
        has = any(segment.hasFocus() for segment in map(self.text_size.segment, _keys()))
        return "text-size" if has else "close"

    def focus_at(self, place: str) -> None:
        """Give the keyboard to a place that had it in the window before; else to the first."""
        if place in ("", "language"):
            self.language.combo.setFocus()
        elif place == "text-size":
            self.text_size.segment(self.text_size.key).setFocus()


def _keys() -> list[str]:
    return [str(size) for size in TEXT_SIZES]
