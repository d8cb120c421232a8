# SPDX-License-Identifier: Apache-2.0
"""Menus that are opened by keys give the keyboard back where it was."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


def test_escape_in_a_menu_goes_back_to_the_field(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    settle()
    field = window.pages["data"].title_field.edit  # type: ignore[attr-defined]
    field.setFocus()
    bar = window.menuBar()
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.AltModifier)
    settle()
    menu = QApplication.activePopupWidget()
    assert menu is bar.actions()[0].menu() and not field.hasFocus()
    called = QAccessible.queryAccessibleInterface(menu).text(QAccessible.Text.Name)
    assert called == "File"
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    settle()
    assert QApplication.activePopupWidget() is None
    assert field.hasFocus() and bar.activeAction() is None
