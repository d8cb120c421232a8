# SPDX-License-Identifier: Apache-2.0
"""Axis, table and sentence write one number in one way."""

import pyqtgraph as pg
import pytest
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from dpdesk.desk.plots.axes.number_axis import NumberAxis, tick
from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.text import words
from tests.desk.languages import written_as_in


@pytest.mark.parametrize(
    ("value", "spacing", "shown"),
    [
        (-45_000.0, 5_000.0, "−45,000"),
        (4_500_000.0, 500_000.0, "4,500,000"),
        (1e9, 1e9, "1,000,000,000"),
        (0.30000000000000004, 0.1, "0.3"),
        (-0.00025, 0.00005, "−0.00025"),
        (0.0, 20.0, "0"),
        (1500.0, 500.0, "1,500"),
    ],
)
def test_a_tick_is_written_as_in_a_column(
    qtbot: QtBot, value: float, spacing: float, shown: str
) -> None:
    assert NumberAxis("left").tickStrings([value], 1.0, spacing) == [shown]
    assert words.figures_in_column([value]) == [shown]


def test_ticks_follow_the_language(qtbot: QtBot) -> None:
    with written_as_in("de_DE"):
        assert tick(-12_345.5, 1) == "−12.345,5"


def test_every_plot_has_such_axes(qtbot: QtBot) -> None:
    plot = ErrorBarsPlot()
    qtbot.addWidget(plot)
    for side in ("left", "bottom"):
        assert isinstance(plot.canvas.getPlotItem().getAxis(side), NumberAxis)


@pytest.mark.parametrize(
    ("lowest", "highest", "some"),
    [(4.31, 4.43, {"4.32", "4.40"}), (-0.6, 1.1, {"-0.5", "0", "1.0"}), (0, 50, {"5", "10"})],
)
def test_all_ticks_on_show_have_as_many_decimals(
    qtbot: QtBot, lowest: float, highest: float, some: set[str]
) -> None:
    axis = NumberAxis("bottom")
    plot = pg.PlotWidget(axisItems={"bottom": axis})
    qtbot.addWidget(plot)
    plot.resize(640, 200)
    plot.setXRange(lowest, highest, padding=0)
    plot.show()
    plot.grab()
    canvas = QImage(640, 200, QImage.Format.Format_ARGB32)
    painter = QPainter(canvas)
    _line, _ticks, texts = axis.generateDrawSpecs(painter)
    painter.end()
    shown = {text.replace("\N{MINUS SIGN}", "-") for _room, _flags, text in texts}
    assert some <= shown
    assert len({len(text.partition(".")[2]) for text in shown - {"0"}}) == 1, shown
