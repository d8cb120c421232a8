# SPDX-License-Identifier: Apache-2.0
"""A switch with what it means below it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.theme.metrics import NO_MARGINS
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.layouts.aligned import RING


class ExplainedToggle(QWidget):
    """A switch with what it means below it.

    Signals:
        switched: somebody switched it; carries whether it is on.
    """

    switched = Signal(bool)

    def __init__(self, text: str) -> None:
        super().__init__()
        column = QVBoxLayout(self, contentsMargins=NO_MARGINS, spacing=0)
        self.toggle = Toggle(text)
        self.toggle.clicked.connect(self.switched)
        self.hint = quiet("")
        self.hint.setContentsMargins(RING, 0, RING, 0)
        column.addWidget(self.toggle)
        column.addWidget(self.hint)
