# SPDX-License-Identifier: Apache-2.0
"""A study file that is not as it should be: the window says where in it, as the shell does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.widgets.buttons import Button
from dpdesk.study.json.study_files import load_study
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.problems import located
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts


def spoilt(study_file: Path, path: Path) -> tuple[Problem, ...]:
    """A copy with two mistakes, and what they are."""
    raw = json.loads(study_file.read_text(encoding="utf-8"))
    raw["columns"][1]["values"] = 5
    raw["queries"][2]["epsilon"] = "much"
    path.write_text(json.dumps(raw), encoding="utf-8")
    with pytest.raises(Refused) as refused:
        load_study(path)
    return refused.value.problems


def test_the_place_stands_before_each_sentence(
    open_window: OpenWindow, study_file: Path, tmp_path: Path
) -> None:
    problems = spoilt(study_file, tmp_path / "bad.dpdesk")
    assert "$.columns[1].values" in [p.path for p in problems]
    sentences = " ".join(located(p) for p in problems)
    for opened in (None, study_file):  # on the page that says how to begin, and above another
        window = open_window(opened)
        window.opening.open_any(tmp_path / "bad.dpdesk")
        settle()
        assert sentences in texts(window)


def test_loading_theirs_says_the_place_too(
    open_window: OpenWindow, study_file: Path, qtbot: QtBot
) -> None:
    window = open_window(study_file)
    problems = spoilt(study_file, study_file)
    window.session.document.look_at_file()
    button = next(
        b for b in window.changed_outside.findChildren(Button) if b.text() == "Load theirs"
    )
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert " ".join(located(p) for p in problems) in texts(window)


def test_what_is_no_json_has_its_line_and_no_place(open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "bad.dpdesk").write_text("{,", encoding="utf-8")
    window = open_window()
    window.opening.open_any(tmp_path / "bad.dpdesk")
    assert any(t.startswith("Line 1, column 2") for t in texts(window))


def test_a_data_file_has_no_place_in_a_study(open_window: OpenWindow, tmp_path: Path) -> None:
    (tmp_path / "empty.csv").write_bytes(b"")
    window = open_window(tmp_path / "empty.csv")
    assert not [t for t in texts(window) if "$." in t]
