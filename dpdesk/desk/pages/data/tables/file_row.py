# SPDX-License-Identifier: Apache-2.0
"""One file of a table: its name, its label, the way to take it away, and what is wrong with it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.inputs.line_edit import LineEdit
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM, AlignedRow, aligned_part
from dpdesk.study import limits

LABEL = 140


class FileRow(QWidget):
    """A file among those of its table.

    Args:
        name: its name, with its sheet.

    Signals:
        labelled: its label was typed; carries it.
        removed: it is to go.
    """

    labelled = Signal(str)
    removed = Signal()
    ring_room = LINK_ROOM

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name
        self.label = LineEdit(self.tr("Label"))
        self.label.setAccessibleName(self.tr("Label of {0}").format(name))
        self.label.setMaxLength(limits.MAX_TEXT)
        self._frame = FieldFrame(self.label)
        self._frame.setFixedWidth(LABEL)
        self._gone = link(self.tr("Remove"))
        self._gone.setAccessibleName(self.tr("Remove {0}").format(name))
        self.remark = Remark()
        column = aligned_part(self)
        column.setSpacing(Space.TIGHT)
        row = AlignedRow(spacing=Space.SMALL)
        row.addWidget(Label(name, wrap=True), 1)
        row.addWidget(self._frame)
        row.addWidget(self._gone)
        column.addLayout(row)
        column.addWidget(self.remark)
        self.label.textEdited.connect(self.labelled)
        self._gone.clicked.connect(lambda: self.removed.emit())

    def show_file(self, label: str, is_one_of_several: bool, wrong: str) -> None:
        """Show its label, unless it is typed now, and what keeps it from being used."""
        if not self.label.hasFocus() and self.label.text() != label:
            self.label.setText(label)
        self._frame.setVisible(is_one_of_several)
        self._gone.setVisible(is_one_of_several)
        self.remark.say(wrong, Tone.ERROR)
