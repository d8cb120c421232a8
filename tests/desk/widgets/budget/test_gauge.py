# SPDX-License-Identifier: Apache-2.0
"""The gauge shows spent, planned and left, says all three, and speaks up when it is too much."""

from __future__ import annotations

from itertools import combinations

import pytest
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme import Theme
from dpdesk.desk.widgets.budget.gauge import BudgetGauge, GaugeParts
from dpdesk.desk.widgets.budget.gauge_panel import (
    BudgetPanel,
    PanelText,
    PlanShare,
    ShareLine,
    Swatch,
)
from tests.desk.screens import settle

HALF = GaugeParts(total=1_000_000, spent=500_000, planned=100_000)
OVER = GaugeParts(total=1_000_000, spent=500_000, planned=700_000)


@pytest.fixture
def gauge(qtbot: QtBot) -> BudgetGauge:
    made = BudgetGauge()
    qtbot.addWidget(made)
    made.resize(made.sizeHint())
    return made


def drawn(gauge: BudgetGauge) -> dict[str, int]:
    """How many pixels have exactly the colour of a role."""
    image = gauge.grab().toImage()
    found = [
        QColor(image.pixel(x, y)).name()
        for x in range(image.width())
        for y in range(image.height())
    ]
    roles = (Role.ACCENT, Role.TRACK, Role.DANGER)
    return {role.name: found.count(color(role).name()) for role in roles}


def test_a_screen_reader_meets_a_progress_bar_with_all_three_numbers(gauge: BudgetGauge) -> None:
    gauge.set_parts(HALF)
    spoken = QAccessible.queryAccessibleInterface(gauge)
    assert spoken.role() == QAccessible.Role.ProgressBar
    assert spoken.text(QAccessible.Text.Name) == "Budget"
    assert gauge.value() == 500
    assert gauge.accessibleDescription() == "Spent 0.50, planned 0.10, remaining 0.40 of 1.00."


def test_what_a_release_has_spent_counts_as_spent_once(gauge: BudgetGauge) -> None:
    gauge.set_parts(GaugeParts(1_000_000, spent=300_000, released=200_000))
    assert gauge.parts.left == 500_000
    assert gauge.value() == 500
    assert "Spent 0.50" in gauge.description()


def test_over_is_said_with_its_amount(gauge: BudgetGauge) -> None:
    gauge.set_parts(OVER)
    assert gauge.accessibleDescription() == "Spent 0.50, planned 0.70, over by 0.20 of 1.00."


def test_becoming_over_planned_is_announced_once_and_its_end(
    gauge: BudgetGauge, announced: list[str]
) -> None:
    gauge.show()
    gauge.set_parts(HALF)
    settle()
    assert announced == []
    gauge.set_parts(OVER)
    settle()
    gauge.set_parts(GaugeParts(1_000_000, 500_000, 800_000))
    settle()
    assert announced == ["Spent 0.50, planned 0.70, over by 0.20 of 1.00."]
    gauge.set_parts(HALF)
    settle()
    assert announced[1:] == ["Spent 0.50, planned 0.10, remaining 0.40 of 1.00."]


def test_spent_left_and_over_are_drawn(gauge: BudgetGauge) -> None:
    gauge.set_parts(GaugeParts(1_000_000))
    empty = drawn(gauge)
    gauge.set_parts(GaugeParts(1_000_000, spent=500_000))
    half = drawn(gauge)
    assert empty["ACCENT"] == 0
    assert half["ACCENT"] > 3_000
    assert abs(half["ACCENT"] - half["TRACK"]) < 400
    gauge.set_parts(OVER)
    assert drawn(gauge)["DANGER"] > 200
    assert half["DANGER"] == 0


def test_without_an_account_it_says_so(gauge: BudgetGauge) -> None:
    assert gauge.description() == "No budget account yet."
    assert drawn(gauge)["ACCENT"] == 0


def test_numbers_glide_to_the_same_end(gauge: BudgetGauge, qtbot: QtBot) -> None:
    gauge.show()
    gauge.set_parts(HALF)
    qtbot.waitUntil(lambda: gauge._shown == pytest.approx((0.5, 0.5, 0.5, 0.6)))


