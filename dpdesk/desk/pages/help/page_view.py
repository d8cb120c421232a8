# SPDX-License-Identifier: Apache-2.0
"""One page of the handbook, drawn from its Markdown in the theme's colours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import QEvent, QRectF, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QImage,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QTextEdit

from dpdesk.desk.pages.help.handbook import (
    HelpPage,
    page_linked,
    picture_named,
    without_other_links,
)
from dpdesk.desk.pages.help.search import matches
from dpdesk.desk.theme.metrics import Radius, Space, Type, font
from dpdesk.desk.theme.roles import Role, color, is_dark
from dpdesk.desk.theme.theme_followers import register
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.painting import box, focus_ring

LINE_HEIGHT = 135
HEADINGS = {1: Type.TITLE, 2: Type.CARD, 3: Type.TEXT}
COLUMN = 560
"""Lines longer than this are hard to follow."""
PICTURE_RATIO = 1.5
"""Of the pictures' pixels, so many stand for one of the page."""
QUOTE, CODE = "quote", "code"
PICTURE = "\N{OBJECT REPLACEMENT CHARACTER}"
FILLS = {QUOTE: (Role.WARN_TINT, None), CODE: (Role.INSET, Role.LINE)}


@dataclass(frozen=True)
class ReadingPlace:
    """Where somebody is in a page.

    Attributes:
        scrolled: how far.
        begin, end: what the keyboard is at; a link is between them.
    """

    scrolled: int
    begin: int
    end: int


