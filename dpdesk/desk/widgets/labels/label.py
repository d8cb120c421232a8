# SPDX-License-Identifier: Apache-2.0
"""Text on a page, in a role's colour that follows the theme."""

from __future__ import annotations

from functools import cache
from typing import TypeVar

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QTextDocumentFragment
from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.desk.theme.metrics import Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.accessibility.heading import (
    CARD_LEVEL,
    PAGE_LEVEL,
    PART_LEVEL,
    make_heading,
)
from dpdesk.desk.widgets.labels.spread_text import SpreadText, air

FONT_CHANGES = (
    QEvent.Type.FontChange,
    QEvent.Type.ApplicationFontChange,
    QEvent.Type.StyleChange,
)


AnyLabel = TypeVar("AnyLabel", bound=QLabel)


class Label(QLabel):
    """A label of a size and a role; wraps where it is asked to.

    Args:
        text: the text; may hold ``<b>`` where ``rich`` is set.
        size: of the type table.
        role: colour role.
        whole: a word that is wider than the label, as a fingerprint may be, is broken, not cut off.

    Attributes:
        least_letters: a label whose long words are broken asks for room for this many of them.
    """

    least_letters = 24

    def __init__(
        self,
        text: str = "",
        size: Type = Type.TEXT,
        role: Role = Role.TEXT,
        *,
        semibold: bool = False,
        mono: bool = False,
        wrap: bool = False,
        rich: bool = False,
        whole: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._role = role
        self._size = size
        self._spread = SpreadText(size, rich, whole) if wrap else None
        self._is_whole = whole
        self._laid_out: str | None = None
        self._is_outdated = False
        self.setFont(font(size, semibold, mono, tabular=not mono))
        self.setWordWrap(wrap)
        self.setTextFormat(Qt.TextFormat.RichText if rich else Qt.TextFormat.PlainText)
        self._recolor()
        register(self)

    def set_role(self, role: Role) -> None:
        if role is not self._role:
            self._role = role
            self._recolor()

    def set_semibold(self, semibold: bool) -> None:
        weight = QFont.Weight.DemiBold if semibold else QFont.Weight.Normal
        if self.font().weight() != weight:
            font = self.font()
            font.setWeight(weight)
            self.setFont(font)

    def heightForWidth(self, width: int) -> int:
        """Lines with air between them."""
        if self._spread is None or not self.text():
            return super().heightForWidth(width)
        margins = self.contentsMargins()
        inner = self._lay_out(self._spread).height(width - margins.left() - margins.right())
        return inner + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """As wide as Qt finds right, and so high as its lines then are."""
        hint = super().sizeHint()
        if self._spread is not None and self.text():
            hint.setHeight(self.heightForWidth(hint.width()))
        return hint

    def minimumSizeHint(self) -> QSize:
        """As wide as its longest word, but where that one is broken."""
        hint = super().minimumSizeHint()
        if self._is_whole:
            least = self.least_letters * self.fontMetrics().averageCharWidth()
            hint.setWidth(min(hint.width(), least))
        return hint

    def height_of(self, lines: int) -> int:
        """How high this many lines are."""
        spaced = self.fontMetrics().lineSpacing() + air(self._size, self.font())
        return lines * spaced - air(self._size, self.font())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the lines that are spread, or leave one line to Qt."""
        self._freshen()
        if self._spread is None or not self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        spread = self._lay_out(self._spread)
        ink = self.palette().color(QPalette.ColorRole.WindowText)
        spread.paint(painter, self.contentsRect(), self.alignment(), ink)
        painter.end()

    def setAlignment(self, alignment: Qt.AlignmentFlag) -> None:
        """Where the text is."""
        self._laid_out = None
        super().setAlignment(alignment)

    def changeEvent(self, event: QEvent) -> None:
        """Lay the text out again in another font or at another size."""
        if event.type() in FONT_CHANGES:
            self._laid_out = None
        super().changeEvent(event)

    def _lay_out(self, spread: SpreadText) -> SpreadText:
        """Its text as it is now; a page asks dozens of times for each keystroke."""
        text = self.text()
        if text != self._laid_out:
            spread.put(text, self.font(), self.alignment())
            self._laid_out = text
        return spread

    def follow_theme(self) -> None:
        """Take the role's colour of now: at once where it is seen, else before it is painted.

        For the thousand labels of a large release that took a third of a change of the theme.
        """
        self._is_outdated = True
        if not self.visibleRegion().isEmpty():
            self._freshen()

    def palette(self) -> QPalette:
        """The colours of now."""
        self._freshen()
        return super().palette()

    def _freshen(self) -> None:
        if self._is_outdated:
            self._recolor()

    def _recolor(self) -> None:
        self._is_outdated = False
        self.setPalette(_palette(color(self._role).rgba(), color(Role.ACCENT).rgba()))


@cache
def _palette(ink: int, link: int) -> QPalette:
    """What sets a label apart, by its colours; a thousand labels follow one change of the theme."""
    made = QPalette()
    for place in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text):
        made.setColor(place, QColor.fromRgba(ink))
    made.setColor(QPalette.ColorRole.Link, QColor.fromRgba(link))
    return made


def without_marks(text: str) -> str:
    """What a rich text says.

    >>> without_marks("<b>A &amp; B</b> cost 0.1.<br>Spend it?")
    'A & B cost 0.1. Spend it?'
    """
    said = QTextDocumentFragment.fromHtml(text).toPlainText()
    return " ".join(said.split("\n"))


def title(text: str) -> Label:
    """A page's title, which is read out as a heading."""
    return headed(Label(text, Type.TITLE, semibold=True), PAGE_LEVEL)


def heading(text: str, wrap: bool = False) -> Label:
    """A card's title, which is read out as a heading below the page's."""
    return headed(Label(text, Type.CARD, semibold=True, wrap=wrap), CARD_LEVEL)


def headed(label: AnyLabel, level: int = PART_LEVEL) -> AnyLabel:
    """What looks like a title in a way of its own, read out as a heading, too."""
    make_heading(label, level)
    return label


def quiet(text: str = "", wrap: bool = True) -> Label:
    """A second line or a hint."""
    return Label(text, Type.QUIET, Role.TEXT_QUIET, wrap=wrap)
