# SPDX-License-Identifier: Apache-2.0
"""A codebook in the desk: seen before it is taken over, ticked row by row, undone at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu, QScrollBar
from pytestqt.qtbot import QtBot

from dpdesk.data.codebook.sources import stated_source
from dpdesk.desk.core.codebooks import wanted_file
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.codebook import codebook_list
from dpdesk.desk.pages.columns.codebook.codebook_dialog import CodebookDialog
from dpdesk.desk.pages.columns.codebook.codebook_list import least_of_row, places
from dpdesk.desk.pages.columns.codebook.codebook_model import PARTS, CodebookModel
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.text.codebook_words import CodebookLine, domain
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.widgets.labels.spread_text import LINES
from dpdesk.desk.widgets.tables.cell import wrapped
from dpdesk.release.places.home import Home
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource
from tests.desk.codebook_files import (
    STUDY,
    long_dictionary,
    write_dictionary,
    write_package,
    write_sav,
)
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.languages import spoken_language
from tests.desk.screens import describe, press, settle, spoken, tabbed, takes_keyboard, texts

Choose = Callable[[Path | None], None]


@pytest.fixture
def choose(monkeypatch: pytest.MonkeyPatch) -> Choose:
    """Says which file the next file chooser returns."""

    def chosen(path: Path | None) -> None:
        answer = (str(path) if path else "", "")
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: answer)

    chosen(None)
    return chosen


@pytest.fixture
def opened(open_window: OpenWindow, home: Home, tmp_path: Path) -> Callable[..., MainWindow]:
    """A window on Columns; the study's data file is not there, so nothing can read it."""

    def made(study: Study = STUDY) -> MainWindow:
        return open_window(
            save_with_account(study, tmp_path / "registry.dpdesk", home), page="columns"
        )

    return made


@pytest.fixture
def window(opened: Callable[..., MainWindow]) -> MainWindow:
    return opened()


def page_of(window: MainWindow) -> ColumnsPage:
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page


def open_dialog(window: MainWindow) -> CodebookDialog:
    page_of(window).codebooks.take.click()
    settle()
    dialog = page_of(window).codebooks.dialog
    assert dialog is not None
    return dialog


def ticks(dialog: CodebookDialog) -> dict[str, object]:
    """Each shown variable and its tick; ``None`` where there is nothing to tick."""
    model = dialog.review.model
    shown = [model.index(row) for row in range(model.rowCount())]
    return {str(i.data()): i.data(Qt.ItemDataRole.CheckStateRole) for i in shown}


def line(dialog: CodebookDialog, name: str) -> CodebookLine:
    model = dialog.review.model
    found = next(i for i in map(model.index, range(model.rowCount())) if i.data() == name)
    said = found.data(Qt.ItemDataRole.UserRole)
    assert isinstance(said, CodebookLine)
    return said


def columns(window: MainWindow) -> dict[str, object]:
    return {c.name: c for c in window.session.document.study.columns}


# --- taking over --------------------------------------------------------------------------------


