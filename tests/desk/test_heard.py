# SPDX-License-Identifier: Apache-2.0
"""What one hears of a page is what one sees on it: names, groups, lists, and what changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.pages.verify.verify_answers import VerifyAnswer
from dpdesk.desk.tour.callout import Callout
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from dpdesk.desk.widgets.inputs.search_edit import SearchEdit
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.release.signing.keys import new_key, unlock
from tests.desk.conftest import OpenWindow
from tests.desk.dialogs import DIALOGS
from tests.desk.screens import settle, wait_until
from tests.desk.test_keyboard_and_names import show_page

PASSPHRASE = "correct horse battery staple"
SPOKEN = Qt.ItemDataRole.AccessibleTextRole


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def columns_page(window: MainWindow) -> ColumnsPage:
    show_page(window, "columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    return page


def queries_page(window: MainWindow) -> QueriesPage:
    show_page(window, "queries")
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def test_the_rail_says_each_thing_once(open_window: OpenWindow) -> None:
    window = open_window()
    for key in ("people", "queries", "history", "verify"):
        item = window.rail.item(key)
        window.rail.item(key).set_state(item.state, "Not yet" if item._has_state else "")
        interface = QAccessible.queryAccessibleInterface(item)
        assert interface is not None
        said = interface.text(QAccessible.Text.Description)
        assert said == ("Not yet" if item._has_state else "")


def test_a_column_without_a_title_is_called_by_its_name_once(window: MainWindow) -> None:
    page = columns_page(window)
    names = [page.list.item(name).accessibleName() for name in page.list.names]
    for name, spoken in zip(page.list.names, names, strict=True):
        assert spoken.split(", ").count(name) == 1


def test_cards_are_called_as_they_are_headed(window: MainWindow) -> None:
    show_page(window, "people")
    cards = window.pages["people"].findChildren(Card)
    named = {card.accessibleName() for card in cards if card.isVisible()}
    assert {"Who is a row about?", "Budget account"} <= named
    show_page(window, "release")
    cards = window.pages["release"].findChildren(Card)
    named = {card.accessibleName() for card in cards if card.isVisible()}
    assert {"Check against the file", "The account afterwards", "Stays here"} <= named


def headings(top: QWidget) -> dict[str, int]:
    """The level of each heading on show."""
    found = {}
    for label in top.findChildren(QLabel):
        spoken = QAccessible.queryAccessibleInterface(label)
        if label.isVisible() and spoken.role() == QAccessible.Role.Heading:
            level = spoken.attributesInterface().attributeValue(QAccessible.Attribute.Level)
            found[spoken.text(QAccessible.Text.Name)] = level
            assert spoken.actionInterface() is None and not spoken.state().focusable
    return found


def test_titles_are_headings_and_nothing_that_can_be_pressed(window: MainWindow) -> None:
    show_page(window, "people")
    found = headings(window.pages["people"])
    assert found["People"] == 1
    assert {found["Who is a row about?"], found["Budget account"]} == {2}


@pytest.mark.in_turn(2)
def test_what_looks_like_a_title_is_a_heading_too(window: MainWindow) -> None:
    """A file's or a column's name, the head of a note, the title of a dialog and of the tour."""
    show_page(window, "people")
    assert headings(window)["Budget (ε, epsilon)"] == 3
    assert headings(window)["This plan"] == 3
    show_page(window, "data")
    assert headings(window)["stays.csv"] == 2
    columns_page(window).select("days")
    settle()
    assert headings(window)["days"] == 2
    dialog = DIALOGS["account"](window)
    dialog.show()
    assert headings(dialog) == {"Open a budget account": 1}
    dialog.close()
    window.tour_wanted.emit()
    settle()
    (callout,) = (c for c in window.findChildren(Callout) if c.isVisible())
    assert headings(callout) == {callout.accessibleName(): 2}
    window.session.document.close()
    settle()
    assert 1 in headings(window).values()


def test_a_list_of_choices_is_called_what_is_chosen(window: MainWindow) -> None:
    show_page(window, "data")
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    page.chips.chips["separator"].click()
    (popup,) = (p for p in page.findChildren(ChoicePopup) if p.isVisible())
    assert popup.list.accessibleName() == popup.windowTitle() == "Separator"
    popup.close()


def test_masked_cells_say_so_and_heads_are_one_line(window: MainWindow) -> None:
    show_page(window, "data")
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    model = page.table.model()
    assert model.index(0, 0).data(SPOKEN) == "masked"
    head = model.headerData(0, Qt.Orientation.Horizontal, SPOKEN)
    assert head == "id, Person ID column"
    assert not page.show_rows.isCheckable()


def test_the_number_of_a_query_has_a_spoken_head(window: MainWindow) -> None:
    show_page(window, "release")
    model = window.pages["release"].review.table.model()  # type: ignore[attr-defined]
    assert model.headerData(0, Qt.Orientation.Horizontal, SPOKEN) == "Number"


def test_the_button_that_clears_a_search_has_a_name(qtbot: QtBot) -> None:
    search = SearchEdit("Search")
    qtbot.addWidget(search)
    search.setText("a")
    assert [b.accessibleName() for b in search.findChildren(QToolButton)] == ["Clear"]


def test_a_page_is_announced_with_its_title(window: MainWindow, announced: list[str]) -> None:
    window.go_to("people")
    settle()
    assert "People" in announced


def test_what_becomes_of_a_query_is_announced(window: MainWindow, announced: list[str]) -> None:
    page = queries_page(window)
    first, second = (query.id for query in page.state.study.queries[:2])
    announced.clear()
    page._do(first, "down")
    settle()
    assert announced[-1].endswith("is number 2 now")
    page._do(second, "remove")
    settle()
    assert announced[-1].startswith("Removed: ")
    window.menus.undo.trigger()
    settle()
    assert "Undone: Remove a query" in announced
    window.menus.redo.trigger()
    settle()
    assert "Redone: Remove a query" in announced


def test_after_a_removal_the_keyboard_is_on_the_query_that_follows(window: MainWindow) -> None:
    page = queries_page(window)
    ids = [query.id for query in page.state.study.queries]
    page.select(ids[0])
    settle()
    page.card(ids[0]).wanted.emit("remove")
    settle()
    assert page.selected == ids[1]
    assert page.card(ids[1]).isAncestorOf(QApplication.focusWidget())
    page.card(ids[-1]).wanted.emit("remove")
    settle()
    assert page.card(ids[-2]).isAncestorOf(QApplication.focusWidget())
    for query_id in ids[1:-1]:
        page.card(query_id).wanted.emit("remove")
        settle()
    at = QApplication.focusWidget()
    assert at is not None and page.isAncestorOf(at)


def test_how_many_columns_a_search_finds_and_are_chosen_is_announced(
    window: MainWindow, announced: list[str]
) -> None:
    page = columns_page(window)
    page.search.edit.setText("s")
    settle()
    assert page.search.edit.accessibleDescription() in announced
    page.search.select_all.click()
    settle()
    assert announced[-1] == f"{len(page.chosen)} columns chosen"


def test_queries_that_a_column_no_longer_fits_are_said_where_it_was_changed(
    window: MainWindow, announced: list[str]
) -> None:
    page = columns_page(window)
    used = next(q.column for q in page.state.study.queries if q.statistic == "mean")
    assert used is not None
    page.select(used)
    settle()
    assert "Queries" not in page.footer.sentence
    page.form.kind.picked.emit("category")
    settle()
    assert "Fix 1 query" in page.footer.sentence
    wait_until(lambda: any("Fix 1 query" in said for said in announced))
    page.session.document.undo_stack.undo()
    settle()
    assert "Queries" not in page.footer.sentence


def test_bounds_without_a_unit_are_said_without_a_gap(window: MainWindow) -> None:
    page = columns_page(window)
    numbers = [c.name for c in page.state.study.columns if c.kind == "number"]
    page.select(numbers[0])
    settle()
    assert " ." not in page.form._sensitivity._sentence.text().replace("</b>", "")


def test_a_release_its_export_and_the_verdict_are_announced(
    window: MainWindow, announced: list[str], tmp_path: Path
) -> None:
    folder = window.session.home.keys
    new_key(folder, "office@hospital.example", PASSPHRASE)
    show_page(window, "release")
    page, verify = window.pages["release"], window.pages["verify"]
    assert isinstance(page, ReleasePage) and isinstance(verify, VerifyPage)
    page.review.check.button.click()
    wait_until(lambda: any("nearly all cells" in said for said in announced))
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    settle()
    assert [s for s in announced if s.startswith("Released")]
    page.results._write(tmp_path / "bundle.zip", unlock(folder, PASSPHRASE))
    settle()
    assert [s for s in announced if s.startswith("Exported and signed. bundle.zip")]
    window.verify_bundle(tmp_path / "bundle.zip")
    wait_until(lambda: verify.found is not None)
    settle()
    assert [s for s in announced if s.startswith("You can rely on this bundle. ")]


def test_a_dash_is_read_out_as_what_it_means(window: MainWindow) -> None:
    model = RowsModel(["Query", "Margin"])
    model.set_rows([["Mean", "–"], ["Count", "± 5"]])
    assert [model.index(row, 1).data(SPOKEN) for row in (0, 1)] == ["not stated", "± 5"]
    answer = VerifyAnswer("Signer")
    answer.say_unasked("There is no signer.")
    assert answer.accessibleName() == "Signer: not answered. There is no signer."
    dialog = FitDialog(window, window.session.state)
    for row in dialog.rows.values():
        assert "–" not in row.within.accessibleDescription()
    assert any("not known yet" in r.within.accessibleDescription() for r in dialog.rows.values())
    dialog.reject()
