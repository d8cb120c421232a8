# SPDX-License-Identifier: Apache-2.0
"""Results of every statistic, as a table and, where figures are numbers, as a chart."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QGuiApplication
from PySide6.QtWidgets import QApplication, QGraphicsTextItem, QLabel, QTableView, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.plots.bars_plot import MOST_BARS, ErrorBarsPlot
from dpdesk.desk.plots.pictures import save_picture
from dpdesk.desk.text.language import number_style
from dpdesk.desk.text.result_words import ShownTable, counted, note, rows_off, shown_table
from dpdesk.desk.widgets.tables.rows_model import HATCHED
from dpdesk.privacy.published_tables import Table, TableColumn
from dpdesk.privacy.statistics.base import ColumnRole
from dpdesk.release.bundle.charts.suitable_charts import plain_charts
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.study.model.amount import Delta, Epsilon, Rho
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import STATISTICS, Statistic
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.counted_rows import CountedRows
from dpdesk.study.text.number_text import percent
from tests.audit.pairs import ADD_REMOVE, every_statistic, row
from tests.audit.tables import write_table
from tests.desk.languages import spoken_language
from tests.desk.screens import settle, spoken
from tests.doors import ConstantDoor
from tests.release.studies import STUDY

ROWS = tuple(row(str(i), str(i % 11), "ABC"[i % 3]) for i in range(3))
PUBLIC = Unit("pid", 1, "change-one", people=3)


def released(study: Study, folder: Path, total: Any) -> dict[Statistic, Table]:
    """The tables of a release with a door that answers constants, by statistic."""
    write_table(folder, ROWS, study.data)
    ledger = Ledger.open(Home.at(folder / "home"))
    deltas = {"delta": Delta.of("1e-9"), "kept": Delta.of("5e-10")}
    extra = deltas if isinstance(total, Rho) else {}
    ledger.new_account("audit", total, **extra)
    done = release(study, folder, ledger, ConstantDoor())
    pairs = zip(done.stored.record.queries, done.stored.tables, strict=True)
    return {query.statistic: found for query, found in pairs}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[Statistic, Table]:
    """One table of each statistic, by ward where it can be grouped."""
    found: dict[Statistic, Table] = {}
    for name, study, total in (
        ("rho", every_statistic(ADD_REMOVE, ("ward",), measure="rho"), Rho.of(100)),
        ("public", every_statistic(PUBLIC), Epsilon.of(100)),
    ):
        folder = tmp_path_factory.mktemp(name)
        found = {**released(study, folder, total), **found}
    return found


def test_there_is_a_table_of_every_statistic(tables: dict[Statistic, Table]) -> None:
    assert tables.keys() == set(STATISTICS)


@pytest.mark.parametrize("statistic", STATISTICS)
@pytest.mark.in_turn(3)
def test_every_table_is_shown(
    tables: dict[Statistic, Table], statistic: Statistic, qtbot: QtBot
) -> None:
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.show()
    widget.show_table(tables[statistic], "A heading", statistic)
    shown = shown_table(tables[statistic], statistic)
    assert widget.table.model().rowCount() == len(shown.rows)
    assert all(len(line) == len(shown.heads) for line in shown.rows)
    assert all(head and "_" not in head for head in shown.heads), shown.heads
    assert all(cell for line in shown.rows for cell in line)
    assert not any("noisy" in head.lower() for head in shown.heads)
    assert note(tables[statistic], statistic)[-1:] in ("", ".")
    is_chart = widget.plot.isVisible() or widget.heat.isVisible()
    assert is_chart == any(v is not None for v in shown.values)


def heads(tables: dict[Statistic, Table], statistic: Statistic) -> tuple[str, ...]:
    return shown_table(tables[statistic], statistic).heads


def test_heads_are_words(tables: dict[Statistic, Table]) -> None:
    assert heads(tables, "count") == ("ward", "Count", "Margin", "Range")
    assert heads(tables, "mean") == ("ward", "Mean", "Margin", "Range", "Rows, about")
    assert heads(tables, "quantiles") == ("ward", "Quantile", "Quantiles", "Distance at most, rows")
    assert heads(tables, "most-common")[1:] == ("Rank", "Chosen", "Distance at most, rows")
    assert heads(tables, "interquartile-range")[1:3] == ("Interquartile range", "Lower quartile")
    assert heads(tables, "bounds")[:2] == ("Lower", "Upper")
    assert heads(tables, "categories-found")[:2] == ("Found", "Categories found")


def test_heads_are_words_of_the_language(
    tables: dict[Statistic, Table], qapp: QApplication
) -> None:
    here = {one: set(heads(tables, one)) for one in STATISTICS}
    with spoken_language(qapp, "de"):
        there = {one: set(heads(tables, one)) for one in STATISTICS}
    same = {(one, head) for one in STATISTICS for head in here[one] & there[one]}
    assert not {
        (one, head) for one, head in same if head not in ("ward", "Rate", "Median", "Quantile")
    }
    assert {"Untere Grenze", "Obere Grenze"} <= there["bounds"]


def test_what_says_nothing_says_so() -> None:
    columns = (
        TableColumn("mean", "value", "days", ""),
        TableColumn("half_width_95", "half-width", "days", ""),
        TableColumn("lowest_95", "lowest", "days", ""),
        TableColumn("highest_95", "highest", "days", ""),
    )
    shown = shown_table(Table("q", "", columns, (("", "", "", ""),)), "mean")
    assert shown.rows == (("too few to say", "–", "–"),)
    assert shown.values == (None,)
    found = Table("q", "", (TableColumn("c", "found", "", ""),), ())
    assert note(found) == "No category that enough people have."


def test_flipped_answers_say_how_they_are_protected() -> None:
    table = Table("q", "", (TableColumn("count", "value", "rows", ""),), (("3",),))
    assert note(table, "count") == ""
    assert "each answer was flipped" in note(table, "randomised-response")


SHARE_ROLES: tuple[ColumnRole, ...] = ("group", "value", "half-width", "lowest", "highest")


def shares(*rows: tuple[str, ...]) -> Table:
    """A table of shares as the record keeps it: numbers up to 1."""
    return Table("q", "", tuple(TableColumn(r, r, "", r) for r in SHARE_ROLES), rows)


def test_shares_are_percentages_wherever_they_are_shown(qtbot: QtBot) -> None:
    """The record's table stays; what is shown, drawn and copied has a percent sign."""
    table = shares(("A", "0.1230", "0.012", "0.111", "0.135"), ("B", "1", "0.5", "0.5", "1"))
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.resize(900, 400)
    widget.show()
    widget.show_table(table, "Share of women", "share")
    shown = shown_table(table, "share")
    assert shown.heads[1:3] == ("Share", "Margin, percentage points")
    assert shown.rows[0] == ("A", "12.30 %", "± 1.2", "11.1 % to 13.5 %")
    assert shown.rows[1] == ("B", "100 %", "± 50", "50 % to 100 %")
    assert shown.values == pytest.approx((12.3, 100)) and shown.half_widths[1] == 50
    assert shown.intervals == ((pytest.approx(11.1), pytest.approx(13.5)), (50.0, 100.0))
    assert shown.keys[0][1] == Decimal("0.1230")
    assert widget._second.text() == "by group"
    assert widget._legend.text() == (
        "95 times in 100 within ±\N{NO-BREAK SPACE}1.2 to ±\N{NO-BREAK SPACE}50 percentage "
        "points, by group"
    )
    widget.plot._freshen()  # as before it is painted
    figures = [i.toPlainText() for i in widget.plot.canvas.scene().items() if is_text(i)]
    assert {"12.3 %", "100 %"} <= set(figures)
    axis = widget.plot.canvas.getPlotItem().getAxis("left")
    assert axis.tickStrings([0.0, 50.0], 1.0, 50.0) == ["0 %", "50 %"]
    widget.tools.copy_as("markdown")
    assert "| A | 12.30 % | ± 1.2 | 11.1 % to 13.5 % |" in QGuiApplication.clipboard().text()
    widget.show_table(NOISY, "Count", "count")
    widget.plot._freshen()
    assert axis.tickStrings([0.0, 50.0], 1.0, 50.0) == ["0", "50"]


