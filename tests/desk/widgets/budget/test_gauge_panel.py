# SPDX-License-Identifier: Apache-2.0
"""The budget panel has room for all it says, also where it is narrow and scrolls."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.desk.text.translators.chosen_language import SYSTEM, speak
from dpdesk.desk.widgets.budget.gauge import GaugeParts
from dpdesk.desk.widgets.budget.gauge_panel import BudgetPanel, PanelText, PlanShare
from dpdesk.study.model.amount import Epsilon, Rho
from tests.desk.layout_faults import layout_faults
from tests.desk.screens import settle

TITLES = {"en": ("This plan", "This release"), "de": ("Dieser Plan", "Auswertungen")}
LOW = 420
"""So low that it scrolls: the scroll bar takes of its width, too."""


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    """Every language that is whole."""
    speak(qapp, request.param)
    yield request.param
    speak(qapp, SYSTEM)


@pytest.mark.parametrize("total", [Epsilon.of("1"), Epsilon.of("1000"), Rho.of("0.0005")])
@pytest.mark.parametrize("after_release", [False, True])
@pytest.mark.in_turn(3)
def test_the_narrow_panel_has_room(
    qtbot: QtBot, language: str, after_release: bool, total: Epsilon | Rho
) -> None:
    panel = BudgetPanel()
    qtbot.addWidget(panel)
    panel.set_narrow(True)
    panel.resize(panel.width(), LOW)
    text = PanelText(
        "registry", "A guess. " * 9, TITLES[language][after_release], "", after_release
    )
    fifth = total.units // 5
    planned, released = (0, fifth) if after_release else (fifth, 0)
    parts = GaugeParts(total.units, fifth, planned, released, total.measure, fifth)
    panel.show_budget(parts, text, (PlanShare("Mean stay", fifth),) * 9)
    panel.show()
    settle()
    assert layout_faults(panel) == []


@pytest.mark.parametrize("narrow", [False, True])
def test_names_of_one_long_word_are_broken_not_cut_beside_the_bar(
    qtbot: QtBot, narrow: bool
) -> None:
    panel = BudgetPanel()
    qtbot.addWidget(panel)
    panel.set_narrow(narrow)
    panel.resize(panel.width(), LOW)
    text = PanelText("diabetesregistry" * 4, "A guess. " * 9, "This plan")
    share = PlanShare("Mean of number_of_days_in_the_hospital_of_last_year", 100_000)
    panel.show_budget(GaugeParts(1_000_000, 0, 900_000), text, (share,) * 9)
    panel.show()
    settle()
    inner = panel._scroll.widget()
    assert panel._scroll.verticalScrollBar().maximum()
    assert inner.width() == panel._scroll.viewport().width()
    assert layout_faults(panel) == []
