# SPDX-License-Identifier: Apache-2.0
"""That something was copied is seen as well as heard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.accessibility.announcing import announce_copy
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from tests.desk.screens import press, settle

pytestmark = pytest.mark.usefixtures("lingering")


def shows_it() -> bool:
    return QToolTip.isVisible() and QToolTip.text() == "Copied."


def test_the_copy_of_a_table_is_shown_at_the_table(qtbot: QtBot) -> None:
    model = RowsModel(("Ward", "Stays"))
    model.set_rows([("A", "1")], ("Ward", "Stays"), (1,))
    table = DataTable(model, "Stays")
    qtbot.addWidget(table)
    table.show()
    settle()
    table.copy_all()
    qtbot.waitUntil(shows_it)


def test_a_copy_is_shown_below_the_button_that_was_pressed(qtbot: QtBot) -> None:
    button = secondary("Copy table")
    qtbot.addWidget(button)
    button.clicked.connect(lambda: announce_copy(button))
    button.show()
    button.setFocus()
    settle()
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(shows_it)