def test_a_dictionary_is_taken_over_in_one_edit(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    before = window.session.document.study
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    assert window.session.document.study == before
    dialog.ok.click()
    taken = columns(window)
    assert list(taken) == [
        "age",
        "ward",
        "sex",
        "smoker",
        "hba1c",
        "drugs___1",
        "drugs___2",
        "visit",
    ]
    sex = taken["sex"]
    assert isinstance(sex, CategoryColumn)
    assert (sex.values, sex.labels) == (("1", "2", "9"), ("Male", "Female", "Unknown"))
    assert isinstance(taken["smoker"], YesNoColumn)
    assert taken["age"] == before.columns[0]
    window.session.document.undo_stack.undo()
    assert window.session.document.study == before
    assert not window.session.document.undo_stack.canUndo()


def test_what_was_done_is_shown_until_it_is_closed_or_undone(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    open_dialog(window).ok.click()
    settle()
    sentence = "6 columns imported from REDCap data dictionary, dictionary.csv."
    assert any(text.startswith(sentence) for text in texts(window))
    page, before = page_of(window), page_of(window).list.mapTo(window, QPoint()).y()
    assert page.done.can_undo and page.done.action.text() == "Undo"
    page.form.basis.edit.setFocus()
    QTest.keyClicks(page.form.basis.edit, "a")
    settle()
    assert page.done.isVisible() and page.done.action.text() == "Close"
    assert page.list.mapTo(window, QPoint()).y() == before, "nothing moves under the mouse"
    window.session.document.undo_stack.undo()
    settle()
    assert page.done.action.text() == "Undo"
    page.done.action.click()
    settle()
    assert window.session.document.study.columns == STUDY.columns
    assert not any("imported" in text for text in texts(window))
    assert page.list.mapTo(window, QPoint()).y() == before
    assert "Import undone." in page.done.accessibleName()
    window.session.document.undo_stack.redo()
    settle()
    assert any(text.startswith(sentence) for text in texts(window)), "done again"
    page.done.second_pressed.emit()
    assert not page.done.isVisible()


def test_what_was_done_is_shown_no_longer_when_the_page_was_left(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    open_dialog(window).ok.click()
    settle()
    assert page_of(window).done.isVisible()
    window.go_to("people")
    window.go_to("columns")
    settle()
    assert not page_of(window).done.isVisible()


def test_a_column_says_which_codebook_it_comes_from(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    open_dialog(window).ok.click()
    page = page_of(window)
    page.select("hba1c")
    assert page.form.basis.text == "REDCap data dictionary"
    assert page.form.numbers["upper"].text == "20"


def test_only_what_is_new_and_names_nobody_starts_ticked(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    found = ticks(open_dialog(window))
    on, off = Qt.CheckState.Checked, Qt.CheckState.Unchecked
    assert {name for name, tick in found.items() if tick == on} == {
        "sex",
        "smoker",
        "hba1c",
        "drugs___1",
        "drugs___2",
        "visit",
    }
    assert {name for name, tick in found.items() if tick == off} == {"age", "birthday"}
    assert found["record_id"] is None
    assert found["remarks"] is None
    assert found["ward"] is None


def test_a_changed_declaration_is_replaced_only_where_it_is_ticked(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    said = line(dialog, "age")
    assert said.mark == "Changes"
    assert said.proposed.first == "Number, 0 to 120 years, step 1"
    assert said.now.first == "Number, 18 to 100 years, step 1"
    assert said.now.second == "source: study protocol"
    assert said.below == ("Would change: name in the release, lowest value, highest value.",)
    dialog.review.model.toggle(_index(dialog, "age"))
    dialog.ok.click()
    age = columns(window)["age"]
    assert isinstance(age, NumberColumn)
    assert (age.lower, age.upper, age.title) == (Decimal(0), Decimal(120), "Age at admission")
    assert stated_source(age) == "REDCap data dictionary"


def _index(dialog: CodebookDialog, name: str) -> object:
    model = dialog.review.model
    return next(i for i in map(model.index, range(model.rowCount())) if i.data() == name)


def test_cancel_leaves_the_study_untouched(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    before = window.session.document.study
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    dialog.review.tick_all.click()
    dialog.reject()
    assert window.session.document.study == before
    assert not window.session.document.undo_stack.canUndo()


def test_no_file_chosen_leaves_no_dialog_behind(window: MainWindow, choose: Choose) -> None:
    choose(None)
    page_of(window).codebooks.take.click()
    settle()
    assert page_of(window).codebooks.dialog is None
    assert QApplication.activeModalWidget() is None


# --- what is said -------------------------------------------------------------------------------


def test_what_cannot_be_carried_over_is_said_below_its_row(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    assert line(dialog, "remarks").below == ("This is free text, which no statistic counts.",)
    assert "identifies people" in line(dialog, "birthday").below[0]
    assert line(dialog, "record_id").mark == "Person ID column"
    assert line(dialog, "ward").mark == "Not in the codebook"


def test_a_file_that_is_no_codebook_is_refused_in_one_sentence(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear colleague,\n", encoding="utf-8")
    choose(letter)
    dialog = open_dialog(window)
    assert dialog.refusal.isVisible()
    assert dialog.refusal.accessibleName().startswith("dpdesk does not recognise this codebook")
    assert not dialog.ok.isVisible()
    assert dialog.other.hasFocus()
    choose(write_dictionary(tmp_path))
    dialog.other.click()
    assert dialog.review.isVisible()
    assert not dialog.refusal.isVisible()


def test_a_refusal_says_where_in_the_codebook(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path, "name,type,min,max\nage,number,0,1\nage,number,0,1\n"))
    dialog = open_dialog(window)
    said = dialog.refusal.accessibleName()
    assert said == "At line 3: This variable occurs twice in the codebook; remove one."


def test_one_of_several_tables_is_chosen(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_package(tmp_path))
    dialog = open_dialog(window)
    assert dialog.review.tables.key is None
    assert not dialog.ok.isEnabled()
    dialog.review.tables.picked.emit("labs")
    settle()
    assert dialog.review.tables.key == "labs"
    dialog.ok.click()
    assert "fasting" in columns(window)


# --- labels inside the study's own file ---------------------------------------------------------


def test_the_labels_of_the_studys_own_file_are_the_first_choice(
    opened: Callable[..., MainWindow], choose: Choose, tmp_path: Path
) -> None:
    write_sav(tmp_path / "clinic.sav")
    data = DataSource("clinic.sav", format="spss")
    window = opened(replace(STUDY, data=data))
    dialog = open_dialog(window)
    assert dialog.own.text() == "Import the labels in clinic.sav"
    assert dialog.own.hasFocus()
    dialog.own.click()
    settle()
    assert line(dialog, "sex").proposed.first == (
        "Category, 2 values: 1\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}Male, "
        "2\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}Female"
    )
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("none may come from the data" in text for text in said)
    dialog.ok.click()
    sex = columns(window)["sex"]
    assert isinstance(sex, CategoryColumn)
    assert stated_source(sex) == "SPSS labels"


def test_labels_on_another_computer_wait_until_somebody_agrees_to_connect(
    opened: Callable[..., MainWindow], choose: Choose
) -> None:
    data = DataSource("//server/share/clinic.sav", format="spss")
    dialog = open_dialog(opened(replace(STUDY, data=data)))
    assert not dialog.own.isEnabled()
    assert "connect to it in Data" in dialog.own_line.text()
    assert dialog.choose.isEnabled()


def test_a_sas_file_asks_for_its_value_labels(
    window: MainWindow, choose: Choose, shared_data: Path
) -> None:
    folder = shared_data / "statfiles" / "sas_catalog"
    choose(folder / "test_data_win.sas7bdat")
    dialog = open_dialog(window)
    assert line(dialog, "SEXA").proposed.first == "Category, no values listed"
    choose(folder / "test_formats_win.sas7bcat")
    dialog.review.catalogue.click()
    settle()
    assert line(dialog, "SEXA").proposed.first == (
        "Category, 2 values: 1\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}Male, "
        "2\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}Female"
    )
    assert any("Value labels from test_formats_win.sas7bcat." in t for t in texts(dialog))


# --- writing ------------------------------------------------------------------------------------


def test_what_is_written_says_the_same_when_it_is_read(
    window: MainWindow, choose: Choose, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "declared.json"
    monkeypatch.setattr(
        QFileDialog, "getSaveFileName", lambda *_args: (str(tmp_path / "declared"), "")
    )
    page_of(window).codebooks.write.click()
    settle()
    assert any("Declarations exported" in text for text in texts(window))
    choose(path)
    dialog = open_dialog(window)
    assert {line(dialog, n).mark for n in ("age", "ward")} == {"The same"}
    assert not dialog.ok.isEnabled()


def test_a_codebook_that_cannot_be_written_is_reported(window: MainWindow, tmp_path: Path) -> None:
    page_of(window).codebooks.write_to(tmp_path / "nowhere" / "declared.json")
    assert window.trouble.isVisible()
    assert "declared.json cannot be written" in window.trouble.accessibleName()


def test_nothing_to_write_is_said_on_the_button(opened: Callable[..., MainWindow]) -> None:
    window = opened(replace(STUDY, columns=()))
    button = page_of(window).codebooks.write
    assert not button.isEnabled()
    assert button.toolTip() == "No column is declared yet."
    assert page_of(window).codebooks.take.isEnabled()


def test_the_menu_has_both_and_says_why_not(
    open_window: OpenWindow, study_file: Path, choose: Choose, tmp_path: Path
) -> None:
    window = open_window()
    take, write = _entries(window)
    assert not take.isEnabled()
    assert take.toolTip() == "Open a study first."
    window.opening.open_any(study_file)
    choose(write_dictionary(tmp_path))
    take, write = _entries(window)
    assert write.isEnabled()
    take.trigger()
    settle()
    assert window.page == "columns"
    assert isinstance(QApplication.activeModalWidget(), CodebookDialog)


def _entries(window: MainWindow) -> tuple[QAction, QAction]:
    """The two entries, as the menu shows them when it opens."""
    menu = window.menuBar().actions()[0].menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    by_text = {action.text().replace("&", ""): action for action in menu.actions()}
    return by_text["Import codebook…"], by_text["Export codebook…"]


# --- keyboard, names, size ----------------------------------------------------------------------


def test_the_dialog_is_worked_with_keys(window: MainWindow, choose: Choose, tmp_path: Path) -> None:
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    assert dialog.review.rows.hasFocus()
    first = str(dialog.review.rows.currentIndex().data())
    assert first == "age"
    press(Qt.Key.Key_Space)
    assert ticks(dialog)["age"] == Qt.CheckState.Checked
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Space)
    assert ticks(dialog)["sex"] == Qt.CheckState.Unchecked
    assert dialog.ok.text() == "Import 6 columns"
    reached = tabbed(dialog)
    assert {dialog.ok, dialog.other, dialog.review.tick_all, dialog.review.rows} <= set(reached)
    assert [describe(w) for w in takes_keyboard(dialog) if not spoken(w).strip()] == []
    dialog.review.rows.setFocus()
    press(Qt.Key.Key_Return)
    assert not dialog.isVisible() and len(columns(window)) > 5


def test_a_click_at_the_left_ticks_and_elsewhere_only_chooses(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    rows = dialog.review.rows
    spot = rows.visualRect(dialog.review.model.index(1))
    QTest.mouseClick(
        rows.viewport(), Qt.MouseButton.LeftButton, pos=spot.topLeft() + QPoint(20, 15)
    )
    assert ticks(dialog)["sex"] == Qt.CheckState.Unchecked
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=spot.center())
    assert ticks(dialog)["sex"] == Qt.CheckState.Unchecked


def test_a_row_is_spoken_whole(window: MainWindow, choose: Choose, tmp_path: Path) -> None:
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    said = dialog.review.model.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith("age, Changes, would be declared: Number, 0 to 120 years, step 1; ")
    assert "declared now: Number, 18 to 100 years, step 1; source: study protocol" in said


def test_all_fits_into_a_small_window(window: MainWindow, choose: Choose, tmp_path: Path) -> None:
    window.resize(1024, 700)
    choose(write_dictionary(tmp_path, long_dictionary(60)))
    dialog = open_dialog(window)
    surface = dialog.frameGeometry().marginsRemoved(dialog.layout().contentsMargins())
    assert window.frameGeometry().contains(surface)
    assert surface.height() > window.height() - 2 * 20
    assert abs(surface.center().y() - window.geometry().center().y()) <= 1
    # The same, where it is read while the dialog is open.
    shown = CodebookDialog(window, window.session)
    shown.open()
    settle()
    shown.read(wanted_file(STUDY, tmp_path, tmp_path / "dictionary.csv"))
    settle()
    assert shown.height() == dialog.height()
    shown.reject()


def test_what_is_declared_wraps_in_its_column(
    opened: Callable[..., MainWindow], choose: Choose, tmp_path: Path
) -> None:
    first, *rest = STUDY.columns
    source = "the hospital information system, table of admissions, as of 2025"
    window = opened(replace(STUDY, columns=(replace(first, basis=source), *rest)))
    choose(write_dictionary(tmp_path))
    dialog = open_dialog(window)
    rows, model = dialog.review.rows, dialog.review.model
    metrics = QFontMetrics(font(Type.QUIET))
    room = places(rows.viewport().width())[2].width()
    lines = wrapped(line(dialog, "age").now.second, metrics, room)
    assert len(lines) > 1 and not any("…" in one for one in lines)
    # One line of text above, what would change below.
    below = len(line(dialog, "age").below)
    high = LINES[Type.TEXT] + (len(lines) + below) * LINES[Type.QUIET] + below * Space.TIGHT
    assert rows.sizeHintForIndex(model.index(0, 0)).height() == high + 2 * Space.SMALL


def test_a_list_of_values_leaves_no_single_one_out(window: MainWindow) -> None:
    column = STUDY.columns[0]
    for count, ends in ((5, "4, 5"), (6, "4, …")):
        values = tuple(str(place + 1) for place in range(count))
        assert domain(CategoryColumn(column.name, values=values)).endswith(ends)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_on_a_doubled_screen_only_the_rows_scroll(
    opened: Callable[..., MainWindow],
    home: Home,
    qapp: QApplication,
    choose: Choose,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
) -> None:
    Settings(home).language = language
    screen = type(QApplication.primaryScreen())
    monkeypatch.setattr(screen, "availableGeometry", lambda _self: QRect(0, 0, 683, 384))
    with spoken_language(qapp, language):
        window = opened()
        window.resize(681, 354)
        choose(write_dictionary(tmp_path))
        dialog = open_dialog(window)
        bars = [bar for bar in dialog.findChildren(QScrollBar) if bar.maximum() > 0]
        assert bars == [dialog.review.rows.verticalScrollBar()]
        dialog.reject()


@pytest.mark.in_turn(2)
def test_a_row_that_is_cut_shows_which_variable_it_is_of(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    review = open_dialog(window).review
    rows, model = review.rows, review.model
    ends, end = [], 0
    for place in range(model.rowCount()):
        end += rows.sizeHintForIndex(model.index(place, 0)).height()
        ends.append(end)
    assert len(ends) > 2
    heights = set()
    for room in range(Space.ROW_REVIEW * 3, end + Space.CARD):
        review.fit(room)
        heights.add(rows.height())
        last = max([0, *(one for one in ends if one <= rows.height())])
        assert rows.height() <= max(room, Space.ROW_REVIEW * 3)
        assert rows.height() - last == 0 or rows.height() - last >= least_of_row()
    assert len(heights) > len(ends), "it is as high as there is room where that shows something"


def test_the_chosen_row_is_whole_where_rows_go_on(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    rows = open_dialog(window).review.rows
    rows.setFixedHeight(Space.ROW_REVIEW * 3)
    settle()
    for place in range(rows.model().rowCount() - 1):
        rows.setCurrentIndex(rows.model().index(place, 0))
        row = rows.visualRect(rows.currentIndex())
        assert row.top() >= 0 and (not row.top() or row.bottom() < rows.height()), place


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(2)
def test_no_part_is_cut_short_in_a_doubled_window(
    opened: Callable[..., MainWindow],
    home: Home,
    qapp: QApplication,
    choose: Choose,
    tmp_path: Path,
    language: str,
) -> None:
    """1366 pixels are 683 there."""
    Settings(home).language = language
    with spoken_language(qapp, language):
        window = opened()
        window.resize(681, 354)
        choose(write_dictionary(tmp_path, long_dictionary(60)))
        dialog = open_dialog(window)
        parts = [dialog.review.parts.segment(key) for key in PARTS]
        shown = [part for part in parts if part.isVisible()]
        assert len(shown) > 1
        bold = QFontMetrics(font(Type.TEXT, semibold=True))
        needed = [bold.horizontalAdvance(part.text()) + Space.SMALL for part in shown]
        assert all(part.width() >= one for part, one in zip(shown, needed, strict=True))
        dialog.reject()


def test_on_a_low_screen_the_dialog_follows_the_chosen_row(
    window: MainWindow, choose: Choose, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = type(QApplication.primaryScreen())
    monkeypatch.setattr(screen, "availableGeometry", lambda _self: QRect(0, 0, 683, 340))
    window.resize(681, 320)
    choose(write_dictionary(tmp_path, long_dictionary(60)))
    dialog = open_dialog(window)
    rows = dialog.review.rows
    # It opens with what has the keyboard whole; where a person scrolled up, rows are hidden.
    dialog._scroll.verticalScrollBar().setValue(0)
    assert rows.visibleRegion().boundingRect().height() < rows.height()
    rows.setFocus(Qt.FocusReason.TabFocusReason)
    for _ in range(4):
        QTest.keyClick(rows, Qt.Key.Key_Down)
        row = rows.visualRect(rows.currentIndex())
        seen = rows.viewport().visibleRegion().boundingRect()
        assert seen.top() <= row.top() and row.bottom() <= seen.bottom()
    dialog.reject()


def test_a_long_codebook_is_searched_and_ticked_in_parts(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path, long_dictionary(60)))
    dialog = open_dialog(window)
    review = dialog.review
    review.untick_all.click()
    assert not dialog.ok.isEnabled()
    review.search.setText("complication 1")
    assert list(ticks(dialog)) == ["v0012", "v0017"]
    review.tick_all.click()
    assert [c.name for c in review.chosen] == ["v0012", "v0017"]
    review.search.setText("")
    review.parts.segment("others").click()
    assert all(tick is None for tick in ticks(dialog).values())


@pytest.mark.in_turn(2)
def test_more_than_a_study_holds_starts_unticked_and_says_so(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path, long_dictionary(2_000)))
    dialog = open_dialog(window)
    assert dialog.review.chosen == ()
    assert "Select those that you need" in dialog.review.note.sentence
    dialog.review.tick_all.click()
    assert not dialog.ok.isEnabled()
    assert "at most 1000 columns" in dialog.review.note.sentence


@pytest.mark.in_turn(2)
def test_the_rows_of_a_long_codebook_are_laid_out_bit_by_bit(
    window: MainWindow,
    choose: Choose,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    """All 1,500 of one at once took a third of a second."""
    real, turns = codebook_list._row_height, Counter[int]()
    turn = QTimer(interval=0)
    now = [0]

    def measured(row: CodebookLine, width: int) -> int:
        turns[now[0]] += 1
        return real(row, width)

    turn.timeout.connect(lambda: now.append(now.pop() + 1))
    monkeypatch.setattr(codebook_list, "_row_height", measured)
    choose(write_dictionary(tmp_path, long_dictionary(2_000)))
    turn.start()
    dialog = open_dialog(window)
    last = dialog.review.model.index(dialog.review.model.rowCount() - 1)
    qtbot.waitUntil(lambda: dialog.review.rows.visualRect(last).isValid())
    turn.stop()
    assert dialog.review.rows.visualRect(last).isValid() and sum(turns.values()) >= 2_000
    assert max(turns.values()) <= 3 * codebook_list.A_TURN


def test_the_model_keeps_the_rules_of_models(
    window: MainWindow, choose: Choose, tmp_path: Path
) -> None:
    choose(write_dictionary(tmp_path))
    model = open_dialog(window).review.model
    assert isinstance(model, CodebookModel)
    tester = QAbstractItemModelTester(
        model, QAbstractItemModelTester.FailureReportingMode.Fatal, model
    )
    model.show_only("new", "s")
    model.tick_shown(True)
    model.show_only("all", "")
    assert tester.model() is model
