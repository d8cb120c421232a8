# SPDX-License-Identifier: Apache-2.0
"""Check against the file, at Release: by itself or pressed, coarse, local, once in the way."""

from __future__ import annotations

import os
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.data.inspection.finding import Finding
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.counted.separate_dialog import SeparatePeopleDialog
from dpdesk.desk.pages.keys.key_dialog import NewKeyDialog
from dpdesk.desk.pages.release import check_card
from dpdesk.desk.pages.release.check_card import CheckCard
from dpdesk.desk.pages.release.check_dialog import CheckDialog
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.groupings import Bins
from dpdesk.study.model.steps.step import Arithmetic, CodePrefix, Operand, RecodeEntry
from dpdesk.study.model.unit import Budget
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import ask_release, press_release, wait_for_check
from tests.desk.screens import settle, texts, wait_until
from tests.doors import ConstantDoor
from tests.release.studies import release
from tests.waiting import LIMIT_S

CANARY = "canary-4711"
UNREADABLE = "id,days,sex\n" + "".join(f"p{i},{CANARY},{CANARY}\n" for i in range(200))
READABLE = "id,days,sex\n" + "".join(f"p{i},{i % 14 + 1},{'fm'[i % 2]}\n" for i in range(200))


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    """The window on Release, with a file in which nothing can be read."""
    (study_file.parent / "stays.csv").write_text(UNREADABLE, encoding="utf-8")
    opened = open_window(study_file, page="release")
    settle()
    return opened


