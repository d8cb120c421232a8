# SPDX-License-Identifier: Apache-2.0
"""Charts as files: PNG for slides, SVG and PDF for what is printed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QFile, QMarginsF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPageSize, QPainter, QPdfWriter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog, QWidget

from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.dialog import Dialog

SCALE = 2
DOTS_PER_INCH = 96
"""Of the screen that a widget is measured for."""


def picture_of(widget: QWidget) -> QImage:
    """A widget as an image, twice as fine as on the screen."""
    image = QImage(widget.size() * SCALE, QImage.Format.Format_ARGB32)
    image.setDevicePixelRatio(SCALE)
    image.fill(color(Role.SURFACE))
    painter = QPainter(image)
    widget.render(painter)
    painter.end()
    return image


def save_picture(widget: QWidget, path: Path) -> bool:
    """Write a widget as PNG or, by the file's ending, as SVG or PDF.

    Returns:
        Whether the file was written.
    """
    ending = path.suffix.lower()
    if ending not in (".svg", ".pdf"):
        return bool(picture_of(widget).save(str(path)))
    file = QFile(str(path))
    if not file.open(QFile.OpenModeFlag.WriteOnly):
        return False
    write = _write_svg if ending == ".svg" else _write_pdf
    write(widget, file)
    return file.flush()


def _write_svg(widget: QWidget, file: QFile) -> None:
    target, size = QSvgGenerator(), widget.size()
    target.setOutputDevice(file)
    target.setSize(size)
    target.setViewBox(QRectF(0, 0, size.width(), size.height()))
    painter = QPainter(target)
    widget.render(painter)
    painter.end()


def _write_pdf(widget: QWidget, file: QFile) -> None:
    """One page of the widget's size."""
    target, size = QPdfWriter(file), QSizeF(widget.size())
    inches = QSizeF(size.width() / DOTS_PER_INCH, size.height() / DOTS_PER_INCH)
    target.setPageSize(QPageSize(inches, QPageSize.Unit.Inch))
    target.setPageMargins(QMarginsF())
    target.setResolution(DOTS_PER_INCH * SCALE)
    painter = QPainter(target)
    painter.scale(SCALE, SCALE)
    widget.render(painter)
    painter.end()


def ask_save_picture(parent: QWidget, widget: QWidget) -> None:
    """Ask where a widget's picture goes, and write it there; what cannot be is said."""
    chosen, _kind = QFileDialog.getSaveFileName(
        parent,
        QCoreApplication.translate("Pictures", "Save the picture"),
        "",
        QCoreApplication.translate("Pictures", "Pictures (*.png *.svg *.pdf)"),
    )
    if chosen and not save_picture(widget, Path(chosen)):
        title = QCoreApplication.translate("Pictures", "The picture was not saved")
        text = QCoreApplication.translate(
            "Pictures", "It cannot be written there; choose another folder."
        )
        dialog = Dialog(parent, title, text, "alert")
        dialog.add_safe(QCoreApplication.translate("Pictures", "Close"))
        dialog.open()
