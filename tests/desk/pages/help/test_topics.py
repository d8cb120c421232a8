# SPDX-License-Identifier: Apache-2.0
"""F1 opens the page of the handbook about what has the keyboard."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import dpdesk.desk.pages
from dpdesk.desk.pages.about.about_dialog import AboutDialog
from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.pages.help.topics import START, TOPICS, topic_at, topic_of
from dpdesk.desk.pages.release.series_banner import SeriesBanner
from dpdesk.desk.pages.results.exported_view import ExportedView
from dpdesk.desk.pages.welcome.welcome_row import RecentStudy, TemplateRow
from dpdesk.desk.plots.averaging_plot import AveragingPlot
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.plots.box_plot import BoxPlot
from dpdesk.desk.plots.budget_plot import BudgetPlot
from dpdesk.desk.plots.choice_plot import ChoicePlot
from dpdesk.desk.plots.curve_plot import CurvePlot
from dpdesk.desk.plots.noise_plot import NoisePlot
from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.plots.released_plot import ReleasedPlot
from dpdesk.desk.plots.two_worlds_plot import TwoWorldsPlot
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.inputs.choice_popup import ChoicePopup
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


def shown() -> HandbookWindow:
    """The handbook on show; those that earlier tests closed may not be deleted yet."""
    windows = (w for w in QApplication.topLevelWidgets() if isinstance(w, HandbookWindow))
    (found,) = (w for w in windows if w.isVisible())
    return found


@pytest.mark.in_turn(2)
def test_f1_opens_the_page_of_each_step(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    for key in window.pages:
        window.go_to(key)
        settle()
        window.open_handbook()
        assert window.handbook.page in set(TOPICS.values()), key
        window.activateWindow()
    window.handbook.close()


def test_f1_by_keyboard_and_again(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    window.go_to("queries")
    settle()
    QTest.keyClick(window, Qt.Key.Key_F1)
    settle()
    assert window.handbook.page == "queries"
    first = shown()
    window.activateWindow()
    window.go_to("verify")
    QTest.keyClick(window, Qt.Key.Key_F1)
    settle()
    assert shown() is first
    assert first.page == "verify"
    window.close()
    assert not first.isVisible()


def test_f1_in_a_dialog_opens_its_page_and_leaves_it_open(open_window: OpenWindow) -> None:
    window = open_window()
    dialog = AboutDialog(window, window.session)
    dialog.open()
    settle()
    QTest.keyClick(dialog.focusWidget() or dialog, Qt.Key.Key_F1)
    settle()
    assert window.handbook.page == TOPICS["pages.about"]
    assert dialog.isVisible()
    # The dialog blocks its window, not the handbook.
    assert shown().windowHandle().transientParent() is None
    dialog.reject()
    window.handbook.close()


def modules() -> Iterator[str]:
    folder = dpdesk.desk.pages
    for found in pkgutil.walk_packages(folder.__path__, f"{folder.__name__}."):
        yield found.name


def test_every_page_and_dialog_has_a_topic() -> None:
    for name in modules():
        module = importlib.import_module(name)
        widgets = [
            one
            for _name, one in inspect.getmembers(module, inspect.isclass)
            if issubclass(one, QWidget) and one.__module__ == name
        ]
        bases = ("step_page", "working_dialog")
        if widgets and ".help" not in name and not name.endswith(bases):
            assert topic_at(name), name


PLOTS: dict[type[PlotView | ReleasedPlot], str] = {
    AveragingPlot: "averaging",
    TwoWorldsPlot: "promise",
    NoisePlot: "margins",
    ChoicePlot: "margins",
    ErrorBarsPlot: "margins",
    BoxPlot: "charts",
    CurvePlot: "charts",
    BudgetPlot: "history",
}


@pytest.mark.parametrize("kind", PLOTS)
def test_a_plot_has_the_topic_that_speaks_of_it(
    qtbot: QtBot, kind: type[PlotView | ReleasedPlot]
) -> None:
    """Its canvas has the keyboard, which is the same in every plot."""
    plot = kind()
    qtbot.addWidget(plot)
    assert topic_of(plot.canvas, "rehearsal") == PLOTS[kind]


@pytest.mark.parametrize(
    ("part", "topic"),
    [
        (SeriesBanner, "account"),
        (ExportedView, "after-export"),
        (TemplateRow, "templates"),
        (RecentStudy, "study"),
    ],
)
def test_a_part_of_a_page_has_the_topic_that_speaks_of_it(part: type[QWidget], topic: str) -> None:
    assert topic_at(f"{part.__module__}.{part.__name__}") == topic


def test_topics_are_pages_and_modules_that_exist() -> None:
    keys = {page.key for page in read_handbook("en").pages}
    assert {START, *TOPICS.values()} <= keys
    for name in TOPICS:
        assert pkgutil.resolve_name(f"dpdesk.desk.{name}"), name


def test_f1_in_an_open_list_opens_the_page_of_what_it_stands_at(
    open_window: OpenWindow, study_file: Path
) -> None:
    """A list that is open has the keyboard alone: no menu's key reaches the window behind it."""
    window = open_window(study_file)
    window.go_to("data")
    settle()
    page = window.pages["data"]
    chip = next(c for c in page.findChildren(Chip) if c.isVisible())
    QTest.keyClick(chip, Qt.Key.Key_Space)
    settle()
    popup = page.findChildren(ChoicePopup)[-1]
    assert popup.isVisible()
    QTest.keyClick(popup.list, Qt.Key.Key_F1)
    settle()
    assert window.handbook.page == "data"
    window.handbook.close()