def page_of(window: MainWindow) -> ReleasePage:
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def checked(window: MainWindow, qtbot: QtBot) -> CheckCard:
    card = page_of(window).review.check
    qtbot.mouseClick(card.button, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    return card


def said(card: CheckCard) -> str:
    return "\n".join(texts(card))


def test_nothing_is_read_until_it_is_pressed(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_arguments: object) -> None:
        raise AssertionError("nobody asked")

    monkeypatch.setattr(check_card, "check_file", never)
    page = page_of(window)
    assert page.review.check.button.text() == "Check"
    for key in window.pages:
        window.go_to(key)
        settle()
    page.start_release()
    wait_until(lambda: window.session.jobs.current is None)
    assert page.released_shares is not None


def test_each_column_has_a_sentence_and_a_way_to_its_remedy(
    window: MainWindow, qtbot: QtBot
) -> None:
    card = checked(window, qtbot)
    shown = said(card)
    assert "no cell is a number, first in line 2. Is the decimal mark right" in shown
    assert "no cell is one of its values. Are they spelled as in the file?" in shown
    assert card.button.text() == "Check again"
    assert CANARY not in shown
    change = next(b for b in card.findChildren(QAbstractButton) if b.text() == "Change values…")
    change.click()
    settle()
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    assert (window.page, columns.selected) == ("columns", "sex")


def test_the_keyboard_stays_on_the_card_while_the_file_is_read(
    window: MainWindow, qtbot: QtBot
) -> None:
    window.activateWindow()
    card = page_of(window).review.check
    card.button.setFocus()
    qtbot.keyClick(card.button, Qt.Key.Key_Space)
    assert card.cancel.hasFocus()
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    assert card.button.hasFocus() and not card.cancel.isVisible()


def test_what_can_be_read_is_said_of_numbers_and_lists(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    (study_file.parent / "stays.csv").write_text(READABLE, encoding="utf-8")
    card = checked(window, qtbot)
    assert "nearly all cells are numbers." in said(card)
    assert "nearly all cells are one of its values." in said(card)
    assert not card.stands_in_the_way


def test_release_checks_by_itself_and_asks_with_what_it_found(
    window: MainWindow, qtbot: QtBot
) -> None:
    page, card = page_of(window), page_of(window).review.check
    press_release(page, qtbot)
    assert isinstance(card.question, CheckDialog) and card.question.isVisible()
    shown = "\n".join(texts(card.question))
    assert "Before you spend: 2 columns can hardly be read" in shown
    assert "Is the decimal mark right" in shown and "No cell is a number" in shown
    assert "Queries concerned: 2, 3. If you release now, 0.30 of budget" in shown
    assert card.question.fix.hasFocus(), "the keyboard is on the first fix"
    qtbot.keyClick(card.question, Qt.Key.Key_Escape)
    settle()
    assert not window.findChildren(NewKeyDialog), "Esc is Not now"
    page.ask_release()
    assert card.question.danger_button is not None
    card.question.danger_button.setFocus()
    qtbot.keyClick(card.question.danger_button, Qt.Key.Key_Return)
    assert card.question.isVisible(), "Enter never goes on"
    card.question.danger_button.click()
    settle()
    assert window.findChildren(NewKeyDialog), "the usual way goes on"
    assert not card.stands_in_the_way, "it stands in the way once"


def test_the_first_fix_leads_to_its_column(window: MainWindow, qtbot: QtBot) -> None:
    page, card = page_of(window), page_of(window).review.check
    press_release(page, qtbot)
    assert card.question is not None
    qtbot.mouseClick(card.question.fix, Qt.MouseButton.LeftButton)
    settle()
    columns = window.pages["columns"]
    assert isinstance(columns, ColumnsPage)
    assert (window.page, columns.selected) == ("columns", "days")


def test_what_is_of_the_file_or_its_ids_leads_to_their_page(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    stays = study_file.parent / "stays.csv"
    for text, page, title in (
        ("id,days,sex\n" + "r1,p1,3,f\n" * 50, "data", "The file"),
        ("id,days,sex\n" + ",3,f\n" * 50, "people", "id"),
    ):
        stays.write_text(text, encoding="utf-8")
        window.go_to("release")
        card = page_of(window).review.check
        press_release(page_of(window), qtbot)
        assert card.question is not None and title in texts(card.question)
        card.question.fix.click()
        settle()
        assert window.page == page


def test_where_nothing_is_serious_the_confirmation_follows(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    (study_file.parent / "stays.csv").write_text(READABLE, encoding="utf-8")
    page = page_of(window)
    press_release(page, qtbot)
    assert page.review.check.question is None
    assert window.findChildren(NewKeyDialog), "the usual way goes on"


def test_the_footer_shows_how_far_it_is_and_stops_it(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_study: object, _folder: Path, progress: Progress, cancel: CancelToken) -> None:
        progress(1, 4)
        assert cancel._event.wait(LIMIT_S)
        cancel.check()

    monkeypatch.setattr(check_card, "check_file", slow)
    page = page_of(window)
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    wait_until(lambda: page.footer._bar.value() == 250)
    assert page.footer.cancel.hasFocus()
    qtbot.mouseClick(page.footer.cancel, Qt.MouseButton.LeftButton)
    wait_for_check(page)
    assert page.release_button.isVisible() and page.release_button.hasFocus()
    assert not window.findChildren(NewKeyDialog), "nothing goes on by itself"


def test_leaving_the_page_ends_the_way_to_the_release(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = page_of(window)
    qtbot.mouseClick(page.release_button, Qt.MouseButton.LeftButton)
    window.go_to("queries")
    wait_for_check(page)
    assert page.review.check.question is None and not window.findChildren(NewKeyDialog)


@pytest.mark.parametrize("what", ["study", "file", "moment"])
def test_what_was_found_is_gone_when_study_or_file_change(
    window: MainWindow, qtbot: QtBot, study_file: Path, what: str
) -> None:
    card = checked(window, qtbot)
    assert card.stands_in_the_way
    data = study_file.parent / "stays.csv"
    if what == "study":
        study = study_edits.remove_query(window.session.state.study, "stays")
        window.session.edit(study, "Remove")
    elif what == "file":
        data.write_text(READABLE, encoding="utf-8")
    else:
        os.utime(data, (1, 1))
    assert not card.stands_in_the_way
    assert "no cell" not in said(card)
    assert card.button.text() == "Check"


def test_the_extracts_name_is_no_change_of_what_was_checked(
    window: MainWindow, qtbot: QtBot
) -> None:
    card = checked(window, qtbot)
    window.session.edit(study_edits.set_data(window.session.state.study, extract="spring"), "Name")
    assert card.stands_in_the_way


def test_nothing_of_it_is_kept(
    window: MainWindow, qtbot: QtBot, study_file: Path, home: Home
) -> None:
    def holding() -> dict[str, bytes]:
        places = (study_file.parent, home.root)
        files = (path for place in places for path in place.rglob("*") if path.is_file())
        return {str(path): path.read_bytes() for path in files}

    before, steps = holding(), window.session.document.undo_stack.count()
    card = checked(window, qtbot)
    ask_release(page_of(window))
    assert card.question is not None and card.question.danger_button is not None
    card.question.danger_button.click()
    settle()
    assert holding() == before
    assert window.session.document.undo_stack.count() == steps


@pytest.fixture
def known(window: MainWindow, study_file: Path) -> MainWindow:
    """The window, where another account has released the same file, which can be read."""
    (study_file.parent / "stays.csv").write_text(READABLE, encoding="utf-8")
    session = window.session
    ledger = session.accounts.ledger()
    ledger.new_account("clinic", Epsilon.of(9))
    study = session.state.study
    theirs = replace(study, budget=Budget("clinic", Epsilon.of(9)))
    release(theirs, study_file.parent, ledger, ConstantDoor())
    window.session.look_again()
    settle()
    return window


SEEM = "These people seem to be those of the account “clinic”."


def test_whose_people_they_seem_to_be_is_said_and_refuses_nothing(
    known: MainWindow, qtbot: QtBot
) -> None:
    page, card = page_of(known), page_of(known).review.check
    press_release(page, qtbot)
    assert card.question is not None and SEEM in "\n".join(texts(card.question))
    assert "The same people must not get a second budget" in "\n".join(texts(card.question))
    assert card.question.danger_button is not None
    card.question.danger_button.click()
    settle()
    assert known.findChildren(NewKeyDialog), "the usual way goes on"
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    assert not decisions(known)


def decisions(window: MainWindow) -> list[str]:
    entries = window.session.accounts.ledger().accounts()
    return [e.account for a in entries for e in a.entries if e.kind == "decision"]


def test_the_question_leads_to_the_account_or_to_the_declaration_and_on(
    known: MainWindow, qtbot: QtBot
) -> None:
    page, card = page_of(known), page_of(known).review.check
    press_release(page, qtbot)
    assert card.question is not None
    qtbot.mouseClick(card.question.fix, Qt.MouseButton.LeftButton)
    settle()
    assert known.page == "people"
    known.go_to("release")
    page.ask_release()
    press(card.question, "They are others…")
    (dialog,) = known.findChildren(SeparatePeopleDialog)
    dialog.reason.set_text("another clinic")
    press(dialog, "They are other people")
    assert known.findChildren(NewKeyDialog), "the usual way goes on"
    assert SEEM not in said(card) and not card.stands_in_the_way
    page.start_release()
    wait_until(lambda: page.released_shares is not None)
    assert decisions(known) == [known.session.state.account.name]


def test_the_card_takes_the_declaration_and_forgets_it_with_the_file(
    known: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    card = checked(known, qtbot)
    assert SEEM in said(card)
    press(card, "They are others…")
    (dialog,) = known.findChildren(SeparatePeopleDialog)
    dialog.reason.set_text("another clinic")
    press(dialog, "They are other people")
    assert SEEM not in said(card) and [one.account for one in card.separations] == ["clinic"]
    assert not known.findChildren(NewKeyDialog), "nobody asked for a release"
    (study_file.parent / "stays.csv").write_text(READABLE + "p0,3,f\n", encoding="utf-8")
    assert not card.is_done and card.separations == ()


def test_a_study_that_cannot_be_released_is_held_against_no_account(
    known: MainWindow, qtbot: QtBot
) -> None:
    session = known.session
    whole = session.state.study
    session.edit(replace(whole, budget=replace(whole.budget, account="nobody")), "")
    card = checked(known, qtbot)
    assert SEEM not in said(card)
    session.edit(whole, "")
    settle()
    assert not card.is_done
    assert SEEM in said(checked(known, qtbot))


def press(place: QWidget, text: str) -> None:
    next(b for b in place.findChildren(QAbstractButton) if b.text() == text).click()
    settle()


def test_it_can_be_cancelled_and_the_window_lives_on(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(_study: object, _folder: Path, progress: Progress, cancel: CancelToken) -> None:
        progress(1, 4)
        assert cancel._event.wait(LIMIT_S)
        cancel.check()

    monkeypatch.setattr(check_card, "check_file", slow)
    card = page_of(window).review.check
    card.button.click()
    wait_until(lambda: card.bar.maximum() == 1000)
    assert (card.bar.value(), card.cancel.isVisible(), card.button.isVisible()) == (
        250,
        True,
        False,
    )
    qtbot.mouseClick(card.cancel, Qt.MouseButton.LeftButton)
    wait_until(lambda: window.session.jobs.current is None)
    assert (card.cancel.isVisible(), card.button.text()) == (False, "Check")


def test_a_file_that_is_gone_is_one_sentence(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    (study_file.parent / "stays.csv").unlink()
    card = checked(window, qtbot)
    assert "The data file is missing; check its name and folder." in said(card)
    assert card.button.text() == "Check"


def test_another_study_starts_without_it(window: MainWindow, qtbot: QtBot) -> None:
    card = checked(window, qtbot)
    page_of(window).forget()
    assert "no cell" not in said(card)


@pytest.mark.parametrize("height", [460, 700])
@pytest.mark.in_turn(2)
def test_what_is_found_comes_on_show(window: MainWindow, qtbot: QtBot, height: int) -> None:
    window.resize(1024, height)
    settle()
    page, card = page_of(window), page_of(window).review.check
    page.scroll_area.ensureWidgetVisible(card.button, 0, 0)
    checked(window, qtbot)
    first = next(one for one in card.findChildren(QAbstractButton) if one is not card.button)
    row = first.parentWidget()
    seen = row.visibleRegion().boundingRect()
    assert seen == row.rect()


def test_what_a_derived_column_is_made_of_concerns_its_queries(window: MainWindow) -> None:
    half = NumberColumn("half", Decimal(0), Decimal(7), Decimal("0.5"))
    half = replace(half, made_from=Arithmetic("divide", (Operand("days"), Decimal(2))))
    codes = CategoryColumn(
        "chapter", ("A",), made_from=CodePrefix("icd", (RecodeEntry("A", ("A",)),))
    )
    state = window.session.state
    first, *_ = state.study.queries
    queries = (
        replace(first, id="of-half", by=(Bins("half", (Decimal(3),)),)),
        replace(first, id="of-chapter", by=("chapter",)),
    )
    columns = (*state.study.columns, half, codes)
    changed = replace(state, study=replace(state.study, columns=columns, queries=queries))
    for finding, query in (
        (Finding("numbers", "none", "days"), 1),
        (Finding("codes", "none", "chapter"), 2),
    ):
        shown = "\n".join(texts(CheckDialog(window, changed, [finding])))
        assert f"Queries concerned: {query}. If you release now, 0.10 of budget" in shown
        assert "Before you spend: 1 column can hardly be read" in shown
