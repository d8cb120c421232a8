# SPDX-License-Identifier: Apache-2.0
"""The text for support as the window makes it: the shell's, and what Qt knows of the screen."""

from __future__ import annotations

from PySide6.QtCore import QLibraryInfo
from PySide6.QtGui import QGuiApplication, QScreen
from PySide6.QtWidgets import QWidget

from dpdesk.desk.pages.about.text_dialog import TextDialog
from dpdesk.desk.text.translating import tr
from dpdesk.program.diagnostics import FILE_NAME, diagnostics
from dpdesk.release.places.home import Home


def screen_lines(window: QWidget) -> list[str]:
    """Qt, its platform, the screens and the window's size on them."""
    style = window.style().objectName()
    scale = window.devicePixelRatioF()
    return [
        f"Qt {QLibraryInfo.version().toString()}, {QGuiApplication.platformName()}, style {style}",
        *(_described(screen) for screen in QGuiApplication.screens()),
        f"window {window.width()} x {window.height()}, scale {scale:g}",
    ]


def _described(screen: QScreen) -> str:
    # Its name and serial number would tell one computer from another.
    size, room = screen.size(), screen.availableSize()
    return (
        f"screen {size.width()} x {size.height()}, free {room.width()} x {room.height()}, "
        f"scale {screen.devicePixelRatio():g}, {screen.logicalDotsPerInch():.0f} dots per inch"
    )


def support_dialog(window: QWidget, home: Home) -> TextDialog:
    title = tr("SupportText", "Diagnostic file")
    hint = tr(
        "SupportText",
        "Read this before you send it to your support. It contains versions, screen, settings and "
        "the end of the log, and none of your data. dpdesk itself sends nothing.",
    )
    text = diagnostics(home, screen_lines(window))
    return TextDialog(window, title, hint, text, FILE_NAME)