def is_text(item: object) -> bool:
    return isinstance(item, QGraphicsTextItem)


def test_shares_in_a_cross_table_and_in_lying_bars_have_their_sign(qtbot: QtBot) -> None:
    columns = tuple(TableColumn(r, r, "", r) for r in ("group", *SHARE_ROLES))
    rows = tuple((a, b, "0.25", "0.01", "0.24", "0.26") for a in "AB" for b in "xy")
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.show()
    widget.show_table(Table("q", "", columns, rows), "Share", "share")
    assert widget.heat.isVisible()
    cells = [cell for line in widget.heat._model.cells for cell in line]
    assert {(cell.figure, cell.margin) for cell in cells} == {("25 %", "± 1")}
    lines = [(f"g{i}", "0.25", "0.01", "0.24", "0.26") for i in range(12)]
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.show()
    widget.show_table(shares(*lines), "Share", "share")
    widget.plot._freshen()
    assert widget.plot._row_axis("right").rows[0] == ("25 %", "± 1")


def test_shares_beside_counts_are_percentages(tables: dict[Statistic, Table]) -> None:
    table = tables["distribution"]
    shown = shown_table(table, "distribution")
    place = shown.heads.index("Share")
    roles = [column.role for column in table.columns]
    for published, line in zip(table.rows, shown.rows, strict=True):
        share = published[roles.index("share")]
        # Of a noisy total below one there is no share.
        said = percent(share, number_style()) if share else "–"
        assert line[place] == said and said.endswith((" %", "–"))
    assert "%" not in shown.rows[-1][roles.index("value")]
    assert shown.unit == table.columns[roles.index("value")].unit


