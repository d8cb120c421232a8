# SPDX-License-Identifier: Apache-2.0
"""A data file that changes while the window is open: Data needs attention and Release waits."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import StepState, step_state
from dpdesk.desk.main_window.window import MainWindow
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until
from tests.release.studies import write_data

GONE = "The data file is missing; check its name and folder."
ABSENT = "The data file has no column “days”"


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file, page="data")


def come_back(window: MainWindow) -> None:
    """Another window gets the focus, then this one again."""
    other = QWidget()
    other.show()
    other.activateWindow()
    settle()
    window.activateWindow()
    settle()
    other.close()
    assert window.isActiveWindow()


def data_state(window: MainWindow) -> StepState:
    return step_state(window.session.state, "data")


def test_a_file_that_went_away_is_noticed_when_the_window_comes_back(
    window: MainWindow, tmp_path: Path
) -> None:
    window.go_to("release")
    page = window.pages["release"]
    assert page.release_button.isEnabled()  # type: ignore[attr-defined]
    (tmp_path / "stays.csv").rename(tmp_path / "moved.csv")
    come_back(window)
    assert data_state(window) is StepState.ATTENTION
    assert "1 needs attention" in window.rail.item("data").accessibleDescription()
    assert page.footer.sentence == GONE
    assert not page.release_button.isEnabled()  # type: ignore[attr-defined]
    assert "Not yet" in window.rail.item("release").accessibleDescription()
    (tmp_path / "moved.csv").rename(tmp_path / "stays.csv")
    come_back(window)
    assert data_state(window) is StepState.DONE
    assert page.release_button.isEnabled()  # type: ignore[attr-defined]


def test_a_lost_column_is_noticed_before_the_review(window: MainWindow, tmp_path: Path) -> None:
    window.go_to("queries")
    (tmp_path / "stays.csv").write_text("id,sex\np1,f\n", encoding="utf-8")
    window.go_to("release")
    settle()
    page = window.pages["release"]
    assert page.footer.sentence.startswith(ABSENT)
    assert not page.release_button.isEnabled()  # type: ignore[attr-defined]
    assert data_state(window) is StepState.ATTENTION
    window.go_to("data")
    settle()
    assert any(t.startswith(ABSENT) for t in texts(window.pages["data"]))


def test_the_last_moment_before_the_question_counts(window: MainWindow, tmp_path: Path) -> None:
    window.go_to("release")
    page = window.pages["release"]
    (tmp_path / "stays.csv").unlink()
    page.ask_release()  # type: ignore[attr-defined]
    settle()
    assert not hasattr(page, "confirm")
    assert page.footer.sentence == GONE


def test_edits_do_not_read_the_file(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    monkeypatch.setattr("dpdesk.data.opened.read_header", lambda *args: asked.append(args))
    window.pages["data"]._set_title("Other")  # type: ignore[attr-defined]
    window.pages["data"]._set_extract("May")  # type: ignore[attr-defined]
    settle()
    assert asked == []
    assert window.session.state.study.title == "Other"
    write_data(tmp_path)


@pytest.mark.parametrize("keeps", ["", "id,sex\np1,f\n"], ids=["no file", "no column"])
def test_a_file_that_goes_away_after_the_question_costs_nothing(
    keeps: str, window: MainWindow, tmp_path: Path
) -> None:
    page = window.pages["release"]
    window.go_to("release")
    (tmp_path / "stays.csv").unlink()
    if keeps:
        (tmp_path / "stays.csv").write_text(keeps, encoding="utf-8")
    page.start_release()  # type: ignore[attr-defined]
    wait_until(lambda: window.session.jobs.current is None)
    settle()
    said = page._trouble  # type: ignore[attr-defined]
    assert said.isVisible()
    assert said.accessibleName().startswith(ABSENT if keeps else GONE)
    assert str(window.session.accounts.ledger().account("registry").spent) == "0"
    write_data(tmp_path)
    page.start_release()  # type: ignore[attr-defined]
    wait_until(lambda: page.released_shares is not None)  # type: ignore[attr-defined]
