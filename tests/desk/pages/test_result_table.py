# SPDX-License-Identifier: Apache-2.0
"""Results of every statistic, as a table and, where figures are numbers, as a chart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyqtgraph as pg
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.desk.core.result_words import Shown, note, shown_table
from dpdesk.desk.pages.result_table import ResultTable
from dpdesk.desk.widgets.data_table import HATCHED
from dpdesk.release.home import Home
from dpdesk.release.ledger import Ledger
from dpdesk.release.run import release
from dpdesk.study.amount import Delta, Epsilon, Rho
from dpdesk.study.document import Study
from dpdesk.study.statistics import STATISTICS, Statistic
from dpdesk.study.unit import Unit
from tests.audit.pairs import ADD_REMOVE, every_statistic, row
from tests.audit.tables import write_table
from tests.doors import ConstantDoor

ROWS = tuple(row(str(i), str(i % 11), "ABC"[i % 3]) for i in range(3))
PUBLIC = Unit("pid", 1, "change-one", people=3)


def released(study: Study, folder: Path, total: Any) -> dict[Statistic, dict[str, Any]]:
    """The tables of a release with a door that answers constants, by statistic."""
    write_table(folder, ROWS, study.data)
    ledger = Ledger.open(Home.at(folder / "home"))
    extra = {"delta": Delta.of("1e-9")} if isinstance(total, Rho) else {}
    ledger.new_account("audit", total, **extra)
    done = release(study, folder, ledger, ConstantDoor())
    queries = done.payload["predicate"]["queries"]
    pairs = zip(queries, done.payload["tables"], strict=True)
    return {query["statistic"]: found for query, found in pairs}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[Statistic, dict[str, Any]]:
    """One table of each statistic, by ward where it can be grouped."""
    found: dict[Statistic, dict[str, Any]] = {}
    for name, study, total in (
        ("rho", every_statistic(ADD_REMOVE, ("ward",), measure="rho"), Rho.of(100)),
        ("public", every_statistic(PUBLIC), Epsilon.of(100)),
    ):
        folder = tmp_path_factory.mktemp(name)
        found = {**released(study, folder, total), **found}
    return found


def test_there_is_a_table_of_every_statistic(tables: dict[Statistic, dict[str, Any]]) -> None:
    assert tables.keys() == set(STATISTICS)


@pytest.mark.parametrize("statistic", STATISTICS)
def test_every_table_is_shown(
    tables: dict[Statistic, dict[str, Any]], statistic: Statistic, qtbot: QtBot
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
    assert note(tables[statistic]).endswith(".")
    assert widget.plot.isVisible() == any(v is not None for v in shown.values)


def heads(tables: dict[Statistic, dict[str, Any]], statistic: Statistic) -> tuple[str, ...]:
    return shown_table(tables[statistic], statistic).heads


def test_heads_are_words(tables: dict[Statistic, dict[str, Any]]) -> None:
    assert heads(tables, "count") == ("ward", "Count", "Margin", "Range")
    assert heads(tables, "mean") == ("ward", "Mean", "Margin", "Range", "Rows, about")
    assert heads(tables, "quantiles") == ("ward", "Quantile", "Quantiles", "Off by at most")
    assert heads(tables, "most-common")[1:] == ("Rank", "Chosen", "Off by at most")
    assert heads(tables, "interquartile-range")[1:3] == ("Interquartile range", "Lower quartile")
    assert heads(tables, "bounds")[:2] == ("Lower", "Upper")
    assert heads(tables, "categories-found")[:2] == ("Found", "Categories found")


def test_what_says_nothing_says_so() -> None:
    columns = [
        {"name": "mean", "role": "value", "unit": "days", "description": ""},
        {"name": "half_width_95", "role": "half-width", "unit": "days", "description": ""},
        {"name": "lowest_95", "role": "lowest", "unit": "days", "description": ""},
        {"name": "highest_95", "role": "highest", "unit": "days", "description": ""},
    ]
    shown = shown_table({"columns": columns, "rows": [["", "", "", ""]]}, "mean")
    assert shown.rows == (("too few to say", "–", "–"),)
    assert shown.values == (None,)
    found = {"columns": [{"name": "c", "role": "found", "unit": "", "description": ""}], "rows": []}
    assert note(found) == "Nothing that enough people have."


def noisy_count(*rows: list[str]) -> dict[str, Any]:
    """A table of counts as the record keeps it."""
    roles = ("group", "value", "half-width", "lowest", "highest", "part", "nearest", "mark")
    columns = [{"name": role, "role": role, "unit": "", "description": role} for role in roles]
    return {"columns": columns, "rows": list(rows)}


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
    usable = shown_table({**NOISY, "rows": NOISY["rows"][:1]}, "count")
    assert "Note" not in usable.heads


def test_what_is_too_noisy_is_hatched_in_table_and_chart(qtbot: QtBot) -> None:
    widget = ResultTable()
    qtbot.addWidget(widget)
    widget.show()
    widget.show_table(NOISY, "A heading", "count")
    model = widget.table.model()
    assert [bool(model.index(row, 0).data(HATCHED)) for row in range(3)] == [False, True, True]
    bars = [
        item.opts for item in widget.plot.canvas.getPlotItem().items
        if isinstance(item, pg.BarGraphItem)
    ]  # fmt: skip
    assert [opts["x"] for opts in bars] == [[0], [1, 2]]
    assert bars[1]["brush"].style() == Qt.BrushStyle.BDiagPattern


def test_numbers_stand_at_the_right_and_texts_do_not(
    tables: dict[Statistic, dict[str, Any]],
) -> None:
    shown: Shown = shown_table(tables["most-common"], "most-common")
    assert 0 not in shown.right
    assert shown.heads.index("Chosen") not in shown.right
    assert shown.heads.index("Off by at most") in shown.right
