# SPDX-License-Identifier: Apache-2.0
"""The verdict of any length leaves the page as narrow as it is."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.verify.verify_answers import Verdict
from tests.desk.screens import settle


def test_a_long_verdict_takes_lines_instead_of_width(qtbot: QtBot) -> None:
    around, verdict = QWidget(), Verdict()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    column.addWidget(verdict)
    column.addStretch(1)
    verdict.say(False, "Dieses Paket wurde von seinem Herausgeber zurückgezogen", "Weil.")
    around.resize(320, 300)
    around.show()
    settle()
    assert around.width() == 320
    label = verdict.verdict
    assert label.height() == label.heightForWidth(label.width()) >= label.height_of(2)
