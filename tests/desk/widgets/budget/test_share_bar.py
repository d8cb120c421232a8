# SPDX-License-Identifier: Apache-2.0
"""A query that costs more than there is looks in the plan's list as it does in the gauge."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.budget.gauge import GaugeParts
from dpdesk.desk.widgets.budget.gauge_panel import BudgetPanel, PanelText, PlanShare
from tests.desk.screens import settle

MILLION = 1_000_000


def inks(panel: BudgetPanel) -> list[set[str]]:
    """The colours of each line's bar."""
    found = []
    for line in panel._lines:
        image = line._bar.grab().toImage()
        spots = ((x, y) for x in range(image.width()) for y in range(image.height()))
        found.append({image.pixelColor(*spot).name() for spot in spots})
    return found


@pytest.mark.parametrize(("units", "is_over"), [(700_000, False), (800_000, True), (5e6, True)])
def test_what_there_is_no_budget_for_is_crossed(qtbot: QtBot, units: float, is_over: bool) -> None:
    panel = BudgetPanel()
    qtbot.addWidget(panel)
    panel.resize(280, 700)
    shares = (PlanShare("Stays", 0, is_free=True), PlanShare("Mean stay", int(units)))
    panel.show_budget(GaugeParts(MILLION, 300_000, int(units)), PanelText("registry"), shares)
    panel.show()
    settle()
    free, dear = inks(panel)
    danger, accent = color(Role.DANGER).name(), color(Role.ACCENT).name()
    assert danger not in free
    assert (danger in dear) is is_over and accent in dear
    assert panel._lines[1]._cost._role is (Role.DANGER if is_over else Role.TEXT)
