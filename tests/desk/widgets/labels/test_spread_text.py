# SPDX-License-Identifier: Apache-2.0
"""Text of several lines has air between them, and none around them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.labels.spread_text import LINES

LONG = "A person with thirty rows would need fifteen times the noise of one with two. " * 2
WIDTH = 220


def test_what_is_written_is_what_is_said(qtbot: QtBot) -> None:
    label = Label("a < b & c\nd", wrap=True)
    qtbot.addWidget(label)
    assert label.text() == "a < b & c\nd"


def test_another_font_and_another_text_are_measured_anew(qtbot: QtBot) -> None:
    label = Label(LONG, wrap=True)
    qtbot.addWidget(label)
    at_first = label.heightForWidth(WIDTH)
    larger = label.font()
    larger.setPixelSize(2 * larger.pixelSize())
    label.setFont(larger)
    assert label.heightForWidth(WIDTH) > 2 * at_first
    label.setText("One line")
    assert label.heightForWidth(WIDTH) < at_first


def test_no_picture_is_read_that_a_name_asks_for(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "read-me.png"
    assert QImage(300, 400, QImage.Format.Format_RGB32).save(str(path))
    label = Label(f'<b>A</b> <img src="{path.as_uri()}">', wrap=True, rich=True)
    qtbot.addWidget(label)
    assert label.heightForWidth(WIDTH) < 100


def ink(label: Label, height: int) -> int:
    """How much is painted of a text that has so much room."""
    label.resize(300, height)
    image = label.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    ground = image.pixelColor(299, 0).lightness()
    places = ((x, y) for x in range(300) for y in range(image.height()))
    return sum(ground - image.pixelColor(*place).lightness() for place in places)


@pytest.mark.parametrize("size", LINES)
def test_accents_of_capitals_are_painted_whole(qtbot: QtBot, size: Type) -> None:
    label = Label("Öffnen, Änderung", size, wrap=True)
    qtbot.addWidget(label)
    assert ink(label, label.heightForWidth(300)) == ink(label, 60) > 0