@pytest.mark.parametrize(
    ("share", "said"),
    [("0", "0 %"), ("0.5", "50 %"), ("1", "100 %"), ("-0.012", "−1.2 %"), ("0.00001", "0.001 %")],
)
def test_a_percentage_has_all_digits_of_its_share(share: str, said: str) -> None:
    assert percent(share, number_style()) == said


def noisy_count(*rows: list[str]) -> Table:
    """A table of counts as the record keeps it."""
    roles: tuple[ColumnRole, ...] = (
        "group",
        "value",
        "half-width",
        "lowest",
        "highest",
        "part",
        "nearest",
        "mark",
    )
    columns = tuple(TableColumn(role, role, "", role) for role in roles)
    return Table("q", "", columns, tuple(map(tuple, rows)))


NOISY = noisy_count(
    ["A", "412", "60", "352", "472", "412", "", "no"],
    ["B", "-14", "60", "0", "46", "-14", "", "yes"],
    ["C", "-99", "60", "-159", "-39", "-99", "0", "yes"],
)


def test_what_is_too_noisy_says_so_and_its_range_is_cut() -> None:
    shown = shown_table(NOISY, "count")
    assert shown.heads[-1] == "Note"
    assert [row[-1] for row in shown.rows] == ["–", "too noisy to use", "too noisy to use"]
    assert [row[3] for row in shown.rows] == [
        "352 to 472",
        "0 to 46",
        "−159 to −39; the nearest possible is 0",
    ]
    assert shown.noisy == (False, True, True)
    assert shown.intervals == ((352, 472), (0, 46), (-159, -39))
    assert "Too noisy to use" in note(NOISY)
    usable = shown_table(replace(NOISY, rows=NOISY.rows[:1]), "count")
    assert "Note" not in usable.heads


def test_what_is_too_noisy_is_hatched_in_table_and_chart(qtbot: QtBot) -> None:
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.show()
    widget.show_table(NOISY, "A heading", "count")
    model = widget.table.model()
    assert [bool(model.index(row, 0).data(HATCHED)) for row in range(3)] == [False, True, True]
    widget.plot._freshen()
    bars = [
        item.opts for item in widget.plot.canvas.getPlotItem().items
        if isinstance(item, pg.BarGraphItem)
    ]  # fmt: skip
    assert [opts["x"] for opts in bars] == [[0], [1, 2]]
    assert bars[1]["brush"].style() == Qt.BrushStyle.BDiagPattern


