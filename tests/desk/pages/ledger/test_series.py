# SPDX-License-Identifier: Apache-2.0
"""A series is planned, shown apart from what is spent, drawn at Release, and ended."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.history.page import HistoryPage
from dpdesk.desk.pages.ledger.ledger_dialog import LedgerDialog
from dpdesk.desk.pages.ledger.series_dialog import EndSeriesDialog, NewSeriesDialog
from dpdesk.desk.pages.release.page import ReleasePage
from dpdesk.desk.text.times import month_of_year
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, texts
from tests.doors import ConstantDoor
from tests.release.studies import one_query, write_data


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path, home: Home) -> MainWindow:
    """A window on a study that costs 0.1 of an account of 1."""
    write_data(tmp_path)
    path = save_with_account(one_query(), tmp_path / "stays.dpdesk", home)
    window = open_window(path)
    window.session._door = ConstantDoor()
    settle()
    return window


def finished(dialog: LedgerDialog, qtbot: QtBot) -> str:
    qtbot.waitUntil(lambda: not dialog.is_busy)
    settle()
    said = dialog.outcome.sentence
    dialog.reject()
    return said


def planned(window: MainWindow, qtbot: QtBot, count: str = "9") -> str:
    dialog = NewSeriesDialog(window, window.session)
    dialog.open()
    dialog.name.set_text("wards")
    dialog.count.edit.setText(count)
    dialog.count.edit.textEdited.emit(count)
    if count == "9":
        assert dialog.price.isVisible() and "0.10 each, 0.90 together." in dialog.price.text()
    dialog.ok.click()
    return finished(dialog, qtbot)


def release_page(window: MainWindow) -> ReleasePage:
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert isinstance(page, ReleasePage)
    return page


def test_a_series_is_reserved_drawn_and_ended_in_the_window(
    window: MainWindow, home: Home, qtbot: QtBot
) -> None:
    assert "0.90 is reserved" in planned(window, qtbot)
    page = release_page(window)
    banner = page.review.series
    assert "Release 1 of 9" in banner.accessibleName()
    parts = window.panel.gauge.parts
    assert (parts.reserved, parts.planned, parts.left) == (800_000, 100_000, 100_000), "its own"
    banner.action_pressed.emit()
    settle()
    window.session.look_again()
    parts = window.panel.gauge.parts
    assert (parts.spent, parts.reserved, parts.left) == (0, 900_000, 0), "outside, as was wanted"
    assert "Reserved for series 0.90" in window.panel.gauge.description()
    banner.action_pressed.emit()
    settle()
    assert page.release_button.isEnabled()
    page._confirm("me", same_extract=True)
    assert "wards, release 1 of 9" in texts(page.confirm)
    page.confirm.reject()
    page.start_release(same_extract=True)
    qtbot.waitUntil(lambda: page._job is None)
    settle()
    account = Ledger(home).account("registry")
    assert (account.spent, account.reserved) == (Epsilon.of("0.1"), Epsilon.of("0.8"))
    assert window.session.series == "", "of the same extract there is no second one by itself"
    data = window.session.document.study.data or DataSource()
    study = replace(window.session.document.study, data=replace(data, extract="next year"))
    window.session.edit(study, "another year")
    assert window.session.series == "wards"

    window.go_to("history")
    settle()
    page_of_history = window.pages["history"]
    assert isinstance(page_of_history, HistoryPage)
    rows = [[page_of_history._model.index(r, c).data() for c in (2, 4)] for r in range(4)]
    assert [row[0] for row in rows] == ["Release 1", "Decision", "Decision", "Account opened"]
    assert "wards begun: 0.9 reserved for 9 releases" in rows[2][1]
    page_of_history.table.selectRow(1)
    settle()
    assert not page_of_history.revoke_button.isVisible(), "an instalment has no notice to repeat"

    dialog = EndSeriesDialog(window, window.session, Ledger(home).series())
    dialog.open()
    dialog.ok.click()
    assert dialog.reason.error
    dialog.reason.set_text("the register closes")
    dialog.ok.click()
    assert "0.80 is available again" in finished(dialog, qtbot)
    assert Ledger(home).account("registry").left == Epsilon.of("0.9")


def test_delta_that_a_series_keeps_pays_for_its_own_release_alone(
    window: MainWindow, home: Home, qtbot: QtBot
) -> None:
    """All that the account keeps for found categories is reserved: beside the series none is."""
    delta = Delta.of("1e-10")
    ledger = window.session.accounts.ledger()
    ledger.new_account("drugs", Rho.of(1), delta=Delta.of("1e-9"), kept=Delta.of("3e-10"))
    window.session.reread_accounts()
    query = Query("found", "categories-found", CategoriesFoundParameters("sex", delta=delta))
    asked = replace(query, rho=Rho.of("0.01"))
    budget = Budget("drugs", rho=Rho.of(1))
    window.session.edit(replace(one_query(), budget=budget, queries=(asked,)), "")
    settle()
    assert "0.03 is reserved" in planned(window, qtbot, "3")
    page = release_page(window)
    page.review.series.action_pressed.emit()
    settle()
    assert [p.code for p in window.session.state.blocking] == ["delta-exceeded"]
    assert not page.release_button.isEnabled()
    page.review.series.action_pressed.emit()
    settle()
    assert window.session.state.blocking == () and page.release_button.isEnabled()
    page.start_release(same_extract=True)
    qtbot.waitUntil(lambda: page._job is None)
    account = Ledger(home).account("drugs")
    assert (account.delta_spent, account.delta_left) == (delta, Delta(0))


def test_a_series_says_how_many_releases_there_is_budget_for(window: MainWindow) -> None:
    """It said what is left and what each costs, and left the rest to arithmetic."""
    dialog = NewSeriesDialog(window, window.session)
    dialog.open()
    settle()
    assert "10 releases" in texts(dialog)
    dialog.reject()


def test_an_edit_leaves_the_series(window: MainWindow, qtbot: QtBot) -> None:
    planned(window, qtbot)
    page = release_page(window)
    assert window.session.series == "wards"
    query = replace(one_query().queries[0], epsilon=Epsilon.of("0.2"))
    study = replace(window.session.document.study, queries=(query,))
    window.session.edit(study, "dearer")
    settle()
    assert window.session.series == "" and page.review.series.isVisible()
    assert "Not a release of the series wards" in page.review.series.accessibleName()
    assert page.review.series.action.isHidden()
    assert not page.release_button.isEnabled(), "what is reserved pays for nothing else"


def test_an_impossible_number_reserves_nothing(
    window: MainWindow, qtbot: QtBot, home: Home
) -> None:
    for count in ("", "0", "-1", "1.5", "1e3", "\u0661", "99999999"):
        assert "1 to 240" in planned(window, qtbot, count), count
        assert Ledger(home).series() == ()


def test_more_than_is_left_is_refused_with_the_amounts(
    window: MainWindow, qtbot: QtBot, home: Home
) -> None:
    assert "needs 1.1; the account “registry” has 1" in planned(window, qtbot, "11")
    assert Ledger(home).account("registry").reserved == Epsilon(0)


def test_the_first_month_is_chosen_in_words(window: MainWindow) -> None:
    dialog = NewSeriesDialog(window, window.session)
    dialog.open()
    this = datetime.now().astimezone()
    assert dialog.first.key == f"{this:%Y-%m}"
    shown = [dialog.first.combo.itemText(i) for i in range(dialog.first.combo.count())]
    assert month_of_year(this.date()) in shown
    assert not [text for text in shown if re.search("[0-9]-[0-9]", text)]
    assert len(set(shown)) == len(shown)
    dialog.reject()
