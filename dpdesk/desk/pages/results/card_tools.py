# SPDX-License-Identifier: Apache-2.0
"""What is in the head of a card with figures: copy the table, save the chart as a picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QWidget

from dpdesk.desk.pages.results.copied_table import CopiedCells, as_latex, as_markdown
from dpdesk.desk.plots.picture_heading import PictureHeading
from dpdesk.desk.plots.pictures import ask_save_picture, picture_of
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.accessibility.announcing import announce_copy
from dpdesk.desk.widgets.accessibility.opener import open_menu
from dpdesk.desk.widgets.accessibility.role import say_once
from dpdesk.desk.widgets.buttons import Button, menu_button, secondary
from dpdesk.release.bundle.bundle_zip import MADE_UP


class CardTools(QWidget):
    """The buttons of one card.

    Args:
        table: what is copied for other programs; ``None`` where there is none.
        chart: what a picture is taken of; ``None`` while none is on show.
        lines: what is below the title in a picture, such as what the margins mean.
        mark: what is before the title in a picture and in its file's name.


    Signals:
        copy_wanted: the table is to be copied as a spreadsheet takes it.
    """

    copy_wanted = Signal()

    def __init__(
        self,
        table: Callable[[], CopiedCells | None],
        chart: Callable[[], QWidget | None],
        lines: Callable[[], Iterable[str]],
        mark: str = "",
    ) -> None:
        super().__init__()
        self._mark = f"{mark}: " if mark else ""
        self._table, self._chart, self._lines = table, chart, lines
        self._title = ""
        self._is_narrow = False
        self.copy_button = secondary(self.tr("Copy table"), before="copy", small=True)
        self.save_picture = secondary(self.tr("Save picture…"), before="picture", small=True)
        self.more = menu_button(self.tr("Copy in another form"))
        row = self._row = QHBoxLayout(self, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        for tool in (self.copy_button, self.save_picture, self.more):
            row.addWidget(tool)
        self.copy_button.clicked.connect(self.copy_wanted)
        self.save_picture.clicked.connect(self._save)
        self.more.clicked.connect(self._open_menu)

    @property
    def title_mark(self) -> str:
        """What is before a title that leaves the window; empty for what was released."""
        return self._mark

    @property
    def file_mark(self) -> str:
        """The same before a file's name."""
        return MADE_UP if self._mark else ""

    def add_tool(self, tool: Button) -> None:
        """A button before that of other forms."""
        self._row.insertWidget(self._row.indexOf(self.more), tool)

    def say_whose(self, title: str) -> None:
        self._title = title
        self.copy_button.setAccessibleName(self.tr("Copy table: {0}").format(title))
        self.save_picture.setAccessibleName(self.tr("Save picture: {0}").format(title))
        self.more.setAccessibleName(self.tr("Copy in another form: {0}").format(title))
        for tool in (self.copy_button, self.save_picture, self.more):
            say_once(tool)

    def offer_picture(self, is_there: bool, is_on_show: bool) -> None:
        """Beside a table that can be drawn, too, the button keeps its place, but does nothing."""
        self.save_picture.setVisible(is_there)
        self.save_picture.setEnabled(is_on_show)

    def _named(self) -> tuple[tuple[Button, str], ...]:
        return (
            (self.copy_button, self.tr("Copy table")),
            (self.save_picture, self.tr("Save picture…")),
        )

    def set_narrow(self, is_narrow: bool) -> None:
        if is_narrow is self._is_narrow:
            return
        self._is_narrow = is_narrow
        for button, text in self._named():
            button.setText("" if is_narrow else text)
            button.setToolTip(text if is_narrow else "")
            button.updateGeometry()

    def copy_as(self, form: str) -> None:
        """Put the whole table on the clipboard as ``markdown`` or ``latex``."""
        cells = self._table()
        if cells is not None:
            write = as_markdown if form == "markdown" else as_latex
            text = write(cells)
            QGuiApplication.clipboard().setText(text)
            announce_copy(self)

    def copy_picture(self) -> None:
        chart = self._chart()
        if chart is not None:
            QGuiApplication.clipboard().setImage(picture_of(chart, self._heading()))
            announce_copy(self)

    def _save(self) -> None:
        chart = self._chart()
        if chart is not None:
            ask_save_picture(self, chart, self._heading())

    def _heading(self) -> PictureHeading:
        """The card's words, without which a picture says of nobody what it shows."""
        return PictureHeading(f"{self._mark}{self._title}", tuple(self._lines()))

    def _open_menu(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        ways = [
            (self.tr("Copy as &Markdown"), lambda: self.copy_as("markdown")),
            (self.tr("Copy as &LaTeX"), lambda: self.copy_as("latex")),
        ]
        if self._chart() is not None:
            ways.append((self.tr("Copy as &picture"), self.copy_picture))
        for text, work in ways:
            action = QAction(text, menu)
            action.triggered.connect(lambda _on=False, work=work: work())
            menu.addAction(action)
        open_menu(menu, self.more)
