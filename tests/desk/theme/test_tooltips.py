# SPDX-License-Identifier: Apache-2.0
"""A tooltip says names from files as they are."""

from __future__ import annotations

import sys

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from pytestqt.qtbot import QtBot

NAME = '<img src="file://elsewhere/share/a.png"><b>sex</b>'
"""Read as HTML it shows another name, and asks a computer on the network for a picture."""


@pytest.mark.threat("F9", "G12")
@pytest.mark.skipif(sys.platform == "darwin", reason="macOS keeps its own style")
def test_a_name_that_looks_like_html_is_shown_as_it_is(qtbot: QtBot) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    QToolTip.showText(QPoint(1, 1), NAME, widget)
    tips = [one for one in QApplication.topLevelWidgets() if one.inherits("QTipLabel")]
    assert tips
    for tip in tips:
        assert isinstance(tip, QLabel)
        assert tip.text() == NAME
        assert tip.textFormat() == Qt.TextFormat.PlainText
    QToolTip.hideText()
