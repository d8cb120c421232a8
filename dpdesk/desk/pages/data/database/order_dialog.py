# SPDX-License-Identifier: Apache-2.0
"""An order, to be read before it is sent: all of it, as it is in the file."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.inputs.line_edit import PlainTextEdit

_WIDTH = 680
LINES = 18


class OrderDialog(Dialog):
    """Shows an order; nothing can be changed in it."""

    def __init__(self, window: QWidget, raw: bytes) -> None:
        text = tr(
            "OrderDialog",
            "This is all that the file contains: your declarations, the queries, and a key that "
            "can seal, but not open.",
        )
        super().__init__(window, tr("OrderDialog", "The order"), text, "file", width=_WIDTH)
        self.text = PlainTextEdit(Type.QUIET, mono=True)
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("The order"))
        self.text.setPlainText(raw.decode("ascii"))
        self.body.addWidget(FieldFrame(self.text, self.text.lines_height(LINES)))
        self.add_safe(self.tr("Close"))
