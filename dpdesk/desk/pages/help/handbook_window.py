# SPDX-License-Identifier: Apache-2.0
"""The handbook in a window of its own: pages at the left, the one that is read at the right."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
    QTextDocument,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QDialog, QHBoxLayout, QMainWindow, QVBoxLayout, QWidget

from dpdesk.desk import placing
from dpdesk.desk.pages.help.contents_list import ContentsList
from dpdesk.desk.pages.help.find_bar import FindBar
from dpdesk.desk.pages.help.handbook import Handbook, HelpPage, without_other_links
from dpdesk.desk.pages.help.page_view import PageView, ReadingPlace
from dpdesk.desk.pages.help.ranking import Ranking, rank
from dpdesk.desk.pages.help.search import matches
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import Button, ButtonLook, icon_button, link, secondary
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import FieldFrame
from dpdesk.desk.widgets.inputs.search_edit import SearchEdit
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.study.regular_file import open_regular

FIRST_SIZE = QSize(900, 700)
LEAST_SIZE = QSize(640, 340)
MOST_OF_WIDTH = 0.42
"""The contents leave a page the larger part of the smallest windows."""
WITHIN = "\N{SINGLE RIGHT-POINTING ANGLE QUOTATION MARK}"


class Ground(QWidget):
    """A part of the window with its own ground and, at one edge, a line."""

    def __init__(self, fill: Role, edge: str = "") -> None:
        super().__init__()
        self._fill, self._edge = fill, edge

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter, place = QPainter(self), QRectF(self.rect())
        painter.fillRect(place, color(self._fill))
        lines = {
            "right": QRectF(place.right() - 1, 0, 1, place.height()),
            "bottom": QRectF(0, place.bottom() - 1, place.width(), 1),
            "top": QRectF(0, 0, place.width(), 1),
        }
        if self._edge:
            painter.fillRect(lines[self._edge], color(Role.LINE))
        painter.end()


class HandbookWindow(QMainWindow):
    """Shows pages, searches them all at once, and goes back and forward.

    A main window, so that it is read out as one; Qt calls a plain widget nothing in particular.

    Args:
        handbook: its pages.
    """

    def __init__(self, handbook: Handbook) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.page = ""
        self._handbook = handbook
        self._way: list[str] = []
        self._place = -1
        self._left_at: dict[int, ReadingPlace] = {}
        self._ranking = Ranking()
        self.search = SearchEdit()
        self.contents = ContentsList(handbook)
        self.view = PageView()
        self.find_bar = FindBar(self.view)
        self.back = icon_button("arrow-left", self.tr("Back (Alt+Left)"))
        self.forward = icon_button("arrow-right", self.tr("Forward (Alt+Right)"))
        self.print_button = secondary(self.tr("Print…"), before="print", small=True)
        self.before = link("", before="arrow-left")
        self.after = Button("", ButtonLook.LINK, after="arrow-right", small=True)
        self._where = ElidedLabel(role=Role.TEXT_QUIET)
        self._found = quiet("", wrap=False)
        # As the main window's: by itself Qt would put the program behind another dash.
        self.setWindowTitle(self.tr("Handbook") + " \N{EN DASH} dpdesk")
        # The program ends with its main window, whatever else is open.
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        placing.place(self, QRect())
        self._build()
        self._connect()

    def _build(self) -> None:
        content = QWidget()
        row = QHBoxLayout(content, spacing=0, contentsMargins=NO_MARGINS)
        row.addWidget(self._left())
        column = QVBoxLayout(spacing=0)
        column.addWidget(self._head())
        column.addWidget(self.view, 1)
        column.addWidget(self.find_bar)
        column.addWidget(self._foot())
        row.addLayout(column, 1)
        self.setCentralWidget(content)

    def _left(self) -> QWidget:
        made = self._side = Ground(Role.RAIL, "right")
        column = QVBoxLayout(made, spacing=Space.SMALL)
        column.setContentsMargins(Space.SMALL, Space.CARDS, Space.SMALL, Space.CARDS)
        self.search.setFont(font(Type.TEXT))
        self.search.setPlaceholderText(self.tr("Search the handbook"))
        self.search.setAccessibleName(self.tr("Search the handbook"))
        frame = FieldFrame(self.search)
        frame.insert(IconLabel("search", Role.TEXT_QUIET, Space.ICON_CHIP))
        frame.add(self._found)
        column.addWidget(frame)
        column.addWidget(self.contents, 1)
        here = QHBoxLayout(spacing=Space.SMALL)
        here.setContentsMargins(Space.SMALL, 0, 0, 0)
        here.addWidget(IconLabel("lock", Role.TEXT_QUIET, Space.ICON_CHIP))
        here.addWidget(quiet(self.tr("All of it is on this computer.")), 1)
        column.addLayout(here)
        return made

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The contents are as wide as their titles, if the window is wide enough."""
        wanted = self.contents.needed_width() + 2 * Space.SMALL
        self._side.setFixedWidth(min(wanted, round(MOST_OF_WIDTH * event.size().width())))
        super().resizeEvent(event)
        if self.page:
            self._show_beside()

    def _head(self) -> QWidget:
        made = Ground(Role.SURFACE, "bottom")
        row = QHBoxLayout(made, spacing=Space.SMALL)
        row.setContentsMargins(Space.PAGE, Space.SMALL, Space.CARDS, Space.SMALL)
        row.addWidget(self._where, 1)
        for button in (self.back, self.forward, self.print_button):
            row.addWidget(button)
        return made

    def _foot(self) -> QWidget:
        made = Ground(Role.SURFACE, "top")
        row = QHBoxLayout(made, spacing=Space.TIGHT)
        row.setContentsMargins(Space.CARD, Space.SMALL, Space.CARDS, Space.SMALL)
        row.addWidget(self.before)
        row.addStretch(1)
        row.addWidget(self.after)
        return made

    def _connect(self) -> None:
        self.search.textChanged.connect(self._search)
        self.search.returnPressed.connect(self._show_first_hit)
        self.contents.page_picked.connect(self.show_page)
        self.view.page_picked.connect(self.show_page)
        self.back.clicked.connect(partial(self._step, -1))
        self.forward.clicked.connect(partial(self._step, 1))
        self.print_button.clicked.connect(self._ask_paper)
        self.before.clicked.connect(partial(self._turn, 0))
        self.after.clicked.connect(partial(self._turn, 1))
        key = QKeySequence.StandardKey
        for keys, work in (
            (key.Back, partial(self._step, -1)),
            (key.Forward, partial(self._step, 1)),
            (key.Find, self.find_bar.begin),
            (key.Print, self._ask_paper),
            (key.Close, self.close),
        ):
            QShortcut(keys, self, work)

    def show_page(self, key: str) -> None:
        """Show a page; the way back leads to the one on show now.

        Raises:
            KeyError: there is no such page.
        """
        self._handbook.page(key)
        if key != self.page:
            self._leave()
            self._way = [*self._way[: self._place + 1], key]
            self._place += 1
        self._show(key)

    def _leave(self) -> None:
        """Remember where in its page one was at this place of the way."""
        self._left_at[self._place] = self.view.place

    def _step(self, by: int) -> None:
        if 0 <= self._place + by < len(self._way):
            self._leave()
            self._place += by
            self._show(self._way[self._place])
            self.view.return_to(self._left_at[self._place])

    def _turn(self, side: int) -> None:
        page = self._handbook.beside(self.page)[side]
        if page is not None:
            self.show_page(page.key)

    def _show(self, key: str) -> None:
        page, self.page = self._handbook.page(key), key
        self._where.setText(f"{page.chapter} {WITHIN} {page.title}")
        self.contents.select(key)
        self.view.show_page(page)
        if not self.contents.hasFocus():
            # The list reads out the page that is chosen in it.
            announce(self.view, page.title)
        self.back.setEnabled(self._place > 0)
        self.forward.setEnabled(self._place + 1 < len(self._way))
        self._show_beside()

    def _show_beside(self) -> None:
        """The pages before and after; each title has half of the foot's room."""
        room = (self.width() - self._side.width()) // 2 - 2 * Space.PAGE
        beside = self._handbook.beside(self.page)
        for button, page in zip((self.before, self.after), beside, strict=True):
            title = page.title if page is not None else ""
            cut = Qt.TextElideMode.ElideRight
            shown = button.fontMetrics().elidedText(title, cut, room)
            button.setVisible(page is not None)
            button.setText(shown.replace("&", "&&"))
            button.setAccessibleName(title)
            button.setToolTip(title if shown != title else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends what is searched for, and closes the window where nothing is."""
        if event.key() != Qt.Key.Key_Escape:
            super().keyPressEvent(event)
        elif self.search.text():
            self.search.clear()
        else:
            self.close()

    def _search(self, text: str) -> None:
        found = self._ranking = rank(self._handbook, text)
        self.view.mark(found.wanted, found.needs_every)
        self.contents.show_best(found.best, self.page)
        if not text.strip():
            self._found.setText("")
            self.contents.show_hits(None)
            return
        hits = {
            page.key: len(matches(page.text, found.wanted, found.needs_every))
            for page in self._handbook.pages
        }
        self.contents.show_hits(hits)
        count = len({key for key, number in hits.items() if number} | {*found.best})
        self._found.setText(self.tr("%n page(s)", "", count))
        announce(self.search, self._found.text())

    def _show_first_hit(self) -> None:
        if self._ranking.best:
            self.show_page(self._ranking.best[0])

    def _ask_paper(self) -> None:
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        dialog = QPrintDialog(printer, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Its signal of acceptance carries a printer or none, its own ``open`` wants a receiver.
        dialog.finished.connect(lambda result: self.put_on_paper(printer) if result else None)
        QDialog.open(dialog)

    def put_on_paper(self, printer: QPrinter) -> None:
        """Put the page on show on paper, black on white whatever the theme, or say it cannot be."""
        document = _document(self._handbook.page(self.page))
        if printer.outputFormat() is not QPrinter.OutputFormat.PdfFormat:
            document.print_(printer)
            return
        if _print_to_file(document, printer):
            return
        title = self.tr("The page was not printed")
        text = self.tr("dpdesk cannot save there. Choose another folder.")
        dialog = Dialog(self, title, text, "alert")
        dialog.add_safe(self.tr("Close"))
        dialog.open()


def _print_to_file(document: QTextDocument, printer: QPrinter) -> bool:
    """Print to a file, all of it or nothing; Qt says nothing of folders and disks that take none.

    Returns:
        Whether the file was written.
    """
    path = Path(printer.outputFileName())
    part = path.with_name(f".{path.stem}.part.pdf")
    printer.setOutputFileName(str(part))
    try:
        part.write_bytes(b"")
        document.print_(printer)
        with open_regular(part) as written:
            is_whole = written.read().rstrip().endswith(b"%%EOF")
        if is_whole:
            part.replace(path)
    except OSError:
        is_whole = False
    with suppress(OSError):
        part.unlink(missing_ok=True)
    printer.setOutputFileName(str(path))
    return is_whole


def _document(page: HelpPage) -> QTextDocument:
    made = QTextDocument()
    made.setMarkdown(without_other_links(page.text))
    return made
