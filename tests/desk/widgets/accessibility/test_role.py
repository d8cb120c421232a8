# SPDX-License-Identifier: Apache-2.0
"""Plots are pictures and the handbook is a window, whatever Qt would call them."""

from __future__ import annotations

import gc

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QComboBox, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.help.handbook_window import HandbookWindow
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.widgets.accessibility.role import _kept, call_choice, set_role_of


def role(widget: QWidget) -> QAccessible.Role:
    found = QAccessible.queryAccessibleInterface(widget)
    assert found is not None
    return found.role()


def test_a_plot_is_a_picture_that_says_its_figures(qtbot: QtBot) -> None:
    plot = ErrorBarsPlot()
    qtbot.addWidget(plot)
    plot.show_figures(["f", "m"], [120.0, 90.0], [6.0, 6.0], "", noisy=[False, True])
    assert role(plot.canvas) == QAccessible.Role.Graphic
    assert plot.canvas.accessibleName() == "Released figures"
    assert plot.canvas.accessibleDescription() == (
        "2 figures, each within its margin 95 times in 100. "
        "f: 120 (between 114 and 126); m: 90 (between 84 and 96), too noisy to use."
    )


def test_a_plot_of_one_choice_says_it(qtbot: QtBot) -> None:
    plot = ErrorBarsPlot()
    qtbot.addWidget(plot)
    plot.show_figures([""], [4.0], [0.0], "")
    assert plot.canvas.accessibleDescription() == "1 chosen value. 4."


def test_of_more_figures_than_one_can_listen_to_the_table_says_them(qtbot: QtBot) -> None:
    plot = ErrorBarsPlot()
    qtbot.addWidget(plot)
    plot.show_figures([str(n) for n in range(13)], [1.0] * 13, [1.0] * 13, "")
    assert plot.canvas.accessibleDescription().endswith("95 times in 100.")


def test_the_handbook_is_a_window(qtbot: QtBot) -> None:
    handbook = HandbookWindow(read_handbook("en"))
    qtbot.addWidget(handbook)
    assert role(handbook) == QAccessible.Role.Window


def test_what_speaks_for_a_widget_is_gone_with_it() -> None:
    before = len(_kept)
    widget = QWidget()
    set_role_of(widget, QAccessible.Role.Graphic)
    assert len(_kept) == before + 1
    widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert len(_kept) == before


def test_a_list_of_choices_without_a_label_is_heard_with_its_name(qtbot: QtBot) -> None:
    choice = QComboBox()
    choice.addItems(["as declared", "by name"])
    qtbot.addWidget(choice)
    call_choice(choice, "Sort: Stays")
    spoken = QAccessible.queryAccessibleInterface(choice)
    texts = [spoken.text(one) for one in (QAccessible.Text.Name, QAccessible.Text.Description)]
    assert texts.count("Sort: Stays") == 1
