# SPDX-License-Identifier: Apache-2.0
"""Puts the theme on the application: Fusion, palette from roles, our fonts in the system's size."""

from __future__ import annotations

import sys

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from dpdesk.desk.theme import fonts
from dpdesk.desk.theme.metrics import BASE
from dpdesk.desk.theme.roles import Role, color, is_dark, is_strong, set_dark, set_strong
from dpdesk.desk.theme.style import DeskStyle
from dpdesk.desk.theme.theme_followers import notify_all

POINTS_TO_PIXELS = 13 / 10
_SIZES = "dpdesk-text-sizes"
LESS_MOTION = "dpdesk-less-motion"
_EFFECTS = "dpdesk-effects"
_MOVING = (
    Qt.UIEffect.UI_AnimateMenu,
    Qt.UIEffect.UI_FadeMenu,
    Qt.UIEffect.UI_AnimateCombo,
    Qt.UIEffect.UI_AnimateTooltip,
    Qt.UIEffect.UI_FadeTooltip,
)
"""What Qt lets glide or fade in where the system does."""


def _system_wants_less() -> bool:
    """Whether the system's user turned its effects off; Qt knows it of Windows alone."""
    effects = QApplication.isEffectEnabled(Qt.UIEffect.UI_General)
    return sys.platform == "win32" and not effects


def wants_contrast() -> bool:
    """Whether the system's user asks for high contrast."""
    hints = QGuiApplication.styleHints()  # while it is held, so is what belongs to it
    wanted = hints.accessibility().contrastPreference()
    return bool(wanted == Qt.ContrastPreference.HighContrast)


def glides() -> bool:
    """Whether things may glide to their new place."""
    app = QCoreApplication.instance()
    return app is None or not app.property(LESS_MOTION)


def paint_again(window: QWidget) -> None:
    """Let a window be painted from now on that was not to be.

    What Qt was asked to paint meanwhile it keeps as asked for, without another request: the window
    would stay as it was until something uncovered it.
    """
    window.setUpdatesEnabled(True)
    request = QEvent(QEvent.Type.UpdateRequest)
    QCoreApplication.postEvent(window, request, Qt.EventPriority.LowEventPriority.value)


