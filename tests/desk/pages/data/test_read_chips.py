# SPDX-License-Identifier: Apache-2.0
"""The chips of Data: those that matter for the file's kind, and the one that has to be pressed."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.files.file_summary import FileSummary
from dpdesk.desk.pages.data.read_chips import ReadChips
from dpdesk.desk.text import read_words
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.study.checks.study_checks import ENCODINGS, SEPARATORS, check_data
from dpdesk.study.model.unit import FORMATS, LINE_ENDINGS, THOUSANDS, DataSource
from dpdesk.study.problem import Problem
from dpdesk.texts.problems import sentence

HEAD = FileSummary(sheets=("Info", "Stays 2025"), filled=(1, 0, 12, 12))


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
    """Press a chip, pick a line with the keyboard, and return what the page gets."""
    corrections: list[object] = []
    chips.corrected.connect(lambda _part, value: corrections.append(value))
    if not chips.chips[part].isVisible():
        qtbot.mouseClick(chips.more, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(chips.chips[part], Qt.MouseButton.LeftButton)
    popup = chips.findChildren(ChoicePopup)[-1]
    (item,) = popup.list.findItems(text, Qt.MatchFlag.MatchExactly)
    popup.list.setCurrentItem(item)
    popup.list.setFocus()
    qtbot.keyClick(popup.list, Qt.Key.Key_Return)
    assert len(corrections) == 1
    return corrections[0]


@pytest.mark.parametrize(
    ("path", "kind", "parts"),
    [
        (
            "a.csv",
            "csv",
            "format header_row separator quotes line_breaks line_ending decimal thousands encoding "
            "row_names fill_down missing",
        ),
        ("a.xlsx", "excel", "format sheet header_row decimal thousands fill_down missing"),
        ("a.parquet", "parquet", "format decimal thousands fill_down missing"),
        ("a.sav", "spss", "format decimal thousands encoding fill_down missing"),
        ("a.dta", "stata", "format decimal thousands encoding fill_down missing"),
        ("a.sas7bdat", "sas", "format decimal thousands encoding catalogue fill_down missing"),
        ("a.XPT", "sas", "format decimal thousands encoding fill_down missing"),
        ("a.POR", "spss", "format decimal thousands fill_down missing"),
    ],
)
def test_only_chips_that_matter_are_shown(
    chips: ReadChips, path: str, kind: str, parts: str
) -> None:
    chips.show_source(DataSource(path, kind), HEAD, ())  # type: ignore[arg-type]
    if chips.more.isVisible():
        chips.more.click()
    assert on_show(chips) == parts.split()


def test_what_few_files_need_is_folded(chips: ReadChips, qtbot: QtBot) -> None:
    usual = ["format", "header_row", "separator", "decimal", "encoding", "missing"]
    chips.show_source(DataSource("a.csv", line_ending="lf"), HEAD, ())
    assert on_show(chips) == usual and chips.more.isVisible()
    chips.show_source(DataSource("a.csv", thousands=","), HEAD, ())
    assert set(on_show(chips)) == {*usual, "thousands"}, "what is not as usual is on show"
    declared = DataSource("a.csv", by_hand=("quotes",))
    chips.show_source(declared, HEAD, ())
    assert set(on_show(chips)) == {*usual, "quotes"}, "and what was declared by hand"
    wrong = Problem("$.data.line_breaks", "line-breaks-without-quotes")
    chips.show_source(DataSource("a.csv"), HEAD, (wrong,))
    assert set(on_show(chips)) == {*usual, "line_breaks"}, "and what has to be fixed"
    chips.show_source(DataSource("a.csv"), HEAD, ())
    chips.more.setFocus()
    qtbot.keyClick(chips.more, Qt.Key.Key_Return)
    assert len(on_show(chips)) == 12 and not chips.more.isVisible()
    assert chips.window().focusWidget() is chips.chips["quotes"], "the keyboard is on the first"
    chips.show_source(DataSource("a.csv", quotes=False), HEAD, ())
    assert len(on_show(chips)) == 12, "they stay while this file is looked at"
    chips.show_source(DataSource("b.csv"), HEAD, ())
    assert on_show(chips) == usual
    chips.show_source(DataSource("a.parquet", "parquet", thousands=","), HEAD, ())
    assert not chips.more.isVisible(), "one chip is not folded"


@pytest.mark.parametrize(
    ("part", "keys"),
    [
        ("format", FORMATS),
        ("separator", SEPARATORS),
        ("encoding", ENCODINGS),
        ("thousands", THOUSANDS),
        ("decimal", (".", ",")),
        ("line_ending", LINE_ENDINGS),
    ],
)
def test_everything_that_a_study_may_say_can_be_chosen(part: str, keys: tuple[str, ...]) -> None:
    assert {key for key, _ in read_words.offers(DataSource("a.csv"), part)} == set(keys)


@pytest.mark.parametrize(
    ("kind", "part", "text", "value"),
    [
        ("csv", "quotes", "Plain characters", False),
        ("csv", "line_breaks", "Inside quoted cells", True),
        ("csv", "line_ending", "Carriage return (old Mac)", "cr"),
        ("csv", "thousands", "Apostrophe 1'000", "'"),
        ("csv", "header_row", "Line 3: 12 cells filled", 3),
        ("csv", "header_row", "First line that is not blank", None),
        ("csv", "header_row", "The file names no columns (0)", 0),
        ("csv", "format", "SPSS", "spss"),
        ("excel", "header_row", "Row 1: 1 cell filled", 1),
        ("excel", "sheet", "Stays 2025", "Stays 2025"),
    ],
)
@pytest.mark.in_turn(2)
def test_a_choice_sends_its_value(
    qtbot: QtBot, chips: ReadChips, kind: str, part: str, text: str, value: object
) -> None:
    chips.show_source(DataSource("a", kind), HEAD, ())  # type: ignore[arg-type]
    assert choose(qtbot, chips, part, text) == value


def test_the_sentence_and_the_list_say_the_same_of_a_file_without_names() -> None:
    words = dict(read_words.offers(DataSource("a.xlsx", "excel"), "header_row"))["0"]
    same = words.removeprefix("The file ")
    assert same == "names no columns (0)"
    assert same in sentence(Problem("$.data.header_row", "header-row-not-chosen"))


def test_a_workbook_asks_for_its_sheet_then_for_its_row(chips: ReadChips) -> None:
    book = DataSource("a.xlsx", "excel")
    chips.show_source(book, HEAD, tuple(check_data(book)))
    assert chips.chips["sheet"].text() == "Choose a sheet"
    assert chips.chips["sheet"].tone is Tone.ATTENTION
    assert chips.remark.sentence == sentence(Problem("$.data.sheet", "sheet-not-chosen"))
    chosen = DataSource("a.xlsx", "excel", sheet="Info")
    chips.show_source(chosen, HEAD, tuple(check_data(chosen)))
    assert chips.chips["sheet"].tone is None
    assert chips.chips["header_row"].text() == "Choose a row"
    assert chips.chips["header_row"].accessibleDescription() == chips.remark.sentence
    whole = DataSource("a.xlsx", "excel", sheet="Info", header_row=2)
    chips.show_source(whole, HEAD, tuple(check_data(whole)))
    assert not chips.remark.isVisible()
    assert chips.chips["header_row"].tone is None


def test_a_failure_stands_at_the_chip_that_can_fix_it(chips: ReadChips) -> None:
    data = DataSource("a.csv", decimal=",", quotes=False)
    problems = tuple(check_data(data))
    assert [p.path for p in problems] == ["$.data.decimal"]
    chips.show_source(data, HEAD, problems)
    assert chips.chips["decimal"].tone is Tone.ERROR
    assert chips.remark.sentence == sentence(problems[0])
    assert chips.chips["separator"].tone is None
    gone = Problem("$.data.path", "data-file-missing")
    chips.show_source(DataSource("a.csv"), HEAD, (gone,))
    assert not chips.fixes(gone)
    assert not chips.remark.isVisible()


def test_blank_rows_are_no_place_for_names_and_a_far_one_stays_offered() -> None:
    book = DataSource("a.xlsx", "excel", sheet="Info", header_row=57)
    keys = [key for key, _ in read_words.offers(book, "header_row", HEAD)]
    assert keys == ["1", "3", "4", "57", "0"]
    assert read_words.shown(book, "header_row") == "Row 57"


@pytest.mark.parametrize(
    ("part", "text", "key"),
    [
        ("header_row", "57", "57"),
        ("header_row", "1000", "1000"),
        ("header_row", "1001", None),
        ("header_row", "0", None),
        ("header_row", "3.5", None),
        ("header_row", "\u0663", None),
        ("missing", " -99 ", "-99"),
        ("missing", "k.\u00a0A.", "k. A."),
        ("missing", "  ", None),
        ("sheet", "Info", None),
    ],
)
def test_what_may_be_typed(part: str, text: str, key: str | None) -> None:
    found = read_words.typed(DataSource("a.csv"), part, text)
    assert (found[0] if found else None) == key


def test_empty_cells_stay_named_beside_the_codes_for_missing(qapp: object) -> None:
    shown = [
        read_words.shown(DataSource("a.csv", missing=codes), "missing") for codes in ((), ("?",))
    ]
    assert shown == ["Empty cells", "Empty cells, ?"]


def test_a_missing_code_is_typed(qtbot: QtBot, chips: ReadChips) -> None:
    corrections: list[object] = []
    chips.corrected.connect(lambda _part, value: corrections.append(value))
    chips.show_source(DataSource("a.csv", missing=("NA",)), HEAD, ())
    qtbot.mouseClick(chips.chips["missing"], Qt.MouseButton.LeftButton)
    (popup,) = chips.findChildren(ChoicePopup)
    qtbot.keyClicks(popup.search, "-99")
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    qtbot.keyClick(popup.search, Qt.Key.Key_Return)
    assert corrections == [("NA", "-99")]


def test_a_file_that_says_its_encoding_is_believed_first() -> None:
    data = DataSource("a.sav", "spss")
    assert read_words.shown(data, "encoding") == "As the file says"
    assert {key for key, _ in read_words.offers(data, "encoding")} == set(ENCODINGS)


def test_an_empty_file_below_the_header_line_is_fixed_there(chips: ReadChips) -> None:
    empty = Problem("$.data.path", "data-file-empty")
    chips.show_source(DataSource("a.csv", header_row=40), HEAD, (empty,))
    assert chips.fixes(empty) == "header_row"
    chips.show_source(DataSource("a.csv"), HEAD, (empty,))
    assert chips.fixes(empty) == ""


def test_a_marked_chip_has_room_for_its_icon(chips: ReadChips) -> None:
    chip = chips.chips["sheet"]
    chip.mark(None)
    plain = chip.sizeHint().width()
    chip.mark(Tone.ATTENTION, "Choose the sheet.")
    assert chip.sizeHint().width() > plain


def test_value_labels_come_from_a_file_and_can_be_left_out_again(
    qtbot: QtBot, chips: ReadChips, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    corrections: list[object] = []
    chips.corrected.connect(lambda part, value: corrections.append((part, value)))
    path = f"{tmp_path}/formats.sas7bcat"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (path, ""))
    chips.show_source(DataSource("a.sas7bdat", "sas"), HEAD, ())
    qtbot.mouseClick(chips.chips["catalogue"], Qt.MouseButton.LeftButton)
    assert corrections == [("catalogue", path)]
    chips.show_source(DataSource("a.sas7bdat", "sas", catalogue=path), HEAD, ())
    assert chips.chips["catalogue"].text() == "formats.sas7bcat"
    assert choose(qtbot, chips, "catalogue", "No file") == ""