class PageView(QTextBrowser):
    """Shows a page, marks what is searched for, and opens nothing but pages of the handbook.

    Signals:
        page_picked: a link to a page was followed; carries the page's key.
    """

    page_picked = Signal(str)

    def __init__(self) -> None:
        super().__init__(openLinks=False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._page: HelpPage | None = None
        self._wanted: tuple[str, ...] = ()
        self._needs_every = True
        self._room = COLUMN
        self.setAccessibleName(self.tr("Page of the handbook"))
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.setAutoFillBackground(True)
        self.anchorClicked.connect(self._follow)
        self.cursorPositionChanged.connect(self._mark)
        self.follow_theme()
        register(self)

    def show_page(self, page: HelpPage) -> None:
        self._page = page
        self.setAccessibleDescription(page.title)
        self._render()
        self.verticalScrollBar().setValue(0)

    @property
    def place(self) -> ReadingPlace:
        cursor = self.textCursor()
        return ReadingPlace(self.verticalScrollBar().value(), cursor.anchor(), cursor.position())

    def return_to(self, place: ReadingPlace) -> None:
        """Be there again in the page that was left: at the link that was followed."""
        self.setTextCursor(self._from(place.begin, place.end))
        self._mark()
        self.verticalScrollBar().setValue(place.scrolled)

    @property
    def link(self) -> str:
        """The words of the link that the keyboard is at; empty while it is at none."""
        cursor = self.textCursor()
        is_link = cursor.hasSelection() and cursor.charFormat().isAnchor()
        return cursor.selectedText() if is_link and self.hasFocus() else ""

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes from link to link, and each is read out: to Qt it is a piece of the text."""
        went = super().focusNextPrevChild(forward)
        self._mark()
        if self.link:
            announce(self, self.tr("Link: {0}").format(self.link))
        return went

    def mark(self, wanted: tuple[str, ...], needs_every: bool = True) -> None:
        """Mark the words that are searched for; see :func:`matches`."""
        self._wanted, self._needs_every = wanted, needs_every
        self._mark()

    def loadResource(self, _kind: int, name: QUrl | str) -> object:
        """Nothing is loaded but the handbook's own pictures."""
        address = name.toString() if isinstance(name, QUrl) else name
        path = self._page and picture_named(self._page, address, is_dark())
        if path is None:
            return None
        picture = QImage(str(path))
        picture.setDevicePixelRatio(max(PICTURE_RATIO, picture.width() / self._room))
        return picture

    def _follow(self, address: QUrl) -> None:
        key = page_linked(address.toString())
        if key:
            self.page_picked.emit(key)

    def follow_theme(self) -> None:
        palette = self.palette()
        for place in (QPalette.ColorRole.Base, QPalette.ColorRole.Window):
            palette.setColor(place, color(Role.SURFACE))
        palette.setColor(QPalette.ColorRole.Text, color(Role.TEXT))
        palette.setColor(QPalette.ColorRole.Link, color(Role.ACCENT))
        self.setPalette(palette)
        self.render_again()

    def render_again(self) -> None:
        """Draw the page again, where it was scrolled to."""
        if self._page is not None:
            scrolled = self.verticalScrollBar().value()
            self._render()
            self.verticalScrollBar().setValue(scrolled)

    def _render(self) -> None:
        if self._page is None:
            return
        self.document().setDefaultFont(font(Type.TEXT))
        self.document().setIndentWidth(Space.GAP)
        self.setMarkdown(without_other_links(self._page.text))
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        for block in self._blocks():
            _set_block(block)
            _set_words(block)
        for table in self.document().rootFrame().childFrames():
            if isinstance(table, QTextTable):
                _set_table(table)
        cursor.endEditBlock()
        self._mark()

    def _blocks(self) -> Iterator[QTextBlock]:
        block = self.document().begin()
        while block.isValid():
            yield block
            block = block.next()

    def _mark(self) -> None:
        marks = []
        for begin, end in matches(self.document().toPlainText(), self._wanted, self._needs_every):
            form = QTextCharFormat()
            form.setBackground(color(Role.WARN_TINT))
            form.setFontUnderline(True)
            form.setUnderlineColor(color(Role.WARN))
            marks.append(_marked(self._from(begin, end), form))
        if self.link:
            # Qt's own line of dots is all but invisible.
            form = QTextCharFormat()
            form.setBackground(color(Role.ACCENT))
            form.setForeground(color(Role.ON_ACCENT))
            marks.append(_marked(self.textCursor(), form))
        self.setExtraSelections(marks)

    def _from(self, begin: int, end: int) -> QTextCursor:
        cursor = QTextCursor(self.document())
        cursor.setPosition(begin)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def event(self, event: QEvent) -> bool:
        """Paint the ring of what has the keyboard around the page, not over its words."""
        done = super().event(event)
        kind = QEvent.Type
        if event.type() in (kind.FocusIn, kind.FocusOut):
            self._mark()
            self.update()
        elif event.type() == kind.Paint and self.hasFocus():
            painter, bar = QPainter(self), self.verticalScrollBar()
            beside = bar.width() if bar.isVisible() else 0
            focus_ring(painter, QRectF(self.rect().adjusted(0, 0, -beside, 0)), Radius.FIELD)
            painter.end()
        return done

    def resizeEvent(self, event: QResizeEvent) -> None:
        inside = self.width() - Space.PAGE - self.verticalScrollBar().width()
        right = max(inside - COLUMN, Space.PAGE)
        self.setViewportMargins(Space.PAGE, Space.GAP, right, 0)
        super().resizeEvent(event)
        if self._room != (room := max(1, inside - right)):
            self._room = room
            # Not now: a page that is being drawn may be what makes a scroll bar come or go.
            QTimer.singleShot(0, self, self.render_again)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        for kind, blocks in groupby(self._blocks(), key=_kind):
            if kind:
                fill, line = FILLS[kind]
                box(painter, self._around(list(blocks)), Radius.ITEM, fill, line)
        painter.end()
        super().paintEvent(event)

    def _around(self, blocks: list[QTextBlock]) -> QRectF:
        layout = self.document().documentLayout()
        first, last = layout.blockBoundingRect(blocks[0]), layout.blockBoundingRect(blocks[-1])
        top, bottom = first.top() - Space.CARDS, last.bottom() + Space.CARDS
        return QRectF(
            0, top - self.verticalScrollBar().value(), self.viewport().width(), bottom - top
        )


def _marked(cursor: QTextCursor, form: QTextCharFormat) -> QTextEdit.ExtraSelection:
    made = QTextEdit.ExtraSelection()
    made.cursor, made.format = cursor, form
    return made


def _kind(block: QTextBlock) -> str:
    form = block.blockFormat()
    if form.hasProperty(QTextFormat.Property.BlockCodeFence):
        return CODE
    return QUOTE if form.intProperty(QTextFormat.Property.BlockQuoteLevel) else ""


def _set_block(block: QTextBlock) -> None:
    form, kind = QTextBlockFormat(block.blockFormat()), _kind(block)
    line = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
    height = LINE_HEIGHT if kind != CODE else 120
    form.setLineHeight(100 if PICTURE in block.text() else height, line)
    if kind:
        inside = Space.GAP if kind == QUOTE else Space.CARDS
        is_first, is_last = _kind(block.previous()) != kind, _kind(block.next()) != kind
        form.setLeftMargin(inside)
        form.setRightMargin(inside)
        form.setTopMargin(Space.GAP if is_first else 0)
        form.setBottomMargin(Space.GAP if is_last else 0)
        form.setNonBreakableLines(False)
    elif form.headingLevel():
        form.setTopMargin(0 if form.headingLevel() == 1 else Space.CARD)
        form.setBottomMargin(Space.SMALL)
    elif block.textList() is not None:
        form.setTopMargin(0)
        form.setBottomMargin(Space.LABEL)
    else:
        form.setTopMargin(Space.SMALL if PICTURE in block.text() else 0)
        form.setBottomMargin(Space.SMALL if QTextCursor(block).currentTable() is None else 0)
    QTextCursor(block).setBlockFormat(form)


def _set_words(block: QTextBlock) -> None:
    level, is_code = block.blockFormat().headingLevel(), _kind(block) == CODE
    for begin, length, form in _fragments(block):
        if level:
            _take_font(form, font(HEADINGS.get(level, Type.TEXT), semibold=True))
        elif is_code or form.fontFixedPitch():
            _take_font(form, font(Type.QUIET, mono=True))
            form.setForeground(color(Role.TEXT))
        elif form.fontWeight() > QFont.Weight.Normal:
            form.setFontWeight(QFont.Weight.DemiBold)
        if form.isAnchor():
            form.setForeground(color(Role.ACCENT))
            form.setFontUnderline(True)
        cursor = QTextCursor(block)
        cursor.setPosition(begin)
        cursor.setPosition(begin + length, QTextCursor.MoveMode.KeepAnchor)
        cursor.setCharFormat(form)


def _fragments(block: QTextBlock) -> list[tuple[int, int, QTextCharFormat]]:
    """Runs of one format, read before any is changed."""
    found = []
    place = block.begin()
    while not place.atEnd():
        fragment = place.fragment()
        found.append((fragment.position(), fragment.length(), fragment.charFormat()))
        place += 1
    return found


def _take_font(form: QTextCharFormat, wanted: QFont) -> None:
    # Markdown's own size is relative, and would win.
    form.clearProperty(QTextFormat.Property.FontSizeAdjustment)
    form.setFont(wanted)


def _set_table(table: QTextTable) -> None:
    form = table.format()
    form.setBorderCollapse(True)
    form.setBorder(Space.HAIR)
    form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    form.setBorderBrush(QColor(color(Role.LINE)))
    form.setCellPadding(Space.LABEL)
    form.setTopMargin(Space.TIGHT)
    form.setBottomMargin(Space.CARDS)
    form.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(form)