class Theme(QObject):
    """The application's look.

    Signals:
        changed: light became dark or the other way round, or has more or less contrast.
    """

    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._scheme = "system"
        self._text_size = 100
        self._unpainted: list[QWidget] = []
        self._is_announced = True
        self._showing = QTimer(self, interval=0, singleShot=True, timeout=self._show_colors)
        hints = QGuiApplication.styleHints()
        hints.colorSchemeChanged.connect(self._follow_system)
        hints.accessibility().contrastPreferenceChanged.connect(self._follow_contrast)

    def set_less_motion(self, less: bool | None) -> None:
        """Let nothing glide from now on, or what does; ``None`` does as the system asks."""
        wants_less = _system_wants_less() if less is None else less
        self._app.setProperty(LESS_MOTION, wants_less)
        used = self._app.property(_EFFECTS)
        if used is None:
            used = [effect for effect in _MOVING if QApplication.isEffectEnabled(effect)]
            self._app.setProperty(_EFFECTS, used)
        for effect in used:
            QApplication.setEffectEnabled(effect, not wants_less)

    def set_text_size(self, percent: int) -> None:
        """Write texts in per cent of the system's size; what is made from now on follows."""
        self._text_size = percent
        self._set_font()

    def apply(self, scheme: str = "system") -> None:
        """Use ``system``, ``light`` or ``dark`` from now on."""
        self._scheme = scheme
        if sys.platform != "darwin" and not isinstance(self._app.style(), DeskStyle):
            self._app.setStyle(DeskStyle())
        self._set_font()
        self._put(self._wants_dark())

    def change(self, scheme: str) -> None:
        """The same, while windows are on show.

        With the figures of fifty queries it takes a tenth of a second on a slow computer: in one
        turn every widget hears of it, in the next all are painted. Until then nothing is painted,
        lest one part be dark beside another that is light.
        """
        self._show_colors()
        tops = QApplication.topLevelWidgets()
        self._unpainted = [top for top in tops if top.isVisible() and top.updatesEnabled()]
        for top in self._unpainted:
            top.setUpdatesEnabled(False)
        self._scheme = scheme
        self._is_announced = not self._set_colors(self._wants_dark())
        self._showing.start()

    def _show_colors(self) -> None:
        """Announce the colours of now where they are new, and let windows be painted again."""
        self._showing.stop()
        if not self._is_announced:
            self._is_announced = True
            notify_all()
            self.changed.emit()
        for window in filter(isValid, self._unpainted):
            paint_again(window)
        self._unpainted = []

    def _set_font(self) -> None:
        """Our font at the system's own size; sizes in the table follow it."""
        fonts.load()
        font = QFont(self._app.font())
        fonts.take(font, fonts.TEXT)
        base = self._base_size(font)
        size = round(base * self._text_size / 100)
        font.setPixelSize(size)
        # Every widget hears of a font that is set, though it is the one of before.
        if self._app.property(_SIZES) != (base, size) or self._app.font() != font:
            self._app.setFont(font)
            self._app.setProperty(_SIZES, (base, size))

    def _base_size(self, font: QFont) -> int:
        """The size in pixels that the system has, whatever was made of it here before."""
        base, made = self._app.property(_SIZES) or (0, 0)
        if font.pixelSize() > 0:
            return int(base) if font.pixelSize() == made else font.pixelSize()
        points = font.pointSizeF()
        usual = points <= 0 or abs(points - 9) < 1.5
        return int(BASE) if usual else round(points * POINTS_TO_PIXELS)

    def _wants_dark(self) -> bool:
        if self._scheme == "system":
            hints = QGuiApplication.styleHints()
            return bool(hints.colorScheme() == Qt.ColorScheme.Dark)
        return self._scheme == "dark"

    def _follow_system(self) -> None:
        if self._scheme == "system" and self._wants_dark() != is_dark():
            self.change("system")

    def _follow_contrast(self) -> None:
        self._put(is_dark())

    def _put(self, dark: bool) -> None:
        self._is_announced = not self._set_colors(dark) and self._is_announced
        self._show_colors()

    def _set_colors(self, dark: bool) -> bool:
        """Use these roles from now on; whether they are others than before."""
        strong = wants_contrast()
        is_other = (dark, strong) != (is_dark(), is_strong())
        set_dark(dark)
        set_strong(strong)
        self._app.setPalette(palette())
        bar = palette()
        bar.setColor(QPalette.ColorRole.Window, color(Role.RAIL))
        # The stubs want bytes; PySide itself takes text alone.
        QApplication.setPalette(bar, "QMenuBar")  # type: ignore[arg-type]
        return is_other


def palette() -> QPalette:
    """The palette of the roles as they are now."""
    made = QPalette()
    for place, role in _PLACES.items():
        made.setColor(place, color(role))
    for place in (
        QPalette.ColorRole.Text,
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.ButtonText,
    ):
        made.setColor(QPalette.ColorGroup.Disabled, place, color(Role.DISABLED))
    return made


_PLACES = {
    QPalette.ColorRole.Window: Role.BG,
    QPalette.ColorRole.WindowText: Role.TEXT,
    QPalette.ColorRole.Base: Role.SURFACE,
    QPalette.ColorRole.AlternateBase: Role.INSET,
    QPalette.ColorRole.Text: Role.TEXT,
    QPalette.ColorRole.PlaceholderText: Role.TEXT_QUIET,
    QPalette.ColorRole.Button: Role.SURFACE,
    QPalette.ColorRole.ButtonText: Role.TEXT,
    QPalette.ColorRole.ToolTipBase: Role.SURFACE,
    QPalette.ColorRole.ToolTipText: Role.TEXT,
    QPalette.ColorRole.Highlight: Role.ACCENT,
    QPalette.ColorRole.HighlightedText: Role.ON_ACCENT,
    QPalette.ColorRole.Link: Role.ACCENT,
    QPalette.ColorRole.LinkVisited: Role.ACCENT,
    QPalette.ColorRole.Mid: Role.LINE,
    QPalette.ColorRole.Midlight: Role.LINE,
    QPalette.ColorRole.Light: Role.SURFACE,
    QPalette.ColorRole.Dark: Role.CONTROL,
    QPalette.ColorRole.Shadow: Role.CONTROL,
}
