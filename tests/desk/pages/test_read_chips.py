# SPDX-License-Identifier: Apache-2.0
"""The chips of Data: those that matter for the file's kind, and the one that has to be pressed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core import read_words
from dpdesk.desk.pages.read_chips import ReadChips
from dpdesk.desk.widgets.banner import Tone
from dpdesk.desk.widgets.choice_popup import ChoicePopup
from dpdesk.sentences import sentence
from dpdesk.study.checks import ENCODINGS, SEPARATORS, check_data
from dpdesk.study.problem import Problem
from dpdesk.study.unit import FORMATS, THOUSANDS, DataSource

SHEETS = ("Info", "Stays 2025")


@pytest.fixture
def chips(qtbot: QtBot) -> ReadChips:
    made = ReadChips()
    qtbot.addWidget(made)
    made.resize(700, 200)
    made.show()
    return made


def on_show(chips: ReadChips) -> list[str]:
    return [part for part, chip in chips.chips.items() if chip.isVisible()]


def choose(qtbot: QtBot, chips: ReadChips, part: str, text: str) -> object:
    """Press a chip, pick a line with the keyboard, and return what the page is told."""
    told: list[object] = []
    chips.corrected.connect(lambda _part, value: told.append(value))
    qtbot.mouseClick(chips.chips[part], Qt.MouseButton.LeftButton)
    popup = chips.findChildren(ChoicePopup)[-1]
    (item,) = popup.list.findItems(text, Qt.MatchFlag.MatchExactly)
    popup.list.setCurrentItem(item)
    popup.list.setFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    assert len(told) == 1
    return told[0]


@pytest.mark.parametrize(
    ("path", "kind", "parts"),
    [
        (
            "a.csv",
            "csv",
            "format header_row separator quotes decimal thousands encoding missing",
        ),
        ("a.xlsx", "excel", "format sheet header_row decimal thousands missing"),
        ("a.parquet", "parquet", "format decimal thousands missing"),
        ("a.sav", "spss", "format decimal thousands missing"),
        ("a.dta", "stata", "format decimal thousands missing"),
        ("a.sas7bdat", "sas", "format decimal thousands catalogue missing"),
        ("a.XPT", "sas", "format decimal thousands missing"),
    ],
)
def test_only_chips_that_matter_are_shown(
    chips: ReadChips, path: str, kind: str, parts: str
) -> None:
    chips.show_source(DataSource(path, kind), (), ())  # type: ignore[arg-type]
    assert on_show(chips) == parts.split()


@pytest.mark.parametrize(
    ("part", "keys"),
    [
        ("format", FORMATS),
        ("separator", SEPARATORS),
        ("encoding", ENCODINGS),
        ("thousands", THOUSANDS),
        ("decimal", (".", ",")),
    ],
)
def test_everything_that_a_study_may_say_can_be_chosen(part: str, keys: tuple[str, ...]) -> None:
    assert {key for key, _ in read_words.offers(DataSource("a.csv"), part)} == set(keys)


@pytest.mark.parametrize(
    ("kind", "part", "text", "value"),
    [
        ("csv", "quotes", "Mean themselves", False),
        ("csv", "thousands", "Apostrophe 1'000", "'"),
        ("csv", "header_row", "Line 3", 3),
        ("csv", "header_row", "First line that is not blank", None),
        ("csv", "header_row", "The file names no columns", 0),
        ("csv", "format", "SPSS", "spss"),
        ("excel", "header_row", "Row 4", 4),
        ("excel", "sheet", "Stays 2025", "Stays 2025"),
    ],
)
def test_a_choice_tells_its_value(
    qtbot: QtBot, chips: ReadChips, kind: str, part: str, text: str, value: object
) -> None:
    chips.show_source(DataSource("a", kind), SHEETS, ())  # type: ignore[arg-type]
    assert choose(qtbot, chips, part, text) == value


def test_a_workbook_asks_for_its_sheet_then_for_its_row(chips: ReadChips) -> None:
    book = DataSource("a.xlsx", "excel")
    chips.show_source(book, SHEETS, tuple(check_data(book)))
    assert chips.chips["sheet"].text() == "Choose a sheet"
    assert chips.chips["sheet"].tone is Tone.ATTENTION
    assert chips.sentence.text() == sentence(Problem("$.data.sheet", "sheet-not-chosen"))
    chosen = DataSource("a.xlsx", "excel", sheet="Info")
    chips.show_source(chosen, SHEETS, tuple(check_data(chosen)))
    assert chips.chips["sheet"].tone is None
    assert chips.chips["header_row"].text() == "Choose a row"
    assert chips.chips["header_row"].accessibleDescription() == chips.sentence.text()
    whole = DataSource("a.xlsx", "excel", sheet="Info", header_row=2)
    chips.show_source(whole, SHEETS, tuple(check_data(whole)))
    assert not chips.sentence.isVisible()
    assert chips.chips["header_row"].tone is None


def test_a_failure_stands_at_the_chip_that_can_mend_it(chips: ReadChips) -> None:
    data = DataSource("a.csv", decimal=",")
    problems = tuple(check_data(data))
    assert [p.path for p in problems] == ["$.data.decimal"]
    chips.show_source(data, (), problems)
    assert chips.chips["decimal"].tone is Tone.ERROR
    assert chips.sentence.text() == sentence(problems[0])
    assert chips.chips["separator"].tone is None
    gone = Problem("$.data.path", "data-file-missing")
    chips.show_source(DataSource("a.csv"), (), (gone,))
    assert not chips.mends(gone)
    assert not chips.sentence.isVisible()


def test_a_marked_chip_has_room_for_its_icon(chips: ReadChips) -> None:
    chip = chips.chips["sheet"]
    chip.mark(None)
    plain = chip.sizeHint().width()
    chip.mark(Tone.ATTENTION, "Choose the sheet.")
    assert chip.sizeHint().width() > plain


def test_value_labels_come_from_a_file_and_can_be_left_out_again(
    qtbot: QtBot, chips: ReadChips, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    told: list[object] = []
    chips.corrected.connect(lambda part, value: told.append((part, value)))
    path = f"{tmp_path}/formats.sas7bcat"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (path, ""))
    chips.show_source(DataSource("a.sas7bdat", "sas"), (), ())
    qtbot.mouseClick(chips.chips["catalogue"], Qt.MouseButton.LeftButton)
    assert told == [("catalogue", path)]
    chips.show_source(DataSource("a.sas7bdat", "sas", catalogue=path), (), ())
    assert chips.chips["catalogue"].text() == "formats.sas7bcat"
    assert choose(qtbot, chips, "catalogue", "No file") == ""