def test_a_chart_is_drawn_when_it_is_painted_or_saved_and_not_before(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[ErrorBarsPlot] = []
    draw = ErrorBarsPlot.draw
    monkeypatch.setattr(ErrorBarsPlot, "draw", lambda plot: (drawn.append(plot), draw(plot)))
    painted, saved, neither = (ResultTable() for _ in range(3))
    for widget in (painted, saved, neither):
        qtbot.addWidget(widget)
        widget.show_table(NOISY, "A heading", "count")
    assert not drawn
    painted.grab()
    assert set(drawn) == {painted.plot}
    assert save_picture(saved.plot.canvas, tmp_path / "bars.png")
    assert set(drawn) == {painted.plot, saved.plot}


def test_numbers_stand_at_the_right_and_texts_do_not(
    tables: dict[Statistic, Table],
) -> None:
    shown: ShownTable = shown_table(tables["most-common"], "most-common")
    assert 0 not in shown.right
    assert shown.heads.index("Chosen") not in shown.right
    assert shown.heads.index("Distance at most, rows") in shown.right


def test_what_was_chosen_has_the_room_and_its_rank_has_not(results: ResultTable) -> None:
    names = (("rank", "group"), ("chosen", "choice"), ("off", "score-bound"))
    columns = tuple(TableColumn(name, role, "", "") for name, role in names)  # type: ignore[arg-type]
    rows = tuple((str(n), ward, "44") for n, ward in enumerate(("Surgery", "Cardiology"), 1))
    results.show_table(Table("q", "", columns, rows), "Most common", "most-common")
    settle()
    rank, chosen, _off = (results.table.columnWidth(place) for place in range(3))
    assert chosen > 3 * rank
    assert results._second.isHidden(), "what says nothing takes no line"
    assert "more rows another value may have" in results._note.text()
    results.show_table(Table("q", "", columns, rows), "Common", "most-common", counted="Ward")
    assert results._second.text() == "Ward" and not results._second.isHidden()


def test_what_no_unit_says_stands_below_the_title() -> None:
    asked = STUDY.queries[0]
    ranked = asked.having(title="Common", statistic="most-common", column="sex")
    assert counted(STUDY, ranked) == "sex"
    assert counted(STUDY, replace(ranked, title="")) == "", "the sentence names the column"
    assert counted(STUDY, asked.having(statistic="randomised-response")) == "rows"
    assert counted(STUDY, asked) == ""


@pytest.mark.parametrize(
    ("cells", "statistic", "said"),
    [
        (("1",), "median", "Distance 95 times in 100 at most 1 row"),
        (("1200", "", "5"), "median", "Distance 95 times in 100 at most 5 to 1,200 rows"),
        (("5",), "interquartile-range", "Distance of each quartile 95 times in 100 at most 5 rows"),
        (("",), "median", ""),
        (("5",), "cut-off", ""),
    ],
)
def test_a_choice_says_how_many_rows_it_may_be_off(
    cells: tuple[str, ...], statistic: Statistic, said: str
) -> None:
    columns = (
        TableColumn("median", "value", "", ""),
        TableColumn("rows_off_95", "score-bound", "", ""),
    )
    table = Table("q", "", columns, tuple(("4", cell) for cell in cells))
    assert rows_off(table, statistic) == said
    from_best = replace(table, columns=(columns[0], replace(columns[1], name="rows_off_best_95")))
    beyond = f"{said} more than the best candidate" if said else ""
    assert rows_off(from_best, statistic) == beyond
    assert "exact one than the best candidate" in note(from_best, "median")
    assert "best candidate" not in note(table, "median")


def many(count: int) -> Table:
    """Counts of so many wards, each third too noisy to use."""
    rows = []
    for n in range(count):
        value, mark = (n * 37) % 1009, "yes" if n % 3 == 2 else "no"
        ends = [str(max(0, value - 60)), str(value + 60)]
        rows.append([f"Ward {n}", str(value), "60", *ends, str(value), "", mark])
    return noisy_count(*rows)


@pytest.fixture
def results(qtbot: QtBot) -> ResultTable:
    made = ResultTable()
    qtbot.addWidget(made)
    made.resize(800, 700)
    made.show()
    return made


def column(results: ResultTable, place: int) -> list[str]:
    model = results.table.model()
    return [model.index(row, place).data() for row in range(model.rowCount())]


@pytest.mark.parametrize("count", [3, 700])
@pytest.mark.in_turn(2)
def test_there_is_one_table_and_its_toggle_stays(
    results: ResultTable, count: int, qtbot: QtBot
) -> None:
    results.show_table(many(count), "A heading", "count")
    settle()
    is_table = count > MOST_BARS
    assert results.view.key == ("table" if is_table else "chart")
    button = results.view.segment("table")
    place = button.mapTo(results, QPoint(0, 0))
    assert results.findChildren(QTableView) == [results.heat, results.table]
    assert not results.heat.isVisible(), "one grouping makes no cross-table"
    assert results.view.height() == results.copy_button.height(), "one row of tools"
    for key in ("table", "chart", "table"):
        qtbot.mouseClick(results.view.segment(key), Qt.MouseButton.LeftButton)
        settle()
        assert results.table.isVisible() == (key == "table")
        assert results.plot.isVisible() == (key == "chart")
        assert button.mapTo(results, QPoint(0, 0)) == place
    results.show_table(many(3), "A heading", "count")
    assert results.table.isVisible(), "what was picked is kept where it is drawn again"
    results.show_table(many(3), "Another", "count")
    assert results.plot.isVisible(), "another query begins as its neighbours do"


def press_head(results: ResultTable, place: int, qtbot: QtBot) -> None:
    head = results.table.horizontalHeader()
    at = QPoint(head.sectionViewportPosition(place) + 10, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=at)


def test_a_press_on_a_head_sorts_numbers_as_numbers_and_noise_last(
    results: ResultTable, qtbot: QtBot
) -> None:
    results.show_table(many(60), "A heading", "count")
    settle()
    declared = column(results, 0)
    assert declared == [f"Ward {n}" for n in range(60)]
    press_head(results, 1, qtbot)
    values = [int(text.replace(",", "")) for text in column(results, 1)]
    assert values[:40] == sorted(values[:40], reverse=True)
    assert values[40:] == sorted(values[40:], reverse=True)
    assert column(results, 4)[40:] == ["too noisy to use"] * 20
    press_head(results, 1, qtbot)
    values = [int(text.replace(",", "")) for text in column(results, 1)]
    assert values[:40] == sorted(values[:40]) and values[40:] == sorted(values[40:])
    assert column(results, 4)[40:] == ["too noisy to use"] * 20
    press_head(results, 1, qtbot)
    assert column(results, 0) == declared
    press_head(results, 0, qtbot)
    names = column(results, 0)
    assert names[:3] == ["Ward 0", "Ward 1", "Ward 3"], "digits by size: 3 before 10"
    assert names[40:42] == ["Ward 2", "Ward 5"]


def test_what_says_nothing_comes_after_the_noise(results: ResultTable) -> None:
    table = noisy_count(
        ["A", "", "", "", "", "", "", "no"],
        ["B", "-14", "60", "0", "46", "-14", "", "yes"],
        ["C", "5", "60", "0", "65", "5", "", "no"],
        ["D", "12", "60", "0", "72", "12", "", "no"],
    )
    results.show_table(table, "A heading", "count")
    for order, names in (
        (Qt.SortOrder.AscendingOrder, "CDBA"),
        (Qt.SortOrder.DescendingOrder, "DCBA"),
    ):
        results.rows.sort(1, order)
        assert "".join(column(results, 0)) == names
        hatched = [bool(results.rows.index(row, 0).data(HATCHED)) for row in range(4)]
        assert hatched == [False, False, True, False], "the hatching goes with its row"


def test_the_keyboard_sorts_and_finds(
    results: ResultTable, qtbot: QtBot, announced: list[str]
) -> None:
    results.show_table(many(700), "A heading", "count")
    settle()
    bar = results.bar
    assert bar.sort.accessibleName() == "Sort: A heading"
    assert spoken(bar.search) == "Find a row: A heading"
    assert [label.buddy() for label in bar.findChildren(QLabel) if label.text() == "&Sort"] == [
        bar.sort
    ]
    assert [bar.sort.itemText(i) for i in range(5)] == [
        "as declared",
        "group, A to Z",
        "group, Z to A",
        "Count, highest first",
        "Count, lowest first",
    ]
    bar.sort.setFocus()
    for _ in range(3):
        qtbot.keyClick(bar.sort, Qt.Key.Key_Down)
    head = results.table.horizontalHeader()
    assert bar.sort.currentText() == "Count, highest first"
    assert (head.sortIndicatorSection(), head.sortIndicatorOrder()) == (
        1,
        Qt.SortOrder.DescendingOrder,
    )
    assert int(column(results, 1)[0].replace(",", "")) > 1000
    left = bar._frame.mapTo(results, QPoint(bar.ring_room, 0)).x()
    assert left == results.table.mapTo(results, QPoint(0, 0)).x(), "they begin in one line"
    height = results.table.height()
    qtbot.keyClicks(bar.search, "wARD 69")
    assert sorted(column(results, 0)) == ["Ward 69", *(f"Ward {n}" for n in range(690, 700))]
    assert bar.count.text() == "11 of 700 rows"
    assert results.table.height() == height, "nothing jumps"
    settle()
    assert announced[-1] == "11 of 700 rows"
    press_head(results, 0, qtbot)
    assert bar.sort.currentText() == "group, A to Z"


def test_copying_gives_all_rows_as_declared(results: ResultTable, qtbot: QtBot) -> None:
    results.show_table(many(700), "A heading", "count")
    results.copy()
    before = QApplication.clipboard().text()
    assert before.count("\n") == 701
    results.rows.sort(1, Qt.SortOrder.DescendingOrder)
    results.bar.search.setText("Ward 69")
    for copied in (results.copy, lambda: qtbot.keyClick(results.table, *COPY)):
        QApplication.clipboard().setText("nothing")
        copied()
        assert QApplication.clipboard().text() == before
    results.view.segment("chart").click()
    QApplication.clipboard().setText("nothing")
    qtbot.keyClick(results.plot.canvas, *COPY)
    assert QApplication.clipboard().text() == before


COPY = (Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)


def test_another_query_begins_as_declared(results: ResultTable) -> None:
    results.show_table(many(700), "A heading", "count")
    results.bar.search.setText("Ward 69")
    results.rows.sort(1, Qt.SortOrder.DescendingOrder)
    results.show_table(many(50), "Another", "count")
    assert column(results, 0) == [f"Ward {n}" for n in range(50)]
    assert results.bar.search.text() == "" and results.bar.count.text() == ""
    assert results.table.horizontalHeader().sortIndicatorSection() == -1


def test_the_chart_draws_what_was_found_in_its_order(results: ResultTable) -> None:
    results.show_table(many(700), "A heading", "count")
    results.view.segment("chart").click()
    results.bar.search.setText("Ward 69")
    results.bar.sort.setCurrentIndex(3)
    results.bar.sort.activated.emit(3)
    ticks = results.plot._labels
    assert ticks == column(results, 0) and len(ticks) == 11
    results.plot._freshen()
    area = results.plot.canvas.getPlotItem()
    axis, drawn = area.getAxis("bottom"), area.getViewBox()
    assert axis.grid and axis.zValue() < drawn.zValue(), "bars hide the lines of the grid"


def test_escape_clears_the_search_then_leaves_for_the_figures(
    results: ResultTable, qtbot: QtBot
) -> None:
    results.show_table(many(30), "A heading", "count")
    results.show()
    results.activateWindow()
    search, keys = results.bar.search, Qt.Key
    for kind, figures in (("table", results.table), ("chart", results.plot.canvas)):
        results.view.segment(kind).click()
        search.setFocus()
        qtbot.keyClicks(search, "Ward 2")
        qtbot.keyClick(search, keys.Key_Escape)
        assert (search.text(), search.hasFocus()) == ("", True)
        for key in (keys.Key_Escape, keys.Key_Down, keys.Key_Return):
            search.setFocus()
            qtbot.keyClick(search, key)
            assert figures.hasFocus()


def test_nothing_that_the_name_says_is_read_out_again(results: ResultTable) -> None:
    results.show_table(many(30), "A heading", "count")
    tools = results.tools
    tools.set_narrow(True)
    for widget in (results.copy_button, results.save_picture, tools.more, results.bar.search):
        assert described(widget) in ("", spoken(widget))
    results.bar.search.setText("Ward 29")
    assert described(results.bar.search) == results.bar.count.text() == "1 of 30 rows"


def described(widget: QWidget) -> str:
    return QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Description)


