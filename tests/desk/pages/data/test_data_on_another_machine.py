# SPDX-License-Identifier: Apache-2.0
"""A study that names a file on another computer connects nowhere until the user agrees."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.network_paths import names_a_machine
from dpdesk.desk.core.state import StepState, step_state
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.data.page import DataPage
from dpdesk.desk.widgets.buttons import Button
from dpdesk.release.places.home import Home
from dpdesk.study.model.unit import DataSource
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, texts
from tests.release.studies import STUDY, write_data


@pytest.fixture
def touched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Paths of the data file that were looked at."""
    found: list[str] = []

    def watch(real: Callable[..., Any]) -> Callable[..., Any]:
        def watched(path: Any, *args: Any, **kwargs: Any) -> Any:
            if isinstance(path, str | os.PathLike) and "stays.csv" in str(path):
                found.append(str(path))
            return real(path, *args, **kwargs)

        return watched

    for place, name in ((os, "stat"), (os, "lstat"), (io, "open")):
        monkeypatch.setattr(place, name, watch(getattr(place, name)))
    return found


@pytest.fixture(params=["slashes", "backslashes"])
def window(
    open_window: OpenWindow,
    tmp_path: Path,
    home: Home,
    touched: list[str],
    request: pytest.FixtureRequest,
) -> MainWindow:
    # Here this is the file itself; on Windows it would be a computer's name.
    path = f"/{write_data(tmp_path)}"
    if request.param == "backslashes":
        path = path.replace("/", "\\")
    study = replace(STUDY, data=DataSource(path, extract="far"))
    touched.clear()
    return open_window(save_with_account(study, tmp_path / "far.dpdesk", home), page="data")


def data_page(window: MainWindow) -> DataPage:
    window.go_to("data")
    settle()
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    return page


@pytest.mark.in_turn(2)
def test_nothing_is_touched_and_one_sentence_says_so(
    window: MainWindow, touched: list[str]
) -> None:
    page = data_page(window)
    assert step_state(window.session.state, "data") is StepState.ATTENTION
    assert any(t.startswith("The data file is on another computer") for t in texts(page))
    for key in window.pages:
        window.go_to(key)
        settle()
    window.session.look_again()
    window.go_to("release")
    assert not window.pages["release"].release_button.isEnabled()  # type: ignore[attr-defined]
    window.pages["release"].ask_release()  # type: ignore[attr-defined]
    assert "another computer" in window.pages["release"].footer.sentence
    data_page(window).show_rows.click()
    assert touched == []


@pytest.mark.in_turn(2)
def test_choosing_another_file_does_not_touch_the_old_one(
    window: MainWindow, touched: list[str], tmp_path: Path
) -> None:
    (tmp_path / "near").mkdir()
    near = write_data(tmp_path / "near")
    touched.clear()
    data_page(window).use_file(near)
    settle()
    # Beside it and above it marks of programs that synchronise folders are looked for.
    far = [path for path in touched if Path(path).parent not in (near, *near.parents)]
    assert far == []
    assert (window.session.document.study.data or DataSource()).extract.startswith("stays.csv, 2")


@pytest.mark.in_turn(2)
def test_agreeing_reads_it(window: MainWindow, qtbot: QtBot, touched: list[str]) -> None:
    page = data_page(window)
    agree = next(b for b in page.findChildren(Button) if b.text() == "Connect and read it")
    assert agree.isVisible()
    qtbot.mouseClick(agree, Qt.MouseButton.LeftButton)
    settle()
    assert touched
    if os.sep in (window.session.document.study.data or DataSource()).path:
        assert window.session.state.header == ("id", "days", "sex")
        assert step_state(window.session.state, "data") is StepState.DONE
        assert not agree.isVisible()


@pytest.mark.in_turn(2)
def test_agreeing_to_one_file_is_not_agreeing_to_another(window: MainWindow) -> None:
    window.session.agree_to_connect()
    study = window.session.document.study
    other = replace(study, data=DataSource("//elsewhere/stays.csv", extract="far"))
    window.session.edit(other, "")
    assert [p.code for p in window.session.state.file_problems] == ["data-on-network"]


def test_a_file_that_the_user_chose_is_agreed_to(
    open_window: OpenWindow, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(study_file, page="data")
    chosen = f"/{study_file.parent / 'stays.csv'}"
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_args: (chosen, ""))
    monkeypatch.setattr(Path, "resolve", lambda self: self)
    page = data_page(window)
    page.choose.click()
    assert names_a_machine((window.session.document.study.data or DataSource()).path)
    assert window.session.state.file_problems == ()


@pytest.mark.parametrize(
    ("path", "far"),
    [
        (r"\\server\share\a.csv", True),
        ("//server/share/a.csv", True),
        (r"/\server/share/a.csv", True),
        (r"  \\server\share\a.csv", True),
        (r"\\?\UNC\server\share\a.csv", True),
        (r"\\?\GLOBALROOT\Device\Mup\server\a.csv", True),
        (r"\\?\C:\data\a.csv", False),
        (r"C:\data\a.csv", False),
        ("/data/a.csv", False),
        ("a.csv", False),
        ("../a.csv", False),
    ],
)
def test_every_way_to_name_a_machine(path: str, far: bool) -> None:
    assert names_a_machine(path) is far
