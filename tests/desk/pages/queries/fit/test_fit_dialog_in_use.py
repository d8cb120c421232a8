# SPDX-License-Identifier: Apache-2.0
"""Fitting shares by hand: what is shown is used; what cannot be is shown at its place."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.fit.fit_dialog import FitDialog
from dpdesk.desk.pages.queries.fit.fit_row import FitRow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.text import words
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.privacy.planning.share_for_margin import margin_for
from dpdesk.release.run.release_run import ReleaseDone, release
from dpdesk.study.model.amount import Epsilon, Rho, Share
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget
from tests.desk.conftest import OpenWindow
from tests.desk.screens import describe, press, settle, spoken, tabbed, takes_keyboard, texts
from tests.release.studies import STUDY

TENTH = Epsilon.of("0.1")


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    opened: MainWindow = open_window(study_file, page="queries")
    settle()
    return opened


def page(window: MainWindow) -> QueriesPage:
    found = window.pages["queries"]
    assert isinstance(found, QueriesPage)
    return found


def ask(window: MainWindow, qtbot: QtBot) -> FitDialog:
    qtbot.mouseClick(page(window).fit_button, Qt.MouseButton.LeftButton)
    settle()
    return opened()


def opened() -> FitDialog:
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, FitDialog)
    return dialog


def type_within(qtbot: QtBot, row: FitRow, text: str) -> None:
    row.within.setFocus()
    row.within.selectAll()
    qtbot.keyClicks(row.within, text)


def type_total(qtbot: QtBot, dialog: FitDialog, text: str) -> None:
    dialog.total.edit.setFocus()
    dialog.total.edit.selectAll()
    qtbot.keyClicks(dialog.total.edit, text)


def choose_spread(qtbot: QtBot, dialog: FitDialog) -> None:
    qtbot.mouseClick(dialog.way.segment("spread"), Qt.MouseButton.LeftButton)


def use(qtbot: QtBot, dialog: FitDialog) -> None:
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()


def parts(row: FitRow) -> tuple[QLabel, ...]:
    """What a row says of a query's share and margin, now and then."""
    return row.now, row.cost, row.share, row.then


def longest_word(label: QLabel) -> int:
    """How wide the widest part is that cannot be broken."""
    measure = label.fontMetrics()
    return max(measure.horizontalAdvance(word) for word in label.text().split(" "))


def share(study: Study, query_id: str) -> Share:
    found = next(q.share for q in study.queries if q.id == query_id)
    assert found is not None
    return found


def units(study: Study) -> int:
    return sum(q.share.units for q in study.queries if q.share is not None)


def margin_at(study: Study, query_id: str, cost: Share) -> Fraction:
    query = next(q for q in study.queries if q.id == query_id)
    found = margin_for(study, query, cost)
    assert found is not None
    return found