def test_a_figure_that_can_be_used_has_no_note(results: ResultTable) -> None:
    results.show_table(many(3), "A heading", "count")
    notes = len(results._shown.heads) - 1 if results._shown else 0
    model, role = results.table.model(), Qt.ItemDataRole.AccessibleTextRole
    assert [model.index(row, notes).data() for row in (0, 2)] == ["–", "too noisy to use"]
    assert [model.index(row, notes).data(role) for row in (0, 2)] == ["none", "too noisy to use"]


def test_accents_and_case_do_not_hide_a_row(results: ResultTable) -> None:
    names = ["Gynäkologie", "HNO", "Chirurgie"]
    rows = [[n, "50", "6", "44", "56", "50", "", "no"] for n in names]
    results.show_table(noisy_count(*rows), "A heading", "count")
    results.bar.search.setText("GYNA")
    assert column(results, 0) == ["Gynäkologie"]
    names = ["female, A", "male, A", "male, Allgemeinchirurgie"]
    rows = [[n, *row[1:]] for n, row in zip(names, rows, strict=True)]
    results.show_table(noisy_count(*rows), "A heading", "count")
    for typed, found in (("male", names[1:]), ("a male", names[1:]), ("chirurgie", names[2:])):
        results.bar.search.setText(typed)
        assert column(results, 0) == found, "a word's beginning goes before its middle"
    results.bar.search.setText("nothing of it")
    assert column(results, 0) == []


