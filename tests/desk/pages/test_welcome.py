# SPDX-License-Identifier: Apache-2.0
"""The first page begins a study for a usual release, by mouse and by keyboard."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.columns.page import ColumnsPage
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.pages.reuse.template_dialog import TemplateDialog
from dpdesk.desk.pages.welcome.welcome_row import RecentStudy, TemplateRow
from dpdesk.desk.text.template_words import template_names
from dpdesk.resources import resource_path
from dpdesk.study.json.study_files import load_study
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.reuse.templates import TEMPLATES
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, wait_until
from tests.study.baselines import BASELINE

SAMPLE = load_study(resource_path("sample/sample.dpdesk")).study
COLUMNS = {column.name: column for column in SAMPLE.columns}


@pytest.fixture
def window(open_window: OpenWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MainWindow:
    data = tmp_path / "admissions.csv"
    data.write_bytes(resource_path("sample/admissions.csv").read_bytes())
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (str(data), ""))
    return open_window()


def row(window: MainWindow, name: str) -> TemplateRow:
    found = window.welcome.findChild(TemplateRow, f"template-{name}")
    assert isinstance(found, TemplateRow)
    return found


def begun(window: MainWindow, name: str, qtbot: QtBot) -> None:
    """Choose a template, and describe the columns of the sample with the given kinds."""
    picked = row(window, name)
    picked.setFocus()
    qtbot.keyClick(picked, Qt.Key.Key_Return)
    wait_until(lambda: window.page == "data")
    assert window.session.template == name
    titles = {str(key): title for key, title in template_names().items()}
    assert window.session.state.study.title == titles[name], "it shows at once"


def describe(window: MainWindow, *names: str) -> None:
    study = window.session.state.study
    for name in names:
        study = study_edits.use_column(study, name, COLUMNS[name].kind, ())
        study = study_edits.replace_column(study, COLUMNS[name])
    window.session.edit(study, "Describe columns")


def dialog() -> TemplateDialog | None:
    found = QApplication.activeModalWidget()
    return found if isinstance(found, TemplateDialog) else None


def test_every_template_can_be_begun_on_the_first_page(window: MainWindow) -> None:
    link, way = window.welcome.first_time, window.welcome.findChild(QWidget, "way-new")
    link.show()
    settle()
    assert way is not None
    for wide, size in ((False, (700, 500)), (True, (1280, 800))):
        window.resize(*size)
        settle()
        assert 0 <= link.x() == way.x() - link.ring_room, f"wide: {wide}"
    for template in TEMPLATES:
        assert row(window, template.name).accessibleDescription()
        assert row(window, template.name).focusPolicy() & Qt.FocusPolicy.TabFocus


def test_its_queries_are_offered_once_its_columns_are_described(
    window: MainWindow, qtbot: QtBot
) -> None:
    begun(window, "registry-table", qtbot)
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    assert page.footer.sentence.startswith("A registry’s annual table: declare a date")
    dates = [name for name, column in COLUMNS.items() if column.kind == "date"]
    describe(window, *dates)
    settle()
    assert "declare a date" not in page.footer.sentence
    window.go_to("queries")
    wait_until(lambda: dialog() is not None)
    offered = dialog()
    assert offered is not None and offered.cards["registry-table"].isChecked()
    offered.reject()
    window.go_to("columns")
    window.go_to("queries")
    settle()
    assert dialog() is None
    queries = window.pages["queries"]
    assert isinstance(queries, QueriesPage) and queries.empty.other.isVisible()


def test_while_a_column_is_missing_it_is_offered_again(window: MainWindow, qtbot: QtBot) -> None:
    begun(window, "quality-report", qtbot)
    numbers = [name for name, column in COLUMNS.items() if column.kind == "number"]
    describe(window, *numbers)
    for _ in range(2):
        window.go_to("queries")
        wait_until(lambda: dialog() is not None)
        offered = dialog()
        assert offered is not None and not offered.ok.isEnabled()
        offered.reject()
        settle()
        window.go_to("columns")


def test_another_study_asks_for_no_template(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    begun(window, "table-1", qtbot)
    window.opening.open_study(study_file)
    wait_until(lambda: window.session.document.path == study_file)
    assert window.session.template == ""


def test_a_study_that_is_opened_again_knows_its_template(
    window: MainWindow, qtbot: QtBot, study_file: Path
) -> None:
    begun(window, "registry-table", qtbot)
    begun_file = window.session.document.path
    assert begun_file is not None
    window.opening.open_study(study_file)
    wait_until(lambda: window.session.document.path == study_file)
    assert window.session.template == ""
    window.opening.open_study(begun_file)
    wait_until(lambda: window.session.document.path == begun_file)
    window.go_to("columns")
    page = window.pages["columns"]
    assert isinstance(page, ColumnsPage)
    assert page.footer.sentence.startswith("A registry’s annual table: declare a date")
    window.settings.forget()
    assert not window.settings.template_of(begun_file)


def test_a_recent_study_says_when_it_was_changed(open_window: OpenWindow, tmp_path: Path) -> None:
    study = tmp_path / "bare.dpdesk"
    study.write_bytes(study_to_bytes(replace(BASELINE, organisation="")))
    old = tmp_path / "old.dpdesk"
    old.write_text('{"dpdesk": 1}', encoding="utf-8")
    os.utime(old, (1_600_000_000, 1_600_000_000))
    window = open_window()
    for path in (old, study):
        window.settings.remember(path)
    window.welcome.render_state()
    settle()
    rows = window.welcome.findChildren(RecentStudy)
    said = [row.accessibleDescription() for row in rows if row.isVisible()]
    # A Table 1 is one query there as in Queries, however many it is made of.
    assert said == [
        "changed today, 1 query",
        "changed 13\N{NO-BREAK SPACE}Sep\N{NO-BREAK SPACE}2020",
    ]