def test_a_margin_gets_its_smallest_share_in_one_step(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.state.study
    dialog = ask(window, qtbot)
    row = dialog.rows["stays"]
    type_within(qtbot, row, "30")
    assert window.session.state.study == before
    assert row.then.text() == f"{words.margin(Fraction(30))} rows"
    shown = row.share.text()
    use(qtbot, dialog)
    after = window.session.state.study
    found = share(after, "stays")
    assert shown == words.amount(found)
    assert margin_at(after, "stays", found) <= 30
    assert margin_at(after, "stays", type(found)(found.units - 1)) > 30
    assert share(after, "by-sex") == TENTH
    window.session.document.undo_stack.undo()
    assert window.session.state.study == before


def test_the_first_look_changes_nothing(window: MainWindow, qtbot: QtBot) -> None:
    before = window.session.state.study
    dialog = ask(window, qtbot)
    assert dialog.total.text == words.amount(Epsilon.of("0.4"))
    assert "1.00 remains" in dialog.total.edit.accessibleDescription()
    assert not dialog.ok.isEnabled()
    assert dialog.then.text() == dialog.total.text
    for query in before.queries:
        row = dialog.rows[query.id]
        assert query.share is not None
        assert row.share.text() == words.amount(query.share)
        assert row.then.text() == row.now.text()
    type_within(qtbot, dialog.rows["stays"], "30")
    dialog.reject()
    settle()
    assert window.session.state.study == before


def test_a_total_is_spread_by_weights_around_a_lock(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    choose_spread(qtbot, dialog)
    type_total(qtbot, dialog, "0.8")
    dialog.rows["days"].keep.setFocus()
    press(Qt.Key.Key_Space)
    weight = dialog.rows["by-sex"].weight
    weight.setFocus()
    press(Qt.Key.Key_Down)
    press(Qt.Key.Key_Down)
    settle()
    assert weight.currentText() == "3"
    assert not dialog.rows["days"].weight.isEnabled()
    assert dialog.then.text() == words.amount(Epsilon.of("0.8"))
    use(qtbot, dialog)
    study = window.session.state.study
    assert share(study, "days") == Epsilon.of("0.2")
    assert share(study, "stays") == Epsilon.of("0.15")
    assert share(study, "by-sex") == Epsilon.of("0.45")


def test_an_impossible_margin_is_reported_in_its_row(window: MainWindow, qtbot: QtBot) -> None:
    study = window.session.state.study
    sized = replace(study.queries[2], expected=100)
    window.session.edit(replace(study, queries=(*study.queries[:2], sized)), "")
    settle()
    dialog = ask(window, qtbot)
    row = dialog.rows["days"]
    type_within(qtbot, row, "0.00001")
    assert "cannot be 0.00001" in row.error
    assert row.name in row.error
    assert row.error in texts(dialog)
    assert row.within.accessibleDescription() == row.error
    assert dialog.rows["by-sex"].error == ""
    assert not dialog.ok.isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    type_within(qtbot, row, "5")
    assert row.error == ""
    assert dialog.ok.isEnabled()
    dialog.reject()


def test_a_mean_without_an_expected_size_hears_what_it_needs(
    window: MainWindow, qtbot: QtBot
) -> None:
    dialog = ask(window, qtbot)
    row = dialog.rows["days"]
    type_within(qtbot, row, "1")
    assert "set the size that you expect" in row.error
    dialog.reject()


def test_margins_that_cost_too_much_together_are_refused(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    for key in ("stays", "by-sex"):
        type_within(qtbot, dialog.rows[key], "12")
    assert "over this study's limit of 1" in dialog.note.sentence
    assert dialog.rows["stays"].error == ""
    assert not dialog.ok.isEnabled()
    dialog.reject()


def test_a_total_that_cannot_be_spread_is_reported_at_it(window: MainWindow, qtbot: QtBot) -> None:
    wrong = {"": "amount", "x": "amount", "1.5": "this study's limit", "0.000001": "too little"}
    for typed, said in wrong.items():
        dialog = ask(window, qtbot)
        choose_spread(qtbot, dialog)
        dialog.total.edit.setFocus()
        dialog.total.edit.selectAll()
        press(Qt.Key.Key_Delete)
        qtbot.keyClicks(dialog.total.edit, typed)
        assert said in dialog.total.error
        assert dialog.then.text() == "–"
        assert not dialog.ok.isEnabled()
        dialog.reject()


def test_locking_all_is_reported_at_the_total(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ask(window, qtbot)
    choose_spread(qtbot, dialog)
    for row in dialog.rows.values():
        row.keep.setFocus()
        press(Qt.Key.Key_Space)
    assert "lock fewer" in dialog.total.error
    dialog.reject()


def test_a_query_without_a_share_cannot_be_kept(window: MainWindow, qtbot: QtBot) -> None:
    study = window.session.state.study
    bare = replace(study.queries[0], epsilon=None)
    window.session.edit(replace(study, queries=(bare, *study.queries[1:])), "")
    settle()
    dialog = ask(window, qtbot)
    choose_spread(qtbot, dialog)
    assert not dialog.rows["stays"].keep.isEnabled()
    assert dialog.rows["stays"].now.text() == "–"
    type_total(qtbot, dialog, "0.6")
    use(qtbot, dialog)
    assert {str(q.share) for q in window.session.state.study.queries} == {"0.2"}


def test_in_zcdp_shares_are_in_rho(window: MainWindow, qtbot: QtBot) -> None:
    study = window.session.state.study
    shares = (Rho.of("0.01"), Rho.of("0.01"), Rho.of("0.02"))
    queries = tuple(q.at_share(s) for q, s in zip(study.queries, shares, strict=True))
    budget = Budget("trial", rho=Rho.of("0.1"))
    window.session.edit(replace(study, budget=budget, queries=queries), "")
    settle()
    dialog = ask(window, qtbot)
    assert dialog.total.text == words.amount(Rho.of("0.04"))
    assert "ρ" in texts(dialog)
    type_within(qtbot, dialog.rows["stays"], "20")
    use(qtbot, dialog)
    fitted = window.session.state.study
    found = share(fitted, "stays")
    assert isinstance(found, Rho)
    assert margin_at(fitted, "stays", found) <= 20
    dialog = ask(window, qtbot)
    choose_spread(qtbot, dialog)
    type_total(qtbot, dialog, "0.1")
    settle()
    for label in [dialog.then, *(part for row in dialog.rows.values() for part in parts(row))]:
        # Nothing of a figure of nine digits, or of a long unit, is cut off.
        needed = label.heightForWidth(label.width()) if label.wordWrap() else 0
        least = longest_word(label) if label.wordWrap() else label.sizeHint().width()
        assert least <= label.width() and needed <= label.height(), label.text()
    use(qtbot, dialog)
    assert units(window.session.state.study) == Rho.of("0.1").units


def test_more_than_the_account_has_is_warned_of(window: MainWindow, qtbot: QtBot) -> None:
    data = window.session.state.study.data
    assert data is not None
    spent = replace(STUDY, queries=(replace(STUDY.queries[0], epsilon=Epsilon.of("0.5")),))
    folder = window.session.document.folder
    done = release(spent, folder, window.session.accounts.ledger(), OpenDPDoor())
    assert isinstance(done, ReleaseDone)
    window.session.reread_accounts()
    dialog = ask(window, qtbot)
    choose_spread(qtbot, dialog)
    type_total(qtbot, dialog, "0.6")
    assert "0.10 more than remains" in dialog.note.sentence
    assert dialog.ok.isEnabled()
    type_total(qtbot, dialog, "0.5")
    assert dialog.note.sentence == ""
    dialog.reject()


def test_a_dash_for_a_margin_has_its_reason(window: MainWindow, qtbot: QtBot) -> None:
    queries = (replace(q, expected=None, by=()) for q in STUDY.queries)
    window.session.edit(replace(window.session.state.study, queries=tuple(queries)), "")
    rows = ask(window, qtbot).rows.values()
    dashes = [row for row in rows if row.now.text() == "–"]
    assert dashes
    for row in rows:
        assert (row in dashes) == ("margin needs your estimate" in texts(row))


def test_an_answered_query_keeps_its_share_and_is_free(window: MainWindow, qtbot: QtBot) -> None:
    folder = window.session.document.folder
    alone = replace(STUDY, queries=STUDY.queries[:1])
    release(alone, folder, window.session.accounts.ledger(), OpenDPDoor())
    window.session.reread_accounts()
    dialog = ask(window, qtbot)
    row = dialog.rows["stays"]
    assert any("answered" in text for text in texts(row))
    assert row.cost.text() == f"{words.amount(TENTH)} (spent)"
    choose_spread(qtbot, dialog)
    assert row.keep.isChecked()
    # 0.9 is left; 0.1 of the total is the stored answer's.
    type_total(qtbot, dialog, "1")
    assert row.share.text() == words.amount(TENTH)
    assert dialog.note.sentence == ""
    row.keep.setFocus()
    press(Qt.Key.Key_Space)
    assert "0.10 more than remains" in dialog.note.sentence
    dialog.reject()


def test_the_margin_of_what_is_answered_needs_no_estimate(window: MainWindow, qtbot: QtBot) -> None:
    """It was released, with its margin, and nothing that is typed here changes that."""
    mean = next(q for q in STUDY.queries if q.declaration.is_ratio)
    alone = replace(STUDY, queries=(replace(mean, expected=None),))
    folder = window.session.document.folder
    release(alone, folder, window.session.accounts.ledger(), OpenDPDoor())
    window.session.reread_accounts()
    window.session.edit(replace(window.session.state.study, queries=alone.queries), "")
    row = ask(window, qtbot).rows[mean.id]
    assert row.now.text() == "–" and "margin: see its release" in texts(row)


@pytest.mark.parametrize("way", ["fit", "spread"])
def test_all_of_it_is_reached_with_keys_and_has_a_name(
    window: MainWindow, qtbot: QtBot, way: str
) -> None:
    dialog = ask(window, qtbot)
    assert QApplication.focusWidget() is dialog.rows["stays"].within
    if way == "spread":
        choose_spread(qtbot, dialog)
        type_total(qtbot, dialog, "0.5")
    else:
        type_within(qtbot, dialog.rows["stays"], "30")
    controls = [w for w in takes_keyboard(dialog) if w is not dialog]
    assert [describe(w) for w in controls if not spoken(w).strip()] == []
    names = [(spoken(w), w.accessibleDescription()) for w in controls]
    assert len(set(names)) == len(names)
    chosen = [dialog.way.segment(key) for key in ("fit", "spread") if key != way]
    missed = set(controls) - set(tabbed(dialog)) - set(chosen)
    assert [describe(w) for w in missed] == []
    dialog.reject()


def test_arrows_change_the_way_and_enter_in_the_last_field_uses_it(
    window: MainWindow, qtbot: QtBot
) -> None:
    before = window.session.state.study
    dialog = ask(window, qtbot)
    dialog.way.segment("fit").setFocus()
    press(Qt.Key.Key_Right)
    assert dialog.way.key == "spread"
    assert dialog.total.edit.isEnabled()
    type_total(qtbot, dialog, "0.9")
    press(Qt.Key.Key_Return)
    settle()
    used = window.session.state.study
    assert used != before and sum(q.epsilon.micro for q in used.queries if q.epsilon) == 900_000


def test_the_menu_opens_it_where_there_are_queries(window: MainWindow) -> None:
    window.go_to("people")
    action = next(a for a in window.findChildren(QAction) if "Fit shares" in a.text())
    assert action.text().replace("&", "") == "Fit shares…"
    action.trigger()
    settle()
    assert window.page == "queries"
    assert opened().windowTitle() == "Fit shares", "as the menu and the button say"
    opened().reject()
    study = window.session.state.study
    window.session.edit(replace(study, queries=()), "")
    settle()
    action.trigger()
    settle()
    assert QApplication.activeModalWidget() is None
    for button in (page(window).fit_button, page(window).rehearse_button):
        assert not button.isEnabled()
        described = button.toolTip(), button.accessibleDescription()
        assert described == ("Add a query first.", "Add a query first.")


def test_two_queries_of_one_title_have_names_of_their_own(window: MainWindow, qtbot: QtBot) -> None:
    study = window.session.state.study
    twin = replace(study.queries[0], id="again")
    window.session.edit(replace(study, queries=(*study.queries, twin)), "")
    settle()
    dialog = ask(window, qtbot)
    assert dialog.rows["stays"].name != dialog.rows["again"].name
    dialog.reject()


def test_a_part_that_cannot_be_used_now_says_why(window: MainWindow, qtbot: QtBot) -> None:
    """To those who point at it as to those who hear it."""
    dialog = ask(window, qtbot)
    row = next(iter(dialog.rows.values()))

    def reasons() -> list[str]:
        parts = (dialog.total.edit, row.within, row.keep, row.weight)
        off = [part for part in parts if not part.isEnabled()]
        assert all(part.toolTip() in part.accessibleDescription() for part in off)
        return [part.toolTip() for part in off]

    total = "Only for Spread the total."
    assert reasons() == [total] * 3
    dialog.way.select("spread")
    dialog.way.picked.emit("spread")
    assert reasons() == ["Only for Smallest shares for these margins."]
    row.keep.click()
    assert reasons() == ["Only for Smallest shares for these margins.", "It keeps its share."]
    assert "1.00 remains" in dialog.total.edit.accessibleDescription()


def test_what_is_answered_is_not_to_be_paid_again(window: MainWindow, qtbot: QtBot) -> None:
    """The gauge behind says what is planned: the total says the same of itself."""
    alone = replace(STUDY, queries=STUDY.queries[:1])
    folder = window.session.document.folder
    release(alone, folder, window.session.accounts.ledger(), OpenDPDoor())
    window.session.reread_accounts()
    dialog = ask(window, qtbot)
    to_pay = words.budget(window.session.state.planned)
    assert any(f"of which {to_pay} is still to be charged" in text for text in texts(dialog))
    dialog.reject()


def test_a_switch_for_totals_is_off_while_margins_are_wanted(
    window: MainWindow, qtbot: QtBot
) -> None:
    """On, it would say that the margin beside it cannot be wanted; what was chosen comes back."""
    dialog = ask(window, qtbot)
    row = dialog.rows["days"]
    choose_spread(qtbot, dialog)
    row.keep.click()
    dialog.way.select("fit")
    dialog.way.picked.emit("fit")
    assert not row.keep.isChecked()
    choose_spread(qtbot, dialog)
    assert row.keep.isChecked() and row.is_kept
    dialog.reject()