@pytest.mark.parametrize(
    ("view", "count", "sorts", "searches"),
    [
        ("chart", 1, 0, 0),
        ("chart", 8, 0, 0),
        ("chart", 9, 1, 1),
        ("table", 1, 0, 0),
        ("table", 3, 0, 0),
        ("table", 4, 1, 0),
        ("table", 8, 1, 0),
        ("table", 9, 1, 1),
    ],
)
@pytest.mark.in_turn(2)
def test_few_bars_are_neither_sorted_nor_searched_and_few_rows_are_sorted(
    results: ResultTable, view: str, count: int, sorts: int, searches: int
) -> None:
    results.show_table(many(count), "A heading", "count")
    results._pick(view)
    assert (results.bar.sort.isVisible(), results.bar.search.isVisible()) == (sorts, searches)


def test_many_lines_are_sorted_without_a_standstill(results: ResultTable) -> None:
    """Each with each of the others would take minutes."""
    results.show_table(many(20_000), "A heading", "count")
    started = process_time()
    results.rows.sort(1, Qt.SortOrder.DescendingOrder)
    results.rows.look_for("ward 9")
    assert process_time() - started < 2.0
    assert results.rows.rowCount() == sum(str(n).startswith("9") for n in range(20_000))


def test_of_many_bars_some_are_shown_and_the_rest_is_counted(results: ResultTable) -> None:
    results.show_table(many(38), "A heading", "count")
    settle()
    assert len(results.plot._labels) == 38 and not results.show_all.isVisible()
    results.bar.show_most(8)
    results.bar.sort.setCurrentIndex(results.bar.sort.findText("Count, highest first"))
    results.bar.sort.activated.emit(results.bar.sort.currentIndex())
    settle()
    assert len(results.plot._labels) == 8
    values = [bar.value for bar in results.plot._bars]
    assert values == sorted(values, reverse=True)
    assert not any(bar.noisy for bar in results.plot._bars), "noise comes last"
    assert results._rest.text() == "30 more rows."
    results.activateWindow()
    results.show_all.setFocus()
    results.show_all.click()
    settle()
    assert results.bar.shown.hasFocus(), "the button is gone"
    assert len(results.plot._labels) == 38 and not results._rest.isVisible()


