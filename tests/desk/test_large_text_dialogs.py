# SPDX-License-Identifier: Apache-2.0
"""Dialogs have room for the largest text that the preferences offer, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.settings import TEXT_SIZES, Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.theme.metrics import Space, scale
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.dialog import WIDTH, Dialog
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.places.home import Home
from dpdesk.release.signing import keys
from tests.desk.conftest import IN_LONG_WORDS, OpenWindow
from tests.desk.dialogs import some_dialogs
from tests.desk.layout_faults import layout_faults
from tests.desk.screens import settle

pytestmark = [pytest.mark.usefixtures("language"), IN_LONG_WORDS]

PASSPHRASE = "made-up passphrase"


@pytest.fixture
def window(
    open_window: OpenWindow, study_file: Path, home: Home, themed: Theme
) -> Iterator[MainWindow]:
    keys.new_key(home.keys, "data-office@hospital.example", PASSPHRASE)
    Settings(home).text_size = max(TEXT_SIZES)
    window = open_window(study_file)
    window.resize(QSize(1280, 738))
    settle()
    yield window
    themed.set_text_size(100)


@pytest.mark.in_turn(2)
def test_each_dialog_has_room_for_large_text(window: MainWindow) -> None:
    faults = {}
    for name, make in some_dialogs("large text").items():
        dialog = make(window)
        dialog.open()
        settle()
        faults[name] = layout_faults(dialog)
        room = dialog.screen().availableGeometry()
        if not room.contains(dialog.geometry()):
            faults[name].append(f"{dialog.geometry()} lies beyond the screen")
        needed = dialog.needed_height()
        if needed > dialog.height() and not dialog._is_scrolled:
            faults[name].append(f"it is {dialog.height()} high and needs {needed}")
        dialog.reject()
        settle()
    assert faults == {name: [] for name in faults} != {}


def test_a_dialog_is_wider_and_leaves_the_window_a_margin(window: MainWindow) -> None:
    wide = Dialog(window, "A question?")
    assert scale() > 1.2 and wide.width() == round(scale() * WIDTH)
    window.resize(QSize(660, 600))
    settle()
    assert Dialog(window, "A question?").width() == window.width() - 2 * Space.GAP
    assert Dialog(window, "A question?", most_width=500).width() == 500


def test_what_a_field_says_has_room_in_a_narrow_place(qtbot: QtBot) -> None:
    field = LineField("Name", "So long a hint that it needs several lines in a narrow place. " * 3)
    frame = QWidget()
    column = QVBoxLayout(frame)
    column.addWidget(field)
    qtbot.addWidget(frame)
    frame.setFixedWidth(220)
    frame.resize(220, frame.heightForWidth(220))
    frame.show()
    settle()
    assert layout_faults(frame) == []


def test_rows_of_a_table_grow_with_the_text(window: MainWindow) -> None:
    table = DataTable(RowsModel(["A"]), "Figures")
    assert table.verticalHeader().defaultSectionSize() == round(scale() * Space.ROW)
