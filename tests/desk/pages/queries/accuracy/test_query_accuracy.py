# SPDX-License-Identifier: Apache-2.0
"""The open card of every kind of statistic: its picture, its numbers, its noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.accuracy.query_accuracy import QueryAccuracy
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.plots.plot_base import PlotView
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.choice_curve import choice_curve
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Delta, Epsilon, Rho, Share
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import (
    CandidateParameters,
    CategoriesFoundParameters,
    ColumnParameters,
    CutOffParameters,
    MostCommonParameters,
    PropertyParameters,
    QuantileParameters,
    SpreadParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, texts, wait_until
from tests.release.studies import STUDY, write_data

HALF = Epsilon.of("0.5")
DELTA = Delta(10**9)
KEPT = Delta(5 * 10**8)
WOMEN = (IsIn("sex", ("f",)),)
ONE_ROW_EACH = Unit(neighbours="change-one", people=400)
RHO = Rho.of("0.01")

Opener = Callable[..., QueriesPage]


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> Opener:
    """Opens the Queries page with one query, in an account of pure epsilon or of zCDP."""

    def open_page(query: Query, unit: Unit | None = None) -> QueriesPage:
        write_data(tmp_path)
        total: Share = Epsilon.of(1) if query.rho is None else Rho.of("0.05")
        study = one_query(query, unit)
        save_study(study, tmp_path / "stays.dpdesk")
        at = None if query.rho is None else DELTA
        ledger = Ledger.open(home)
        if at is None:
            ledger.new_account("registry", total, "for tests")
        else:
            ledger.new_account("registry", total, "for tests", delta=at, kept=KEPT)
        window = open_window(tmp_path / "stays.dpdesk")
        return page_of(window)

    return open_page


def one_query(query: Query, unit: Unit | None = None) -> Study:
    limit = Budget(account="registry", epsilon=Epsilon.of(1))
    if query.rho is not None:
        limit = Budget(account="registry", rho=Rho.of("0.05"))
    columns = tuple(
        replace(c, missing="category", unknown="category") if isinstance(c, CategoryColumn) else c
        for c in STUDY.columns
    )
    return replace(STUDY, unit=unit or STUDY.unit, budget=limit, queries=(query,), columns=columns)


def page_of(window: MainWindow) -> QueriesPage:
    window.go_to("queries")
    settle()
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page


def accuracy(page: QueriesPage) -> QueryAccuracy:
    return page.card("q").accuracy


def plan_of(page: QueriesPage) -> QueryPlan:
    return page.state.plans["q"]


def type_into(qtbot: QtBot, field: LineField, text: str) -> None:
    field.edit.setFocus()
    field.edit.selectAll()
    qtbot.keyClicks(field.edit, text)


def tab(page: QueriesPage, place: int) -> None:
    accuracy(page)._tabs.button(place).click()
    settle()


MEDIAN = Query("q", "median", CandidateParameters("days"), epsilon=HALF)


def test_a_median_has_a_picture_a_bound_and_a_sentence(opened: Opener) -> None:
    page = opened(MEDIAN)
    shown, plan = accuracy(page), plan_of(page)
    assert plan.bound is not None
    choice = shown.pictures.choice
    assert choice.isVisible()
    sentence = accuracy_words.sentence(page.state.study, plan)
    assert "at most" in sentence and "rows away" in sentence
    assert choice.accessibleName() == "Choice"
    assert choice.accessibleDescription().startswith(sentence)
    assert shown.margin.edit.accessibleName() == "95 times in 100 at most"
    assert shown.margin.text == accuracy_words.number(plan.bound.distance)
    assert "rows away" in texts(shown)
    assert shown.handle.accessibleDescription() == sentence
    assert any(t.startswith("A noisy choice among the candidates.") for t in texts(shown))
    assert any("Sorted by value" in t for t in texts(shown)), "what rows away means"
    assert not shown.noise_kind.isVisible() and not shown.expected.isVisible()


def test_a_typed_bound_finds_its_share(opened: Opener, qtbot: QtBot) -> None:
    page = opened(MEDIAN)
    before = plan_of(page)
    assert before.bound is not None
    type_into(qtbot, accuracy(page).margin, str(2 * int(before.bound.distance)))
    after = plan_of(page)
    assert after.bound is not None
    assert after.share < before.share
    assert before.bound.distance < after.bound.distance <= 2 * before.bound.distance


def test_keys_move_the_bound_in_the_picture(opened: Opener, qtbot: QtBot) -> None:
    page = opened(MEDIAN)
    before = plan_of(page).share
    qtbot.keyClick(accuracy(page).pictures.choice, Qt.Key.Key_Right)
    settle()
    assert plan_of(page).share < before


CHOICES = [
    Query("q", "most-common", MostCommonParameters("sex"), epsilon=HALF),
    Query("q", "median", CandidateParameters("days"), epsilon=HALF),
    Query("q", "quantiles", QuantileParameters("days", quantiles=(Decimal("0.1"),)), epsilon=HALF),
    Query(
        "q",
        "cut-off",
        CutOffParameters("days", candidates=(Decimal(1), Decimal(5)), score="value-times-count"),
        epsilon=HALF,
    ),
    Query(
        "q",
        "cut-off",
        CutOffParameters(
            "days", candidates=(Decimal(1), Decimal(5)), score="closest-to-target", target=20
        ),
        epsilon=HALF,
    ),
]


@pytest.mark.parametrize("query", CHOICES, ids=lambda q: q.members.get("score", q.statistic))
@pytest.mark.in_turn(2)
def test_every_choice_has_its_picture_and_its_two_worlds(opened: Opener, query: Query) -> None:
    page = opened(query)
    pictures = accuracy(page).pictures
    assert pictures.choice.isVisible()
    tab(page, 1)
    assert pictures.worlds.isVisible()
    assert any("one of two candidates" in text for text in texts(pictures))
    assert " if not in the data" in label(pictures.worlds)
    assert left_ticks(pictures.worlds)[-3:] == ["0 %", "50 %", "100 %"]
    tab(page, 2)
    assert pictures.averaging.isVisible()
    tab(page, 0)
    assert pictures.choice.isVisible()


def label(plot: PlotView) -> str:
    """What stands along the lower axis; empty where it is hidden."""
    axis = plot.canvas.getPlotItem().getAxis("bottom")
    return axis.label.toPlainText().strip() if axis.label.isVisible() else ""


def heads(plot: PlotView) -> tuple[str, ...]:
    model, across = plot.table.model(), Qt.Orientation.Horizontal
    return tuple(model.headerData(n, across) for n in range(model.columnCount()))


def left_ticks(plot: PlotView) -> list[str]:
    return [text for _, text in plot.canvas.getPlotItem().getAxis("left")._tickLevels[0]]


def bottom_ticks(plot: PlotView) -> list[str]:
    axis = plot.canvas.getPlotItem().getAxis("bottom")
    if axis._tickLevels is not None:
        return [text for _, text in axis._tickLevels[0]]
    spacing, places = axis.tickValues(*axis.range, axis.geometry().width())[0]
    return axis.tickStrings(places, 1.0, spacing)


@pytest.mark.parametrize(
    ("query", "zero"),
    [
        (Query("q", "count", epsilon=HALF), "0 rows"),
        (Query("q", "count-people", epsilon=HALF), "0 people"),
        (Query("q", "sum", ColumnParameters("days"), epsilon=HALF), "0 nights"),
        (Query("q", "variance", SpreadParameters("days"), epsilon=HALF), "0 nights²"),
        (Query("q", "share", PropertyParameters(has=WOMEN), epsilon=HALF), "0 rows"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.statistic,
)
@pytest.mark.in_turn(2)
def test_the_two_worlds_say_what_they_count(opened: Opener, query: Query, zero: str) -> None:
    page = opened(query)
    columns = tuple(
        replace(column, label="nights") if column.name == "days" else column
        for column in page.state.study.columns
    )
    page.session.edit(replace(page.state.study, columns=columns), "label")
    accuracy(page).expected.edit.setText("100")
    accuracy(page).expected.edit.textEdited.emit("100")
    settle()
    tab(page, 1)
    plot = accuracy(page).pictures.worlds
    ticks = bottom_ticks(plot)
    assert zero in ticks
    assert all(text[0] in "+\N{MINUS SIGN}" for text in ticks if text != zero)
    assert label(plot) == ""


def test_a_count_that_is_public_needs_no_share(opened: Opener) -> None:
    page = opened(Query("q", "count", epsilon=HALF), ONE_ROW_EACH)
    shown = accuracy(page)
    assert not shown.handle.isEnabled()
    for place in (0, 1):
        tab(page, place)
        assert "Public: it costs nothing, and is exact." in texts(shown)
    assert not any("any others" in text for text in texts(shown))
    assert page.state.planned.units == 0


def test_where_values_are_replaced_the_worlds_are_called_so(opened: Opener) -> None:
    page = opened(Query("q", "sum", ColumnParameters("days"), epsilon=HALF), ONE_ROW_EACH)
    tab(page, 1)
    shown = accuracy(page)
    assert any("any others" in text for text in texts(shown))
    assert heads(shown.pictures.worlds)[1:3] == ("values in the data", "other values")


def test_bounds_show_how_often_a_size_is_found(opened: Opener) -> None:
    page = opened(Query("q", "bounds", ColumnParameters("days"), epsilon=HALF))
    plan, pictures = plan_of(page), accuracy(page).pictures
    curve = choice_curve(plan)
    assert curve is not None and curve.rises
    assert (np.diff(curve.chance) >= 0).all()
    assert curve.at_bound >= 0.975
    assert curve.chance[0] < 1e-9
    assert pictures.choice.isVisible()
    assert any("order of magnitude is found" in text for text in texts(pictures))
    tab(page, 1)
    assert pictures.worlds.isVisible()


@pytest.mark.parametrize("many", [False, True])
@pytest.mark.in_turn(2)
def test_values_read_off_counts_are_not_said_to_be_chosen(opened: Opener, many: bool) -> None:
    ranks = tuple(Decimal(at) / 20 for at in (range(1, 20) if many else (10,)))
    asked = QuantileParameters("days", quantiles=ranks)
    page = opened(Query("q", "quantiles", asked, epsilon=HALF))
    curve, pictures = choice_curve(plan_of(page)), accuracy(page).pictures
    assert curve is not None and curve.reads_ranks is many
    said = " ".join(
        [*texts(pictures), label(pictures.choice), pictures.choice.accessibleDescription()]
    )
    assert ("across the wanted rank" in said) is many
    assert ("across the rank" in said) is many
    assert ("from the wanted rank" in said) is many
    for text in ("worse candidate", "worse than the best", "against the best alone"):
        assert (text in said.lower()) is not many


@pytest.mark.parametrize("statistic", ["share", "variance", "standard-deviation", "mean"])
@pytest.mark.in_turn(2)
def test_ratios_ask_for_the_size_of_a_group(opened: Opener, qtbot: QtBot, statistic: str) -> None:
    more = {"has": WOMEN} if statistic == "share" else {"column": "days"}
    query = Query("q", epsilon=HALF).having(statistic=statistic, **more)
    page = opened(query)
    shown = accuracy(page)
    assert shown.expected.isVisible() and shown.pictures.ask_size.isVisible()
    assert not shown.margin.isEnabled()
    type_into(qtbot, shown.expected, "60")
    wait_until(lambda: shown.pictures.noise.isVisible())
    assert shown.margin.isEnabled()
    assert plan_of(page).half_width is not None


def test_a_share_of_a_public_number_of_rows_asks_for_nothing(opened: Opener) -> None:
    page = opened(Query("q", "share", PropertyParameters(has=WOMEN), epsilon=HALF), ONE_ROW_EACH)
    assert plan_of(page).public_rows == 400
    assert not accuracy(page).expected.isVisible()
    assert accuracy(page).pictures.noise.isVisible()


def test_a_shares_margin_is_read_typed_and_dragged_in_percentage_points(
    opened: Opener, qtbot: QtBot
) -> None:
    page = opened(Query("q", "share", PropertyParameters(has=WOMEN), epsilon=HALF), ONE_ROW_EACH)
    shown = accuracy(page)
    said = accuracy_words.margin(page.state.study, plan_of(page).query, Fraction(1, 50))
    assert said == "± 2 percentage points"
    assert shown.margin.text == words.two_digits(100 * plan_of(page).half_width)
    assert any("percentage points" in text for text in texts(shown))
    type_into(qtbot, shown.margin, "5")
    width = plan_of(page).half_width
    assert width is not None and Fraction(4, 100) < width <= Fraction(5, 100)
    wait_until(lambda: shown.pictures.noise._half_width == pytest.approx(float(100 * width)))
    shown._drag_margin(10.0)
    wider = plan_of(page).half_width
    assert wider is not None and Fraction(9, 100) < wider <= Fraction(10, 100)
    shown.margin.stepped.emit(1)
    assert plan_of(page).half_width > wider


def test_the_noise_is_named_and_chosen_in_a_zcdp_account(opened: Opener, qtbot: QtBot) -> None:
    page = opened(Query("q", "sum", ColumnParameters("days"), by=("sex",), rho=RHO))
    shown = accuracy(page)
    assert shown.noise_kind.isVisible() and shown.noise_kind.key == "auto"
    for key, name in (("laplace", "Laplace noise."), ("gaussian", "Gaussian noise.")):
        qtbot.mouseClick(shown.noise_kind.segment(key), Qt.MouseButton.LeftButton)
        settle()
        assert {p.noise.mechanism for p in plan_of(page).parts} == {key}
        assert any(t.startswith(name) for t in texts(shown))
        assert page.state.study.queries[0].noise == key
    qtbot.mouseClick(shown.noise_kind.segment("auto"), Qt.MouseButton.LeftButton)
    assert page.state.study.queries[0].noise == "auto"


def test_pure_epsilon_leaves_no_choice_of_noise(opened: Opener) -> None:
    page = opened(Query("q", "sum", ColumnParameters("days"), epsilon=HALF))
    assert not accuracy(page).noise_kind.isVisible()
    assert any(t.startswith("Laplace noise.") for t in texts(accuracy(page)))


def test_a_noise_that_does_not_fit_can_be_taken_back(opened: Opener, qtbot: QtBot) -> None:
    page = opened(replace(MEDIAN, epsilon=None, rho=RHO, noise="gaussian"))
    assert "q" not in page.state.plans
    shown = accuracy(page)
    assert shown.noise_kind.isVisible()
    qtbot.mouseClick(shown.noise_kind.segment("auto"), Qt.MouseButton.LeftButton)
    settle()
    assert "q" in page.state.plans and not shown.noise_kind.isVisible()


def test_randomised_response_says_what_noise_on_the_count_would_give(opened: Opener) -> None:
    page = opened(
        Query("q", "randomised-response", PropertyParameters(has=WOMEN), epsilon=HALF), ONE_ROW_EACH
    )
    plan, shown = plan_of(page), accuracy(page)
    assert plan.beside is not None and plan.half_width is not None
    wanted = f"Noise on the count instead would be within ± {plan.beside} rows."
    assert any(wanted in text for text in texts(shown))
    assert shown.pictures.noise._unit == "rows", "the axis of the noise says what it counts"
    assert plan.beside < plan.half_width
    tab(page, 1)
    worlds = shown.pictures.worlds
    assert worlds.isVisible()
    assert label(worlds) == "what is said"
    assert bottom_ticks(worlds) == ["no", "yes"]
    assert any("says yes or no" in text for text in texts(shown))


def test_categories_found_say_what_is_found(opened: Opener) -> None:
    query = Query(
        "q", "categories-found", CategoriesFoundParameters("sex", delta=Delta(10**6)), rho=RHO
    )
    page = opened(query)
    found = plan_of(page).found_from
    assert found is not None
    wanted = f"A category that {found} people have is found 95 times in 100."
    assert any(wanted in text for text in texts(accuracy(page)))
    tab(page, 1)
    assert accuracy(page).pictures.worlds.isVisible()
    assert any("one category" in text for text in texts(accuracy(page)))


def test_a_plot_is_shown_once_it_is_drawn(opened: Opener) -> None:
    page = opened(Query("a", "count", epsilon=HALF))
    page.add_query()
    pictures = page.card(page.selected).accuracy.pictures
    looks: list[int] = []

    def look(_place: int) -> None:
        if pictures._stack.currentWidget() is pictures.noise:
            looks.append(len(pictures.noise.canvas.getPlotItem().items))

    pictures._stack.currentChanged.connect(look)
    assert "noise" not in vars(pictures)
    wait_until(lambda: bool(looks))
    settle(10)
    drawn = len(pictures.noise.canvas.getPlotItem().items)
    assert looks == [drawn] and drawn > 3
    assert page.card(page.selected).accuracy.handle.marks


def test_a_plot_of_a_study_that_is_closed_is_not_drawn(opened: Opener) -> None:
    page = opened(Query("a", "count", epsilon=HALF))
    page.add_query()
    page.session.document.close()
    settle(20)
    assert page.is_complete


def test_a_margin_of_nothing_has_no_step(opened: Opener, qtbot: QtBot) -> None:
    """It is no multiple of any unit: looking for one took for ever."""
    page = opened(Query("q", epsilon=Epsilon.of(60)), ONE_ROW_EACH)
    shown = accuracy(page)
    assert plan_of(page).accuracy == 0
    before = page.state.study
    for button in (shown.margin.up, shown.margin.down):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert page.state.study == before


def test_the_handle_stands_at_a_share_that_is_more_than_what_is_left(opened: Opener) -> None:
    page = opened(Query("q", "count", epsilon=Epsilon.of("1.5")))
    handle = accuracy(page).handle
    settle()
    assert handle.marks[-1].budget == "1.50"
    assert handle.marks[-1].units == handle.share