def test_where_less_motion_is_wanted_nothing_glides(
    gauge: BudgetGauge, qtbot: QtBot, qapp: QApplication
) -> None:
    theme = Theme(qapp)
    gauge.show()
    theme.set_less_motion(True)
    try:
        gauge.set_parts(HALF)
        assert gauge._shown == pytest.approx((0.5, 0.5, 0.5, 0.6))
    finally:
        theme.set_less_motion(None)
    gauge.set_parts(OVER)
    assert gauge._shown == pytest.approx((0.5, 0.5, 0.5, 0.6))


def shown_texts(panel: BudgetPanel) -> list[str]:
    settle()
    return [w.text() for w in panel.findChildren(QLabel) if not w.isHidden() and w.text()]


@pytest.fixture
def panel(qtbot: QtBot) -> BudgetPanel:
    made = BudgetPanel()
    qtbot.addWidget(made)
    made.set_narrow(False)
    made.show()
    return made


def test_the_panel_repeats_the_numbers_in_its_legend(panel: BudgetPanel) -> None:
    text = PanelText("registry", "a guess", "This plan", "No queries yet.")
    panel.show_budget(HALF, text, (PlanShare("Mean of stay", 100_000, True),))
    found = shown_texts(panel)
    for words in ("registry", "Spent", "0.50", "Planned, not released", "0.10", "0.40"):
        assert words in found
    assert "Mean of stay" in found
    panel.show_budget(OVER, text, ())
    found = shown_texts(panel)
    assert found[found.index("Over by") + 1] == "0.20"
    assert "No queries yet." in found


def test_after_a_release_the_panel_tells_before_from_now(panel: BudgetPanel) -> None:
    parts = GaugeParts(1_000_000, spent=300_000, released=200_000)
    panel.show_budget(parts, PanelText("registry", after_release=True), ())
    found = shown_texts(panel)
    assert found[found.index("Spent before") + 1] == "0.30"
    assert found[found.index("Spent by this release") + 1] == "0.20"
    assert found[found.index("Remaining") + 1] == "0.50"


def test_what_this_release_spent_looks_unlike_what_was_spent_before(
    gauge: BudgetGauge, panel: BudgetPanel
) -> None:
    gauge.set_parts(GaugeParts(1_000_000, spent=500_000))
    before = drawn(gauge)["ACCENT"]
    gauge.set_parts(GaugeParts(1_000_000, spent=200_000, released=300_000))
    assert drawn(gauge)["ACCENT"] < 0.97 * before, "a line runs along the new part"
    parts = GaugeParts(1_000_000, spent=300_000, released=200_000)
    panel.show_budget(parts, PanelText("registry", after_release=True), ())
    settle()
    pictures = [swatch.grab().toImage() for swatch in panel.findChildren(Swatch)]
    assert len(pictures) == 3
    assert all(one != other for one, other in combinations(pictures, 2))


def test_old_legend_lines_go_away(panel: BudgetPanel, qtbot: QtBot) -> None:
    for planned in range(10, 60, 10):
        parts = GaugeParts(1_000_000, planned=planned * 1_000)
        panel.show_budget(parts, PanelText("registry"), (PlanShare("q", planned * 1_000),))
    qtbot.wait(5)
    assert shown_texts(panel).count("Spent") == 1
    assert len(panel.findChildren(QLabel)) < 25


def test_a_name_with_marks_is_plain_text(panel: BudgetPanel) -> None:
    panel.show_budget(HALF, PanelText("<b>x</b>"), (PlanShare("<i>y</i>", 100_000),))
    for label in panel.findChildren(QLabel):
        if label.text() in ("<b>x</b>", "<i>y</i>"):
            assert label.textFormat().name == "PlainText"


def test_an_edit_changes_the_lines_of_the_plan_and_builds_none(panel: BudgetPanel) -> None:
    shares = tuple(PlanShare(f"Query {place}", 1_000 * place) for place in range(1, 5))
    text = PanelText("ward", shares_title="This plan")
    panel.show_budget(HALF, text, shares)
    lines = panel.findChildren(ShareLine)
    changed = (PlanShare("Renamed", 250_000, selected=True), *shares[1:])
    panel.show_budget(HALF, text, changed)
    assert panel.findChildren(ShareLine) == lines
    assert {"Renamed", "0.25", "Query 4"} <= set(shown_texts(panel))
    assert "Query 1" not in shown_texts(panel)
    panel.show_budget(HALF, text, shares[:2])
    settle()
    assert panel.findChildren(ShareLine) == lines[:2]
