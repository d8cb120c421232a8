# SPDX-License-Identifier: Apache-2.0
"""A saved chart is the chart on show: all of it, with its axes where its bars are."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.desk.plots.bars_plot import ErrorBarsPlot
from dpdesk.desk.plots.curve_plot import Curve, CurvePlot, CurvePoint
from dpdesk.desk.plots.hatched_bars import hatching_of
from dpdesk.desk.plots.noise_plot import NoisePlot
from dpdesk.desk.plots.picture_heading import PictureHeading
from dpdesk.desk.plots.pictures import AROUND, ask_save_picture, picture_of, save_picture
from dpdesk.desk.plots.plot_base import Canvas
from dpdesk.desk.theme.roles import Role, color, is_dark
from dpdesk.desk.theme.theme import Theme
from tests.desk.screens import settle

X = np.linspace(-4.0, 4.0, 50)
SCALED = re.compile(rb"(?m)^([\d.]+) 0 0 -?([\d.]+) \S+ \S+ cm$")


@pytest.fixture
def canvas(qtbot: QtBot) -> Canvas:
    plot = NoisePlot()
    qtbot.addWidget(plot)
    plot.show_noise(X, np.exp(-abs(X)), 3.0, "days")
    plot.resize(600, 300)
    plot.show()
    settle()
    plot.canvas.clearFocus()
    return plot.canvas


def inked(image: QImage, width: int, height: int) -> np.ndarray:
    """Where something is drawn, in a grid of the chart's own size."""
    scaled = image.scaled(width, height, Qt.AspectRatioMode.IgnoreAspectRatio)
    grey = scaled.convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(grey.constBits(), np.uint8).reshape(height, grey.bytesPerLine())
    return rows[:, :width] < 200


def ends(drawn: np.ndarray) -> list[int]:
    """The outermost rows and columns that have ink."""
    down, across = np.flatnonzero(drawn.any(1)), np.flatnonzero(drawn.any(0))
    return [int(down[0]), int(down[-1]), int(across[0]), int(across[-1])]


def test_pictures_hold_all_of_a_chart_where_it_is_on_the_screen(
    canvas: Canvas, tmp_path: Path
) -> None:
    size, shown = canvas.size(), canvas.grab().toImage()
    drawn = QImage(size, QImage.Format.Format_RGB32)
    drawn.fill(Qt.GlobalColor.white)
    assert save_picture(canvas, tmp_path / "p.svg")
    painter = QPainter(drawn)
    QSvgRenderer(str(tmp_path / "p.svg")).render(painter)
    painter.end()
    known = ends(inked(shown, size.width(), size.height()))
    for picture in (picture_of(canvas), drawn):
        found = ends(inked(picture, size.width(), size.height()))
        assert np.abs(np.subtract(found, known)).max() <= 3, (found, known)


def test_a_picture_has_its_question_above_the_whole_chart(canvas: Canvas, tmp_path: Path) -> None:
    heading = PictureHeading("Mean of stay", ("days", "", "95 times in 100 within ± 0.4"))
    bare, whole = picture_of(canvas), picture_of(canvas, heading)
    room = round(whole.devicePixelRatio() * AROUND)
    assert whole.width() == bare.width() + 2 * room
    high = whole.height() - bare.height() - room
    assert whole.copy(room, high, bare.width(), bare.height()) == bare
    assert inked(whole.copy(0, 0, whole.width(), high), 300, 40).any()
    assert save_picture(canvas, tmp_path / "p.svg", heading)
    drawn = (tmp_path / "p.svg").read_text("utf-8")
    assert all(text in drawn for text in ("Mean of stay", "days", "within ± 0.4"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.in_turn(2)
def test_a_picture_is_light_and_leaves_the_window_as_it_is(
    themed: Theme, scheme: str, canvas: Canvas, tmp_path: Path
) -> None:
    themed.apply(scheme)
    settle()
    before = canvas.grab().toImage()
    assert picture_of(canvas).pixelColor(2, 2).name() == "#ffffff"
    for ending in ("png", "svg", "pdf"):
        assert save_picture(canvas, tmp_path / f"p.{ending}")
    assert canvas.grab().toImage() == before and is_dark() == (scheme == "dark")
    themed.apply("dark" if scheme == "light" else "light")
    settle()
    assert canvas.palette().text().color() == color(Role.TEXT), "it follows the theme as before"


def test_lines_are_as_thick_in_each_form(qtbot: QtBot, tmp_path: Path) -> None:
    """Twice as fine as the screen, a picture's lines have twice as many dots."""
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show_curves([Curve("", (CurvePoint(0, 50, 50, 50), CurvePoint(9, 50, 50, 50)))], "")
    plot.show()
    settle()
    image = picture_of(plot.canvas)
    middle = image.width() // 2
    ink = QColor(Role.ACCENT.value[0]).name()
    column = [image.pixelColor(middle, y).name() for y in range(image.height())]
    assert column.count(ink) in (3, 4, 5)
    # Marks are shapes: pixels of them would be torn apart in what is drawn larger.
    assert save_picture(plot.canvas, tmp_path / "p.svg")
    assert "<image" not in (tmp_path / "p.svg").read_text("utf-8")


def test_hatched_bars_are_hatched_in_an_svg_too(qtbot: QtBot, tmp_path: Path) -> None:
    """Qt stretches a pattern with the scale of the values: 60 rows across and thousands up."""
    plot = ErrorBarsPlot()
    qtbot.addWidget(plot)
    plot.resize(600, 300)
    plot.show_figures(["a", "b"], [9_000.0, 9_000.0], [1.0, 1.0], "", noisy=[True, True])
    plot.show()
    settle()
    assert save_picture(plot.canvas, tmp_path / "p.svg")
    assert "<pattern" not in (tmp_path / "p.svg").read_text("utf-8")
    lines = [*hatching_of(QRectF(10, 20, 30, 40))]
    assert len(lines) == 9 and all(line.x1() >= 10 and line.x2() <= 40 for line in lines)
    assert all(line.y1() <= 60 and line.y2() >= 20 for line in lines)


def test_a_dot_of_a_pdf_is_one_of_the_screen(canvas: Canvas, tmp_path: Path) -> None:
    path = tmp_path / "p.pdf"
    assert save_picture(canvas, path)
    streams = re.findall(rb"stream\r?\n(.*?)endstream", path.read_bytes(), re.DOTALL)
    page = zlib.decompress(max(streams, key=lambda one: b"cm" in _unpacked(one)))
    scales = {float(side) for sides in SCALED.findall(page) for side in sides}
    # An axis is recorded in dots of the screen, and others would draw it larger than the bars.
    assert 72 / canvas.logicalDpiX() in scales, scales


def _unpacked(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_a_picture_is_offered_under_its_title(
    canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[Path] = []
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda _parent, _title, start, *_rest: (begun.append(Path(start)), ("", ""))[1],
    )
    ask_save_picture(canvas, canvas, PictureHeading("Number of people, for each ward"))
    assert begun[0].name == "number-of-people-for-each-ward.png" and begun[0].is_absolute()
