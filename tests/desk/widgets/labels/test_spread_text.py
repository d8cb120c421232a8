# SPDX-License-Identifier: Apache-2.0
"""Text of several lines has air between them, and none around them."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.widgets.labels.bound_words import JOINER
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.labels.spread_text import LINES, SpreadText

LONG = "A person with thirty rows would need fifteen times the noise of one with two. " * 2
WIDTH = 220


@pytest.mark.parametrize("size", LINES)
@pytest.mark.parametrize("rich", [False, True])
def test_from_line_to_line_is_as_far_as_the_size_asks(qtbot: QtBot, size: Type, rich: bool) -> None:
    label = Label(LONG, size, wrap=True, rich=rich)
    qtbot.addWidget(label)
    one = Label("One line", size, wrap=True, rich=rich)
    qtbot.addWidget(one)
    over = label.heightForWidth(WIDTH) - one.heightForWidth(WIDTH)
    lines, rest = divmod(over, LINES[size])
    assert lines >= 2 and rest == 0


def test_one_line_is_no_higher_than_without_wrapping(qtbot: QtBot) -> None:
    for size in LINES:
        wraps, plain = Label("One line", size, wrap=True), Label("One line", size)
        for each in (wraps, plain):
            qtbot.addWidget(each)
        assert abs(wraps.sizeHint().height() - plain.sizeHint().height()) <= 1


def test_titles_keep_the_lines_of_their_font(qtbot: QtBot) -> None:
    title = Label("Turn patient data\ninto figures", Type.HERO, semibold=True, wrap=True)
    qtbot.addWidget(title)
    assert title.heightForWidth(900) <= 2 * title.fontMetrics().height() + 2


def test_what_is_written_is_what_is_said(qtbot: QtBot) -> None:
    label = Label("a < b & c\nd", wrap=True)
    qtbot.addWidget(label)
    assert label.text() == "a < b & c\nd"


def test_all_lines_are_painted(qtbot: QtBot) -> None:
    label = Label(LONG, wrap=True)
    qtbot.addWidget(label)
    label.resize(WIDTH, label.heightForWidth(WIDTH))
    shown = label.grab().toImage()
    ground = shown.pixelColor(0, 0)
    pitch = LINES[Type.TEXT]
    for top in range(0, shown.height() - pitch // 2, pitch):
        band = range(top, min(shown.height(), top + pitch))
        assert any(shown.pixelColor(x, y) != ground for y in band for x in range(WIDTH)), top


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


def test_another_alignment_is_painted(qtbot: QtBot) -> None:
    label = Label("One line", wrap=True)
    qtbot.addWidget(label)
    label.resize(WIDTH, label.heightForWidth(WIDTH))
    at_left = label.grab().toImage()
    label.setAlignment(Qt.AlignmentFlag.AlignRight)
    at_right = label.grab().toImage()
    assert at_right != at_left


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


def test_no_line_ends_within_a_short_word_in_small_letters(qtbot: QtBot) -> None:
    """The name of an account, such as an example gives it, was broken at its hyphen."""
    spread = SpreadText(Type.QUIET, rich=False)
    said = "For the people that the data is about, such as diabetes-registry."
    spread.put(said, font(Type.QUIET), Qt.AlignmentFlag.AlignLeft)
    for width in range(150, 500, 5):
        assert spread.height(width) > 0
        layout, whole = spread._document.begin().layout(), spread._document.begin().text()
        starts = [layout.lineAt(at).textStart() for at in range(layout.lineCount())]
        assert not any(whole[:at].replace(JOINER, "").endswith("-") for at in starts)


@pytest.mark.parametrize("rich", [False, True])
def test_no_line_ends_within_an_address_or_the_name_of_a_file(rich: bool, qtbot: QtBot) -> None:
    """They are copied as they stand; a compound word may still be broken at its hyphen."""
    spread = SpreadText(Type.TEXT, rich=rich)
    signed = "Signed by data-office@hospital.example, in stays-of-wards-2.zip"
    text = f"{signed}, a Kaplan-Meier place of everything else that is kept with it"
    spread.put(text, font(Type.TEXT), Qt.AlignmentFlag.AlignLeft)
    ends = set()
    for width in range(300, 620, 5):
        assert spread.height(width) > 0
        layout = spread._document.begin().layout()
        whole = spread._document.begin().text()
        for at in range(layout.lineCount() - 1):
            line = layout.lineAt(at)
            before = whole[: line.textStart() + line.textLength()]
            ends.add(before.replace(JOINER, "").split(" ")[-1])
    assert "Kaplan-" in ends
    assert {end for end in ends if end.endswith("-")} == {"Kaplan-"}
