# SPDX-License-Identifier: Apache-2.0
"""Charts as files: PNG for slides, SVG and PDF for what is printed.

All are light, whatever the window is: on paper and on a white slide a dark chart is a black block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import (
    QBuffer,
    QMarginsF,
    QPoint,
    QRect,
    QRectF,
    QSaveFile,
    QSize,
    QSizeF,
)
from PySide6.QtGui import QImage, QPageSize, QPaintDevice, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.plots.canvas import Canvas
from dpdesk.desk.plots.picture_heading import PictureHeading
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme import fonts
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color, on_paper
from dpdesk.desk.theme.theme import palette
from dpdesk.desk.theme.theme_followers import notify_around
from dpdesk.desk.widgets.accessibility.announcing import show_done
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.study.text.query_ids import slug
from dpdesk.study.text.shown_text import shown_text

SCALE = 2
AROUND = Space.CARD
"""Room around a chart and its heading."""
MOST_HIGH = 16_000
"""Pixels of a picture; other programs refuse higher ones."""


def picture_of(widget: QWidget, heading: PictureHeading | None = None) -> QImage:
    """A widget as an image, twice as fine as on the screen; a very high one as on the screen."""
    size = _size(widget, heading)
    times = SCALE if size.height() * SCALE <= MOST_HIGH else 1
    image = QImage(size * times, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(times)
    with _drawn_for_paper(widget, times):
        image.fill(color(Role.SURFACE))
        _paint(image, widget, heading)
    return image


@contextmanager
def _drawn_for_paper(widget: QWidget, dots: float) -> Iterator[None]:
    """Light, and with lines as thick as on the screen; afterwards all is as it was.

    Args:
        widget: a chart, or all that a page shows.
        dots: of the picture, to one of the widget: lines are as many dots wide as is set.
    """
    charts = [widget] if isinstance(widget, Canvas) else widget.findChildren(Canvas)
    own = widget.palette()
    try:
        with on_paper():
            for chart in charts:
                chart.dots = dots
            widget.setPalette(palette())
            notify_around(widget)
            yield
    finally:
        for chart in charts:
            chart.dots = None
        widget.setPalette(own)
        notify_around(widget)


def save_picture(widget: QWidget, path: Path, heading: PictureHeading | None = None) -> bool:
    """Write a widget as PNG or, by the file's ending, as SVG or PDF: all of it, or nothing.

    Args:
        widget: a chart, or all that a page shows.
        path: where to.
        heading: what is above a chart, with room around both.

    Returns:
        Whether the file was written.
    """
    # A full disk leaves what was there before; Qt's own writers say nothing of it.
    file = QSaveFile(str(path))
    if not file.open(QSaveFile.OpenModeFlag.WriteOnly):
        return False
    ending = path.suffix.lower()
    if ending in (".svg", ".pdf"):
        write = _write_svg if ending == ".svg" else _write_pdf
        write(widget, file, heading)
    else:
        picture = picture_of(widget, heading)
        # The stubs want bytes for the format; PySide itself takes text alone.
        if not picture.save(file, ending[1:] or "png"):  # type: ignore[call-overload]
            file.cancelWriting()
    return file.commit()


def _size(widget: QWidget, heading: PictureHeading | None) -> QSize:
    if heading is None:
        return widget.size()
    high = heading.height(widget.width()) + widget.height()
    return QSize(widget.width() + 2 * AROUND, high + 2 * AROUND)


def _render(widget: QWidget, painter: QPainter, heading: PictureHeading | None) -> None:
    """A chart is a scene of its own; whatever else is drawn with all that is on it.

    A scene is given its size: by itself it fills the pixels of what it is drawn on, which
    are others than the widget's where that is finer. Nothing may have other dots per inch than the
    screen: an axis is a recorded picture, and Qt would draw it larger or smaller than the bars.
    """
    place = QPoint()
    if heading is not None:
        painter.fillRect(QRect(place, _size(widget, heading)), color(Role.SURFACE))
        heading.paint(painter, AROUND, AROUND, widget.width())
        place = QPoint(AROUND, AROUND + heading.height(widget.width()))
    if isinstance(widget, Canvas):
        shown = widget.viewport().rect()
        widget.render(painter, QRectF(shown).translated(place), shown)
    else:
        widget.render(painter, place)


def _paint(target: QPaintDevice, widget: QWidget, heading: PictureHeading | None) -> None:
    painter = QPainter(target)
    _render(widget, painter, heading)
    painter.end()


def _write_svg(widget: QWidget, file: QSaveFile, heading: PictureHeading | None) -> None:
    target, size, drawn = QSvgGenerator(), _size(widget, heading), QBuffer()
    target.setOutputDevice(drawn)
    target.setResolution(widget.logicalDpiX())
    target.setSize(size)
    target.setViewBox(QRectF(0, 0, size.width(), size.height()))
    with _drawn_for_paper(widget, 1):
        _paint(target, widget, heading)
    own = f'font-family="{",".join(fonts.TEXT)}"'.encode()
    file.write(drawn.data().replace(own, f'font-family="{fonts.ELSEWHERE}"'.encode()))


def _write_pdf(widget: QWidget, file: QSaveFile, heading: PictureHeading | None) -> None:
    """One page of the picture's size."""
    target, size, dots = QPdfWriter(file), QSizeF(_size(widget, heading)), widget.logicalDpiX()
    target.setPageSize(QPageSize(size / dots, QPageSize.Unit.Inch))
    target.setPageMargins(QMarginsF())
    target.setResolution(dots)
    with _drawn_for_paper(widget, 1):
        _paint(target, widget, heading)


def save_without(widget: QWidget, path: Path, left_out: Sequence[QWidget]) -> bool:
    """Write all that a page shows, but for buttons that do nothing on paper.

    Args:
        widget: the page; what is beside the buttons must not move without them.
        path: see :func:`save_picture`.
        left_out: the buttons.
    """
    hidden = [one for one in left_out if not one.isHidden()]
    for one in hidden:
        one.hide()
    try:
        return save_picture(widget, path)
    finally:
        for one in hidden:
            one.show()


def ask_save_picture(parent: QWidget, widget: QWidget, heading: PictureHeading) -> None:
    """Ask where a widget's picture goes, and write it there; what cannot be is said.

    Args:
        parent: what asks.
        widget: the chart.
        heading: what is above it; its title is the proposed name, too.
    """
    named = slug(heading.title) or tr("Pictures", "chart")
    ask_save(parent, f"{named}.png", lambda path: save_picture(widget, path, heading))


def ask_save(
    parent: QWidget, name: str, save: Callable[[Path], bool], title: str = "", kinds: str = ""
) -> None:
    """Ask where a picture, or another file, goes, and save it there; what cannot be is said.

    Args:
        title, kinds: of the dialog, where it is no picture.
    """
    title = title or tr("Pictures", "Save the picture")
    chosen = new_file(parent, title, name, kinds or tr("Pictures", "Pictures (*.png *.svg *.pdf)"))
    if not chosen:
        return
    if save(chosen):
        show_done(parent, tr("Pictures", "Saved: {0}").format(shown_text(chosen.name)))
    else:
        title = tr("Pictures", "The file was not saved")
        text = tr("Pictures", "dpdesk cannot save there. Choose another folder.")
        dialog = Dialog(parent, title, text, "alert")
        dialog.add_safe(tr("Pictures", "Close"))
        dialog.open()