def test_of_very_many_the_first_are_drawn(results: ResultTable) -> None:
    results.show_table(many(700), "A heading", "count")
    results._pick("chart")
    settle()
    assert len(results.plot._labels) == 20
    assert results._rest.text() == "680 more rows." and not results.show_all.isVisible()
    offered = [results.bar.shown.itemText(i) for i in range(results.bar.shown.count())]
    assert offered == ["8 of 700", "20 of 700"]


def test_periods_are_joined_in_their_order(results: ResultTable) -> None:
    results.show_table(
        many(36), "A heading", "count", charts=plain_charts(many(36), are_periods=True)
    )
    settle()
    assert not results.plot.lies and len(results.plot._labels) == 36
    assert not results.bar.isVisible()
    results.rows.sort(1, Qt.SortOrder.DescendingOrder)
    results.bar.arranged.emit()
    assert results.plot._labels == [f"Ward {n}" for n in range(36)]


def test_a_table_is_copied_for_other_programs(results: ResultTable) -> None:
    results.show_table(many(3), "A heading", "count")
    clipboard = QGuiApplication.clipboard()
    results.tools.copy_as("markdown")
    assert clipboard.text().splitlines()[1].startswith("| :--- | ---:")
    results.tools.copy_as("latex")
    assert clipboard.text().startswith(r"\begin{tabular}{lrr")
    results.tools.copy_picture()
    assert not clipboard.image().isNull()


