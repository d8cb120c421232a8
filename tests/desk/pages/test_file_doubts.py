# SPDX-License-Identifier: Apache-2.0
"""What is odd about a file is told on Data: what it seems to be, and rows that do not fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.data import DataPage
from dpdesk.desk.window import MainWindow
from tests.desk.conftest import OpenWindow

CANARY = "canary-4711"


def preview_of(window: MainWindow) -> DataPage:
    window.go_to("data")
    page = window.pages["data"]
    assert isinstance(page, DataPage)
    return page


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ("p1;3\np2;4\n", ""),
        (f"p1;{CANARY}\np2\np3;4\n", "1 row with too few or too many cells, on line 3: "),
        ("p1\np2;4\np3;4;5\n", "2 rows with too few or too many cells, on lines 2, 4: "),
        ("p1\n" * 11, "begin on lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and others: "),
    ],
)
def test_rows_that_do_not_fit_are_told_by_their_lines(
    rows: str, told: str, open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "ward.csv"
    path.write_text(f"id;stay\n{rows}", encoding="utf-8")
    preview = preview_of(open_window(path)).preview
    qtbot.waitUntil(lambda: not preview._doubts.is_out)
    assert told in preview.misfits.sentence
    assert preview.misfits.isVisible() == bool(told)
    assert CANARY not in preview.misfits.sentence
    assert not preview.question.isVisible()


def test_a_file_of_counts_is_asked_about(
    open_window: OpenWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "deaths.csv"
    path.write_text("year,region,n,percent\n2020,A,12,3\n2021,A,9,2\n", encoding="utf-8")
    preview = preview_of(open_window(path)).preview
    qtbot.waitUntil(lambda: not preview._doubts.is_out)
    assert "looks like counts" in preview.question.sentence
    assert preview.question.isVisible()
