# SPDX-License-Identifier: Apache-2.0
"""A new study from an earlier one, in the window."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core import file_dialogs
from dpdesk.desk.core.file_dialogs import usual_folder
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.reuse.carry_over_dialog import CarryOverDialog
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.release.ledger import Ledger
from dpdesk.release.ledger.decisions.series import Schedule
from dpdesk.release.ledger.spending.instalments import begin_series
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.columns import DateColumn
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, wait_until
from tests.doors import ConstantDoor
from tests.release.studies import STUDY, release, write_data

FITTING = "id,days,sex\n1,3,f\n"
OTHER = "ID;sex;bmi;smoker\n1;f;20;no\n"


def ask(window: MainWindow, data: Path) -> CarryOverDialog:
    """The dialog about the next file of the open study."""
    window.opening.reuse.take(window.session.document.study, data)
    wait_until(lambda: window.opening.reuse.dialog is not None)
    settle()
    found = window.opening.reuse.dialog
    assert found is not None
    return found


def lines(dialog: CarryOverDialog) -> list[str]:
    return [line.sentence for line in dialog.fit if line.isVisible()]


@pytest.fixture
def following(tmp_path: Path) -> Path:
    path = tmp_path / "q2.csv"
    path.write_text(FITTING, encoding="utf-8")
    return path


def test_the_next_extract_has_all_declarations_and_spends_nothing(
    open_window: OpenWindow, study_file: Path, following: Path, home: Home, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    before = study_file.read_bytes()
    dialog = ask(window, following)
    assert lines(dialog) == ["Every declared column is in the file."]
    assert dialog.extract.text.startswith("q2.csv, ")
    qtbot.mouseClick(dialog.ok, Qt.MouseButton.LeftButton)
    settle()
    made = window.session.document
    assert made.path == home.root / "studies" / "stays.dpdesk"
    data = replace(STUDY.data, path=str(following), extract=made.study.data.extract)
    assert made.study == replace(STUDY, data=data)
    assert load_study(made.path).study == made.study
    assert study_file.read_bytes() == before
    assert not window.session.state.blocking
    assert window.session.state.answered == frozenset()
    assert Ledger.open(home).account("registry").spent.units == 0


DAY = DateColumn("day", date(2025, 1, 1), date(2025, 12, 31))
BORN = DateColumn("born", date(1900, 1, 1), date(2025, 12, 31))
YEARLY = replace(STUDY, columns=(*STUDY.columns, DAY, BORN))


def test_the_next_report_of_a_series_is_about_the_next_year(
    open_window: OpenWindow, study_file: Path, following: Path, home: Home
) -> None:
    """Proposed by the series alone; days of birth stay unless they are chosen."""
    window = open_window(study_file)
    ledger = Ledger.open(home)
    begin_series(ledger, STUDY, Schedule("wards", "year", "2026-01", 2))
    window.session.document.edit(YEARLY, "Declare days")
    dialog = ask(window, following)
    assert dialog.later.key == "0", "nothing of it is released yet"
    assert not dialog.moved["day"].isVisible()
    dialog.reject()
    write_data(study_file.parent)
    release(STUDY, study_file.parent, ledger, ConstantDoor(), series="wards")
    window.session.reread_accounts()
    window.opening.reuse.dialog = None
    dialog = ask(window, following)
    assert dialog.later.key == "12"
    assert dialog.moved["day"].text() == "day: 2026-01-01 to 2026-12-31"
    assert dialog.moved["born"].text() == "born: 1900-01-01 to 2025-12-31"
    dialog.moved["born"].click()
    assert dialog.moved["born"].text() == "born: 1901-01-01 to 2026-12-31"
    dialog.moved["born"].click()
    dialog.columns.click()
    assert not dialog.later.isVisible(), "without columns there is nothing to move"
    dialog.columns.click()
    dialog.ok.click()
    settle()
    day, born = window.session.document.study.columns[-2:]
    assert (day, born) == (replace(DAY, first=date(2026, 1, 1), last=date(2026, 12, 31)), BORN)


def test_a_period_that_cannot_be_moved_is_said_beside_it(
    open_window: OpenWindow, study_file: Path, following: Path
) -> None:
    window = open_window(study_file)
    far = replace(DAY, first=date(2499, 1, 1), last=date(2500, 12, 31))
    window.session.document.edit(replace(STUDY, columns=(*STUDY.columns, far)), "Declare days")
    dialog = ask(window, following)
    dialog.later.set_choices([("12", "One year later")], "12")
    dialog.later.picked.emit("12")
    assert "1800 to 2500" in dialog.later.error and not dialog.ok.isEnabled()
    dialog.moved["day"].click()
    assert dialog.later.error == "" and dialog.ok.isEnabled()


def test_a_title_from_elsewhere_is_no_markup(
    open_window: OpenWindow, study_file: Path, following: Path
) -> None:
    window = open_window(study_file)
    study = replace(window.session.document.study, title="<i>Stays</i>")
    window.opening.reuse.take(study, following)
    wait_until(lambda: window.opening.reuse.dialog is not None)
    dialog = window.opening.reuse.dialog
    assert dialog is not None
    texts = [label.text() for label in dialog.findChildren(Label)]
    assert any("“&lt;i&gt;Stays&lt;/i&gt;”" in text for text in texts)


def test_what_does_not_fit_is_listed(
    open_window: OpenWindow, study_file: Path, following: Path
) -> None:
    window = open_window(study_file)
    following.write_text(OTHER, encoding="utf-8")
    dialog = ask(window, following)
    assert lines(dialog) == [
        "Not in the file, and kept until you choose: id, days. The file has “ID” instead of “id”.",
        "In the file, and not declared: ID, bmi, smoker",
    ]
    dialog.ok.click()
    settle()
    state = window.session.state
    assert [column.name for column in state.study.columns] == ["days", "sex"]
    absent = [p.params["name"] for p in state.file_problems]
    assert absent == ["days", "id"]
    assert window.page == "data"


def test_parts_are_chosen(open_window: OpenWindow, study_file: Path, following: Path) -> None:
    window = open_window(study_file)
    dialog = ask(window, following)
    dialog.columns.click()
    assert not dialog.queries.isEnabled() and not dialog.queries.isChecked()
    assert dialog.queries.text().endswith(", only together with the columns")
    assert lines(dialog) == ["In the file, and not declared: days, sex"]
    dialog.account.click()
    dialog.title.edit.setText("Next")
    dialog.ok.click()
    settle()
    study = window.session.document.study
    assert (study.title, study.columns, study.queries) == ("Next", (), ())
    assert (study.unit, study.budget) == (None, None)


def test_the_earlier_extract_cannot_be_named_again(
    open_window: OpenWindow, study_file: Path, following: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    dialog = ask(window, following)
    for name, error in (
        (
            "STAYS.csv",
            "This name belongs to earlier data, and its old figures would be used. Choose a "
            "new name.",
        ),
        (" ", "Name the extract."),
        ("q2", ""),
    ):
        dialog.extract.edit.selectAll()
        qtbot.keyClicks(dialog.extract.edit, name)
        assert dialog.extract.error == error
        assert dialog.ok.isEnabled() == (not error)


def test_from_the_menu_with_another_study(
    open_window: OpenWindow,
    study_file: Path,
    following: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window = open_window()
    chosen = iter([(str(study_file), ""), (str(following), "")])
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_a, **_k: next(chosen))
    window.opening.reuse.ask_from_study()
    wait_until(lambda: window.opening.reuse.dialog is not None)
    dialog = window.opening.reuse.dialog
    assert dialog is not None
    assert "Stays" in dialog.accessibleDescription()
    dialog.reject()
    settle()
    assert not window.session.document.is_open


@pytest.mark.parametrize(
    ("path", "begins"),
    [("{folder}/q1.csv", "{folder}"), ("q1.csv", "{usual}"), ("//server/share/q1.csv", "{usual}")],
)
def test_the_next_file_is_looked_for_beside_the_earlier_one_on_this_computer(
    open_window: OpenWindow,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    begins: str,
) -> None:
    named = replace(STUDY.data, path=path.format(folder=tmp_path))
    window = open_window()
    begun: list[str] = []
    monkeypatch.setattr(
        QFileDialog,
        "getOpenFileName",
        lambda _parent, _title, start, *_a: (begun.append(start), ("", ""))[1],
    )
    monkeypatch.setattr(file_dialogs._Chosen, "folder", None)
    window.opening.reuse._ask_for(replace(STUDY, data=named))
    assert begun == [begins.format(folder=tmp_path, usual=usual_folder())]


def test_enter_goes_from_the_title_to_the_extract_and_makes_the_study(
    open_window: OpenWindow, study_file: Path, following: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    dialog = ask(window, following)
    assert dialog.focusWidget() is dialog.title.edit
    qtbot.keyClick(dialog.title.edit, Qt.Key.Key_Return)
    assert dialog.focusWidget() is dialog.extract.edit and dialog.isVisible()
    qtbot.keyClick(dialog.extract.edit, Qt.Key.Key_Return)
    settle()
    assert window.session.document.study.data.path == str(following)


def test_a_file_that_cannot_be_read_is_reported_and_the_study_stays(
    open_window: OpenWindow, study_file: Path, tmp_path: Path
) -> None:
    window = open_window(study_file)
    problems: list[object] = []
    window.refused.connect(problems.append)
    window.opening.reuse.take(window.session.document.study, tmp_path / "gone.csv")
    wait_until(lambda: bool(problems))
    assert window.opening.reuse.dialog is None
    assert window.session.document.path == study_file


def test_a_public_number_of_people_is_asked_for_again(
    open_window: OpenWindow, tmp_path: Path, home: Home, following: Path
) -> None:
    public = replace(STUDY, unit=replace(STUDY.unit, neighbours="change-one", people=3))
    window = open_window(save_with_account(public, tmp_path / "public.dpdesk", home))
    dialog = ask(window, following)
    assert lines(dialog)[-1] == "Declare the public number of people of this file in People."
    dialog.ok.click()
    settle()
    codes = [problem.code for problem in window.session.state.problems]
    assert codes == ["people-not-declared"]
