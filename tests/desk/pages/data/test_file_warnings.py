# SPDX-License-Identifier: Apache-2.0
"""What is odd about a file is shown on Data: what it seems to be, and rows that do not fit."""

from __future__ import annotations

import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.data.unclosed_quotes_note import UnclosedQuotesNote
from tests.data.workbooks import write_workbook
from tests.desk.conftest import OpenWindow
from tests.desk.screens import texts

CANARY = "canary-4711"


def preview_of(window: MainWindow) -> DataPage:
    window.go_to("data")
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    return page


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ("p1;3\np2;4\n", ""),
        (f"p1;{CANARY}\np2\np3;4\n", "1 row with too few or too many cells, on line 3: "),
        ("p1\np2;4\np3;4;5\n", "2 rows with too few or too many cells, on lines 2, 4: "),
        ("p1\n" * 11, "on lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and others: "),
    ],
)
@pytest.mark.in_turn(2)
def test_rows_that_do_not_fit_are_reported_by_their_lines(
    rows: str, sentence: str, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "ward.csv"
    path.write_text(f"id;stay\n{rows}", encoding="utf-8")
    preview = preview_of(open_window(path)).preview
    qtbot.waitUntil(lambda: not preview._warnings.is_pending)
    assert sentence in preview.ragged_rows.sentence
    assert preview.ragged_rows.isVisible() == bool(sentence)
    assert CANARY not in preview.ragged_rows.sentence
    assert not preview.question.isVisible()


@pytest.mark.parametrize(
    ("rows", "read_so"),
    [
        ("p1;1,5\np2;12\n", (",", "")),
        ("p1;1.234,5\np2;12\n", (",", ".")),
        ("p1;1 234.5\np2;12\n", (".", " ")),
        ("p1;1.5\n", None),
        ("p1;1,234\np2;1,5\n", (",", "")),
        ("p1;1.234\np2;0,75\n", (",", ".")),
        ("p1;1,5\np2;1.5\n", None),
    ],
)
@pytest.mark.in_turn(2)
def test_how_numbers_are_written_is_proposed_and_confirmed(
    rows: str,
    read_so: tuple[str, str] | None,
    open_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
) -> None:
    path = tmp_path / "ward.csv"
    path.write_text(f"id;stay\n{rows}", encoding="utf-8")
    page = preview_of(open_window(path))
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert page.preview.marks.isVisible() == (read_so is not None)
    data = page.state.study.data
    assert data is not None and (data.decimal, data.thousands) == (".", "")
    page.preview.marks.action_pressed.emit()
    data = page.state.study.data
    assert data is not None
    assert (data.decimal, data.thousands) == (read_so or (".", ""))
    assert data.by_hand == ()
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert not page.preview.marks.isVisible()


@pytest.mark.parametrize("answer", [0, 1])
def test_numbers_that_can_be_read_in_two_ways_are_asked_about_once(
    answer: int, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "ward.csv"
    path.write_text("id;cost\np1;1.234\np2;999\n", encoding="utf-8")
    page = preview_of(open_window(path))
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    banner = page.preview.marks
    assert banner.isVisible() and "1.234" not in banner.accessibleName()
    ways = [("As in 1.5", (".", "")), ("As in 1.234,5", (",", "."))]
    press(banner, ways[answer][0])
    data = page.state.study.data
    assert data is not None
    assert (data.decimal, data.thousands, data.by_hand) == (*ways[answer][1], ())
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert not banner.isVisible()


def test_how_a_workbook_writes_numbers_in_texts_is_proposed_too(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "ward.xlsx"
    write_workbook(path, {"Stays": [["id", "stay"], [1, "1,5"], [2, "12"]]})
    page = preview_of(open_window(path))
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert page.preview.marks.isVisible()
    page.preview.marks.action_pressed.emit()
    data = page.state.study.data
    assert data is not None and (data.decimal, data.by_hand) == (",", ())


def test_what_was_chosen_by_hand_is_not_asked_again(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "ward.csv"
    path.write_text("id;stay\np1;1,5\n", encoding="utf-8")
    page = preview_of(open_window(path))
    page._correct("decimal", ".")
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert page.state.study.data is not None
    assert page.state.study.data.by_hand == ("decimal",)
    assert not page.preview.marks.isVisible()


@pytest.mark.parametrize("of_a_mac", [False, True])
def test_a_table_in_a_zip_that_is_dropped_is_no_changed_bundle(
    of_a_mac: bool, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    """Do not rely on this bundle, the window said of a table that a Mac had packed."""
    with ZipFile(tmp_path / "stays.zip", "w") as archive:
        archive.writestr("stays.csv", "id;stay\n" + "p1;1\n" * 9)
        if of_a_mac:
            archive.writestr("__MACOSX/._stays.csv", "of a Mac")
    page = preview_of(open_window(tmp_path / "stays.zip"))
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert page.state.header == ("id", "stay")


def test_carriage_returns_that_end_no_line_are_reported(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "stays.csv"
    # Behind what is looked at to propose how a file is read.
    path.write_bytes(b"id,age\n" + b"1,20\n" * 20_000 + b"2,21\r3,22\n" * 9)
    page = preview_of(open_window(path))
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    note = page.preview.open_lines
    assert note.isVisible() and "carriage return" in note.accessibleName()
    press(note, "Carriage returns end lines, too")
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    source = page.state.study.data
    assert source is not None and source.line_ending == "any"
    assert source.by_hand == ("line_ending",)
    qtbot.waitUntil(note.isHidden)


def test_lines_that_are_no_rows_are_reported_and_one_press_declares_line_breaks(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "letters.csv"
    path.write_text(f'id;note\np1;"see {CANARY}\nwell"\np2;a\n', encoding="utf-8")
    page = preview_of(open_window(path))
    note = page.preview.open_lines
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert "1 line is left out: 2." in note.accessibleName()
    assert CANARY not in note.accessibleName()
    press(note, "Cells contain line breaks")
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert page.state.study.data is not None and page.state.study.data.line_breaks
    assert "relies on doubled quotation marks" in note.accessibleName()
    press(note, "One line of text is one row")
    assert not page.state.study.data.line_breaks
    page.session.document.undo_stack.undo()
    assert page.state.study.data.line_breaks


def test_review_names_lines_that_are_no_rows_and_whom_it_trusts(
    open_window: OpenWindow, study_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    with (tmp_path / "stays.csv").open("ab") as file:
        file.write(b'"never closed\n')
    window = open_window(study_file, page="release")
    review = window.pages["release"].review  # type: ignore[attr-defined]
    (note,) = review.open_lines.notes.values()
    qtbot.waitUntil(lambda: "is left out" in note.accessibleName())
    press(note, "Cells contain line breaks")
    qtbot.waitUntil(lambda: "relies on doubled quotation marks" in note.accessibleName())
    qtbot.waitUntil(lambda: any("are assumed to be doubled" in text for text in texts(review)))


def test_review_names_lines_that_are_no_rows_in_any_file(
    open_window: OpenWindow, study_file: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    members = json.loads(study_file.read_text("utf-8"))
    person, name = members["unit"]["person"], "labs.csv"
    labs = {"path": name, "format": "csv"}
    members["tables"] = [{"name": "labs", "data": labs, "person": person, "rows": "many"}]
    study_file.write_text(json.dumps(members), "utf-8")
    (tmp_path / name).write_text(f'{person},code\n1,"{CANARY}\n2,b\n', "utf-8")
    window = open_window(study_file, page="release")
    review = window.pages["release"].review  # type: ignore[attr-defined]
    qtbot.waitUntil(lambda: len(review.open_lines.notes) == 2)
    first, second = review.open_lines.notes.values()
    qtbot.waitUntil(lambda: "labs.csv: 1 line is left out: 2." in second.accessibleName())
    assert second.isVisible() and first.isHidden() and CANARY not in second.accessibleName()
    press(second, "Cells contain line breaks")
    qtbot.waitUntil(lambda: "labs.csv: Cells contain line breaks" in second.accessibleName())
    (table,) = window.session.state.study.tables
    assert table.data.line_breaks and not window.session.state.study.data.line_breaks
    qtbot.waitUntil(lambda: any("are assumed to be doubled" in text for text in texts(review)))


def press(note: UnclosedQuotesNote, label: str) -> None:
    (button,) = [b for b in note.findChildren(QAbstractButton) if b.text() == label]
    assert button.isVisible()
    button.click()


def test_a_file_of_counts_is_asked_about(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "deaths.csv"
    path.write_text("year,region,n,percent\n2020,A,12,3\n2021,A,9,2\n", encoding="utf-8")
    preview = preview_of(open_window(path)).preview
    qtbot.waitUntil(lambda: not preview._warnings.is_pending)
    assert "looks like counts" in preview.question.sentence
    assert preview.question.isVisible()


def test_a_text_without_columns_is_asked_about(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "readme.md"
    path.write_text(f"# Stays\n\nThese are all stays of {CANARY}.\n- one row each\n", "utf-8")
    page = preview_of(open_window(path))
    qtbot.waitUntil(lambda: not page.preview._warnings.is_pending)
    assert "looks like running text" in page.preview.question.sentence
    assert page.preview.question.isVisible()
    assert CANARY not in page.preview.question.sentence
    assert page.footer.primary is not None and page.footer.primary.isEnabled()


def test_a_file_without_a_table_is_refused_with_the_way_out(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "stays.json"
    path.write_text(f'[{{"id": "{CANARY}", "days": 3}}]', encoding="utf-8")
    window = open_window(path)
    said = "The data file is JSON, not a table; save it as CSV"
    qtbot.waitUntil(lambda: any(said in text for text in texts(window)))
    assert not any(CANARY in text for text in texts(window, with_hidden=True))
    assert not window.session.state.study.data


def test_a_chosen_file_that_became_another_is_reported_on_data(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "stays.csv"
    path.write_text("id,days\np1,3\n", encoding="utf-8")
    page = preview_of(open_window(path))
    qtbot.waitUntil(lambda: page.state.header == ("id", "days"))
    path.write_bytes(b"%PDF-1.7\n" + CANARY.encode())
    page.session.reread_header()
    said = "The data file is a PDF; ask for the table itself"
    qtbot.waitUntil(lambda: any(said in text for text in texts(page)))
    assert page.footer.primary is not None and not page.footer.primary.isEnabled()


@pytest.mark.threat("F6")
@pytest.mark.parametrize(("folder", "is_warned"), [("Dropbox", True), ("plain", False)])
def test_a_file_in_a_synchronised_folder_is_warned_of(
    folder: str, is_warned: bool, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / folder / "ward.csv"
    path.parent.mkdir()
    path.write_text("id;stay\np1;3\n", encoding="utf-8")
    preview = preview_of(open_window(path)).preview
    qtbot.waitUntil(lambda: not preview._warnings.is_pending)
    assert preview.synced.isVisible() == is_warned
    assert ("Dropbox synchronises" in preview.synced.sentence) == is_warned