def test_a_copied_table_says_which_rows_were_counted(results: ResultTable) -> None:
    counted = CountedRows("At most 3 A&B of each person count.", "The figure describes these A&B.")
    results.show_table(many(3), "A heading", "count", counted_rows=counted)
    clipboard = QGuiApplication.clipboard()
    results.copy()
    assert clipboard.text().endswith(f"\n\n{counted}\n")
    results.tools.copy_as("markdown")
    assert clipboard.text().endswith("\n\n" + str(counted).replace("&", r"\&") + "\n")
    results.tools.copy_as("latex")
    assert clipboard.text().endswith("\n\n" + str(counted).replace("&", r"\&") + "\n")
    results.show_table(many(3), "A heading", "count")
    for copy in (results.copy, *(partial(results.tools.copy_as, f) for f in ("markdown", "latex"))):
        copy()
        assert "of each person count" not in clipboard.text()
        assert not clipboard.text().endswith("\n\n")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
@pytest.mark.in_turn(2)
def test_pictures_are_saved_in_each_form(results: ResultTable, ending: str, tmp_path: Path) -> None:
    results.show_table(many(3), "A heading", "count")
    settle()
    path = tmp_path / f"picture.{ending}"
    assert save_picture(results.plot.canvas, path)
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(start)
    assert not save_picture(results.plot.canvas, tmp_path / "nowhere" / f"p.{ending}")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_a_cross_table_is_copied_and_saved_as_a_picture(
    qtbot: QtBot, ending: str, tmp_path: Path
) -> None:
    columns = tuple(TableColumn(r, r, "", r) for r in ("group", *SHARE_ROLES))
    rows = tuple((a, b, "0.25", "0.01", "0.24", "0.26") for a in "AB" for b in "xy")
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.show()
    widget.show_table(Table("q", "", columns, rows), "Share", "share")
    widget.tools.copy_picture()
    assert not QGuiApplication.clipboard().image().isNull()
    path = tmp_path / f"picture.{ending}"
    assert save_picture(widget.heat, path)
    assert path.stat().st_size > 500


def test_a_narrow_card_has_icons_with_tooltips(results: ResultTable, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    results.setParent(window)
    results.show_table(many(3), "A heading", "count")
    window.resize(1366, 800)
    window.show()
    results.show()
    for width, wide in ((500, False), (798, True)):  # of a window of 1366
        results.setGeometry(0, 0, width, 600)
        settle()
        assert (results.copy_button.text() == "Copy table") == wide
        assert results.copy_button.toolTip() == ("" if wide else "Copy table")
        assert results.copy_button.accessibleName() == "Copy table: A heading"
    results.setParent(None)


def test_tools_stay_where_they_are_beside_chart_and_table(results: ResultTable) -> None:
    results.show_table(many(3), "Number of people, for each age band", "count")
    tools = (results.copy_button, results.save_picture, results.tools.more, results.view)
    places = []
    for view in ("chart", "table"):
        results.view.segment(view).click()
        settle()
        places.append([tool.mapTo(results, QPoint()) for tool in tools])
        assert results.save_picture.isVisibleTo(results)
        assert results.save_picture.isEnabled() == (view == "chart")
    assert places[0] == places[1]


def margin_note(results: ResultTable) -> QLabel:
    """What margins mean, as the card says it once."""
    (found,) = [x for x in results.findChildren(QLabel) if x.text().startswith("95 times")]
    return found


def test_what_margins_mean_is_said_and_read_out_with_their_unit(results: ResultTable) -> None:
    stays = many(3)
    columns = tuple(replace(c, unit="rows") if c.role == "value" else c for c in stays.columns)
    results.show_table(replace(stays, columns=columns), "Stays", "count")
    settle()
    margins = margin_note(results)
    assert margins.text() == "95 times in 100 within ±\N{NO-BREAK SPACE}60 rows"
    assert spoken(margins) == margins.text()
    results.show_table(many(3), "People", "count-people", margin_unit="patients")
    settle()
    assert margins.text() == "95 times in 100 within ±\N{NO-BREAK SPACE}60 patients"


@pytest.mark.parametrize(
    ("margin", "said"), [("1123400", "1,200,000"), ("184", "184"), ("0.019", "0.019")]
)
def test_what_margins_mean_has_two_digits_as_in_the_plan(
    results: ResultTable, margin: str, said: str
) -> None:
    """The plan said 1,200,000 EUR of what was released with 1,123,400."""
    columns = (
        TableColumn("sum", "value", "EUR", ""),
        TableColumn("half_width_95", "half-width", "EUR", ""),
    )
    results.show_table(Table("q", "", columns, (("59198705", margin),)), "Cost", "sum")
    assert results._legend.text() == f"95 times in 100 within ±\N{NO-BREAK SPACE}{said} EUR"
