# SPDX-License-Identifier: Apache-2.0
"""What a column holds: one of four kinds."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dpdesk.desk.pages.columns.column_item import KIND_ICONS
from dpdesk.desk.widgets.inputs.segmented import Segmented


class KindChoice(Segmented):
    """The kinds of columns side by side."""

    def __init__(self) -> None:
        names = {
            "number": QCoreApplication.translate("KindChoice", "Number"),
            "category": QCoreApplication.translate("KindChoice", "Category"),
            "yes-no": QCoreApplication.translate("KindChoice", "Yes/no"),
            "date": QCoreApplication.translate("KindChoice", "Date"),
        }
        super().__init__(
            [(kind, name, KIND_ICONS[kind]) for kind, name in names.items()],
            QCoreApplication.translate("KindChoice", "Kind of column"),
        )
