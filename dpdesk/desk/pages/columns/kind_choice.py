# SPDX-License-Identifier: Apache-2.0
"""What a column holds: one of four kinds."""

from __future__ import annotations

from dpdesk.desk.pages.columns.column_item import KIND_ICONS
from dpdesk.desk.text.translating import tr
from dpdesk.desk.widgets.inputs.segmented import Segmented


class KindChoice(Segmented):
    """The kinds of columns side by side."""

    def __init__(self) -> None:
        names = {
            "number": tr("KindChoice", "Number"),
            "category": tr("KindChoice", "Category"),
            "yes-no": tr("KindChoice", "Yes/no"),
            "date": tr("KindChoice", "Date"),
        }
        super().__init__(
            [(kind, name, KIND_ICONS[kind]) for kind, name in names.items()],
            tr("KindChoice", "Kind of column"),
        )
