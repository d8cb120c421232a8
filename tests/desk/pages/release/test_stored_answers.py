# SPDX-License-Identifier: Apache-2.0
"""What the ledger answers is said before it is released, and can be drawn again on demand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text import times, words
from dpdesk.desk.widgets.buttons import Button, ButtonLook
from dpdesk.release.notices.revoke import Wish, revoke
from dpdesk.release.signing import keys
from dpdesk.study.model.amount import Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.releasing import (
    do_release,
    press_release,
    release_page,
    say_same_file,
    spent,
)
from tests.desk.screens import settle, texts
from tests.release.studies import women

FROM_LEDGER = "answered from release\N{NO-BREAK SPACE}1 of"


@pytest.fixture
def window(window_with_key: MainWindow) -> MainWindow:
    return window_with_key


@pytest.fixture
def again(window: MainWindow, qtbot: QtBot) -> ReleasePage:
    """The review of a plan that was released before."""
    page = do_release(window, qtbot)
    qtbot.mouseClick(page.footer.back, Qt.MouseButton.LeftButton)
    return release_page(window)


def asked(page: ReleasePage, qtbot: QtBot) -> list[str]:
    """The texts of the question before the release."""
    press_release(page, qtbot)
    say_same_file(page, qtbot)
    found = texts(page.confirm)
    page.confirm.reject()
    settle()
    return found


def today(window: MainWindow) -> str:
    """The day of the first release, as a table says it."""
    return times.day(window.session.accounts.ledger().entry(2).time, brief=True)


def press(page: ReleasePage, qtbot: QtBot, text: str) -> None:
    button = next(b for b in page.review.findChildren(Button) if b.text() == text)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def test_nothing_is_said_of_the_ledger_the_first_time(window: MainWindow, qtbot: QtBot) -> None:
    page = release_page(window)
    assert not page.review.stored.isVisible()
    assert not [t for t in texts(page) if FROM_LEDGER in t]
    assert not [t for t in asked(page, qtbot) if FROM_LEDGER in t]


@pytest.mark.in_turn(2)
def test_review_and_question_say_what_comes_from_the_ledger(
    again: ReleasePage, window: MainWindow, qtbot: QtBot
) -> None:
    assert again.review.stored.accessibleName().startswith("3 queries use stored figures")
    banners = (again.review.stored, again.review.untitled, again.review.series)
    looks = {banner.action._look for banner in banners}
    assert looks == {ButtonLook.SECONDARY}, "as what a weak query offers on the same page"
    stored = [t for t in texts(again.review.table) if FROM_LEDGER in t]
    assert stored and all(
        t.endswith(f"release\N{NO-BREAK SPACE}1 of {today(window)}") for t in stored
    )
    model = again.review.table.model()
    costs = [model.index(row, 4).data() for row in range(model.rowCount())]
    assert costs == ["no cost", "no cost", "no cost", "0.00"], (
        "as the panel says; a sum is a number"
    )
    found = asked(again, qtbot)
    assert any("No data is read and nothing is spent" in t for t in found)
    source = f"release\N{NO-BREAK SPACE}1 of {today(window)}. They cost nothing."
    assert any(source in t for t in found)
    assert not [t for t in found if "new noise" in t]
    window.go_to("queries")
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    queries.select("days")
    settle()
    assert window.session.state.weak_of("days"), "nobody guessed how large its groups are"
    card = queries.card("days")
    assert not card.weak.isVisible(), "what is answered gets no better"
    assert card.accuracy._left_text.text().startswith("Already answered. "), "it was paid for"
    assert card.accuracy.share.hint.startswith("Answered: it costs nothing"), "and so is its amount"
    window.go_to("release")
    study = window.session.state.study
    window.session.edit(study_edits.add_query(study, women()), "")
    settle()
    assert len({t for t in texts(again.review.table) if FROM_LEDGER in t}) == 3
    dearer = replace(study.queries[0], id="dearer", epsilon=Epsilon.of("0.2"))
    window.session.edit(study_edits.add_query(study, dearer), "")
    (weak,) = window.session.state.weak_of("dearer")
    assert weak.code == "twice-answered", "joined with the answered one, both would be paid for"
    found = asked(again, qtbot)
    assert any("3 queries use stored figures" in t for t in found)
    assert any("1 figure is computed once, with new noise" in t for t in found)


def test_drawing_again_is_asked_for_and_paid(
    again: ReleasePage, window: MainWindow, qtbot: QtBot
) -> None:
    press(again, qtbot, "Draw and charge again")
    assert again.release_button.text() == "Release 5 figures for 0.40…"
    assert window.panel.gauge.parts.planned == 400_000
    assert not [t for t in texts(again.review.table) if FROM_LEDGER in t]
    assert any("5 figures are computed once" in t for t in asked(again, qtbot))
    do_release(window, qtbot)
    assert spent(window) == "0.8"
    qtbot.mouseClick(again.footer.back, Qt.MouseButton.LeftButton)
    page = release_page(window)
    assert page.release_button.text() == "Release 5 figures for 0.00…"


def test_drawing_again_can_be_taken_back(
    again: ReleasePage, window: MainWindow, qtbot: QtBot
) -> None:
    press(again, qtbot, "Draw and charge again")
    press(again, qtbot, "Use the stored figures")
    assert again.release_button.text() == "Release 5 figures for 0.00…"
    do_release(window, qtbot)
    assert spent(window) == "0.4"


def test_drawing_again_is_no_other_studys(
    again: ReleasePage, window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    press(again, qtbot, "Draw and charge again")
    window.opening.open_study(study_file)
    assert release_page(window).release_button.text() == "Release 5 figures for 0.00…"


def test_another_extract_is_asked_anew(
    again: ReleasePage, window: MainWindow, qtbot: QtBot
) -> None:
    window.go_to("data")
    settle()
    field = window.pages["data"].extract_field  # type: ignore[attr-defined]
    assert field.text == "stays.csv"
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, "autumn")
    data = window.session.state.study.data
    assert data is not None and data.extract == "autumn"
    page = release_page(window)
    assert page.release_button.text() == "Release 5 figures for 0.40…"
    assert not page.review.stored.isVisible()
    window.session.document.undo_stack.undo()
    assert window.session.state.study.data == replace(data, extract="stays.csv")


@pytest.mark.in_turn(2)
def test_what_the_same_query_costs_again_is_said_once_and_truly(
    language: str, open_window: OpenWindow, study_file: Path
) -> None:
    """Data said that it costs nothing, Release and *Why repeats cost* that it costs again."""
    window = open_window(study_file, page="release")
    said = words.repeated()
    for page in ("data", "release"):
        window.go_to(page)
        settle()
        assert said in " ".join(texts(window.pages[page])), page
    new_noise = {"en": "new noise costs budget again", "de": "neues Rauschen kostet erneut Budget"}
    assert new_noise[language] in said
    caption = {"en": "new noise costs budget again.", "de": "neues Rauschen erneut Budget."}
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    pictures = page.card(page.selected).accuracy.pictures
    pictures.show_averaging(Epsilon.of("0.1"), 1.0)
    shown = [label.text() for label in pictures.findChildren(QLabel)]
    assert any(text.endswith(caption[language]) for text in shown)


def test_answers_of_a_withdrawn_release_are_said_to_be(
    again: ReleasePage, window: MainWindow, qtbot: QtBot
) -> None:
    """The question was confirmed, knowing it; the bundle then has them."""
    info = keys.show(window.session.home.keys)
    assert info is not None
    ledger = window.session.accounts.ledger()
    revoke(ledger, Wish("withdrawn", 2, "<b>a ward</b> was left out"), info)
    window.session.reread_accounts()
    settle()
    said = "1 was withdrawn; its figures would be published again: <b>a ward</b> was left out."
    assert said in again.review.stored.accessibleName()
    stored = [t for t in texts(again.review.table) if FROM_LEDGER in t]
    assert stored and all(t.endswith(", which was withdrawn") for t in stored)
    window.go_to("queries")
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage)
    queries.select("days")
    settle()
    assert "which was withdrawn: <b>a ward" in queries.card("days").accuracy.share.hint
    other = next(q.id for q in window.session.state.study.queries if q.id != "days")
    assert "answered, withdrawn" in queries.card(other).accessibleName()
    window.go_to("release")
    found = asked(again, qtbot)
    assert any("its figures would be published again" in t for t in found)
    assert any("published again: &lt;b&gt;a ward" in t for t in found), (
        "as it was typed, not as set"
    )
    press(again, qtbot, "Draw and charge again")
    assert not any("would be published again" in t for t in asked(again, qtbot))
    press(again, qtbot, "Use the stored figures")
    do_release(window, qtbot)
    (last, *_) = reversed(ledger.history())
    assert last.entry.kind == "release" and last.entry.charged.units == 0
