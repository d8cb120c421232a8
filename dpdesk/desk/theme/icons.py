# SPDX-License-Identifier: Apache-2.0
"""Our own line icons, tinted by role when they are asked for."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role, color
from dpdesk.resources import resource_path

WHITE = "#fff"


def icon(name: str, role: Role = Role.TEXT_QUIET, size: int = Space.ICON) -> QIcon:
    """An icon in a role's colour as it is now; greyed where its control is disabled.

    In the selected row of a list it has the colour of the row's text.
    """
    made = QIcon()
    made.addPixmap(pixmap(name, role, size), QIcon.Mode.Normal)
    made.addPixmap(pixmap(name, Role.DISABLED, size), QIcon.Mode.Disabled)
    made.addPixmap(pixmap(name, Role.ON_ACCENT, size), QIcon.Mode.Selected)
    return made


def pixmap(name: str, role: Role = Role.TEXT_QUIET, size: int = Space.ICON) -> QPixmap:
    """An icon as a picture, sharp on the application's sharpest screen."""
    app = QApplication.instance()
    ratio = app.devicePixelRatio() if isinstance(app, QApplication) else 1.0
    tint = color(role).name(QColor.NameFormat.HexArgb)
    return _pixmap(name, tint, _line(), int(size), ratio)


def paint(painter: QPainter, name: str, role: Role, rect: QRectF) -> None:
    _renderer(name, color(role).name(), _line()).render(painter, rect)


@lru_cache(maxsize=512)
def _pixmap(name: str, tint: str, line: str, size: int, ratio: float) -> QPixmap:
    made = QPixmap(QSize(size, size) * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    _renderer(name, QColor(tint).name(), line).render(painter, QRectF(0, 0, size, size))
    painter.end()
    return made


@lru_cache(maxsize=512)
def _renderer(name: str, tint: str, line: str) -> QSvgRenderer:
    source = resource_path(f"icons/{name}.svg").read_text(encoding="utf-8")
    source = source.replace("currentColor", tint).replace(WHITE, line)
    return QSvgRenderer(QByteArray(source.encode()))


def _line() -> str:
    """What is drawn on an icon that is a filled tile: white would hardly be seen in dark."""
    return color(Role.ON_ACCENT).name()
