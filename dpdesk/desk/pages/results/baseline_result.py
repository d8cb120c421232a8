# SPDX-License-Identifier: Apache-2.0
"""The card of a released Table 1: laid out as journals print it, its notes below."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QSaveFile, Qt
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.pages.results.baseline_grid import BaselineGrid
from dpdesk.desk.pages.results.card_tools import CardTools
from dpdesk.desk.pages.results.copied_table import CopiedCells
from dpdesk.desk.plots.pictures import ask_save
from dpdesk.desk.text import words
from dpdesk.desk.text.language import number_style
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, scale
from dpdesk.desk.widgets.accessibility.announcing import announce_copy
from dpdesk.desk.widgets.accessibility.role import say_once
from dpdesk.desk.widgets.buttons import Button, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.labels.made_up_mark import MadeUpMark
from dpdesk.desk.widgets.labels.made_up_mark import made_up as mark_of_made_up
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.desk.widgets.tables.copied_text import copied_text
from dpdesk.release.bundle.baseline.documents import latex, markdown, word_page
from dpdesk.release.bundle.baseline.layout import BaselineCell, ShownFigure
from dpdesk.release.bundle.baseline.printed import PrintedTable
from dpdesk.release.bundle.baseline.released import ReleasedBaseline
from dpdesk.study.model.baseline.declared import Figures

NARROW = 560
"""In a narrower card the tools are icons."""


class BaselineTools(CardTools):
    """Copies the table as a bundle's files have it, and saves it for a word processor.

    Attributes:
        printed: the table on show.
        word_button: saves it.
    """

    printed: PrintedTable | None = None

    def __init__(self, table: Callable[[], CopiedCells | None], mark: str) -> None:
        super().__init__(table, lambda: None, lambda: (), mark)
        self.word_button = secondary(self.tr("Save for Word…"), before="file", small=True)
        self.add_tool(self.word_button)
        self.word_button.clicked.connect(self.ask_save_for_word)

    def _named(self) -> tuple[tuple[Button, str], ...]:
        return (*super()._named(), (self.word_button, self.tr("Save for Word…")))

    def say_whose(self, title: str) -> None:
        super().say_whose(title)
        self.word_button.setAccessibleName(self.tr("Save for Word: {0}").format(title))
        say_once(self.word_button)

    def ask_save_for_word(self) -> None:
        """Ask where the table goes, as a page that word processors open with its borders."""
        printed = self.printed
        if printed is not None:
            title, kinds = self.tr("Save the table for Word"), self.tr("Web pages (*.html)")
            name = f"{self.file_mark}{printed.id}.html"
            ask_save(self, name, lambda path: _save(path, self._word_page(printed)), title, kinds)

    def _word_page(self, printed: PrintedTable) -> bytes:
        """A rehearsal's says above the table that its figures are made up."""
        return word_page(replace(printed, title=f"{self.title_mark}{printed.title}"))

    def copy_as(self, form: str) -> None:
        """Put the whole table on the clipboard as ``markdown`` or ``latex``."""
        if self.printed is not None:
            write = markdown if form == "markdown" else latex
            QGuiApplication.clipboard().setText(write(self.printed))
            announce_copy(self)


def _save(path: Path, content: bytes) -> bool:
    """Write a file whole or not at all; whether it was written."""
    file = QSaveFile(str(path))
    is_open = file.open(QSaveFile.OpenModeFlag.WriteOnly)
    return is_open and file.write(content) >= 0 and file.commit()


class BaselineResult(QWidget):
    """The card of one Table 1.

    Args:
        made_up: its figures are a rehearsal's.
    """

    def __init__(self, made_up: bool = False) -> None:
        super().__init__()
        self._title = heading("", wrap=True)
        self._is_made_up = made_up
        mark = MadeUpMark(self)
        mark.setVisible(made_up)
        word = mark_of_made_up() if made_up else ""
        self.tools = BaselineTools(self._copied, word)
        self.tools.offer_picture(False, False)
        self.grid = BaselineGrid(self.tr("Table 1"), made_up)
        self._notes, self._copied_notes = quiet(""), ""
        self._card = Card()
        head = AlignedRow(spacing=Space.SMALL)
        head.addWidget(self._title, 1)
        head.addWidget(mark, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addWidget(self.tools, 0, Qt.AlignmentFlag.AlignTop)
        self._card.body.addLayout(head)
        self._card.body.addWidget(self.grid)
        self._card.body.addWidget(self._notes)
        column = QVBoxLayout(self, contentsMargins=NO_MARGINS)
        column.addWidget(self._card)
        self.tools.copy_wanted.connect(self.copy)
        self.grid.copy_wanted.connect(self.copy)

    def show_table(self, released: ReleasedBaseline) -> None:
        """Show a table of a release, in the window's language."""
        table = self.tools.printed = released.printed
        self._title.setText(table.title)
        self._card.setAccessibleName(table.title)
        self.tools.say_whose(table.title)
        self.grid.setAccessibleName(table.title)
        self.grid.show_table(table, list(_tooltips(released)))
        said = [*table.notes, self.tr("Point at a figure for all its margins.")]
        if table.noisy:
            said.append(self.tr("In a dashed frame: too noisy to use."))
        self._notes.setText(" ".join(said))
        self._copied_notes = " ".join(filter(None, (*table.notes, table.noisy)))

    def copy(self) -> None:
        """Put the table on the clipboard as a spreadsheet takes it."""
        heads, rows = self.grid.copied()
        figures = range(1, len(heads))
        style = number_style()
        text = copied_text(heads, rows, figures, group=style.group, note=self._copied_notes)
        QGuiApplication.clipboard().setText(text)
        announce_copy(self)

    def _copied(self) -> CopiedCells | None:
        heads, rows = self.grid.copied()
        return CopiedCells(heads, rows, range(1, len(heads)), self._copied_notes)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.tools.set_narrow(event.size().width() < round(NARROW * max(1.0, scale())))


def _tooltips(released: ReleasedBaseline) -> Iterator[list[str]]:
    """Of each printed row, what its cells show: every figure with its margin."""
    rows = iter(released.layout.rows)
    for line in released.printed.rows:
        if not line.cells:
            yield []
            continue
        row = next(rows)
        yield [_every_margin(row.figures, cell) for cell in row.cells]


def _every_margin(figures: Figures, cell: BaselineCell) -> str:
    named = zip(_names()[figures], (cell.main, *cell.beside), strict=False)
    shown = (_with_margin(name, one, figures) for name, one in named if one.value)
    return "\n".join(shown)


def _with_margin(name: str, one: ShownFigure, figures: Figures) -> str:
    value, margin = words.in_column(one.value), words.in_column(one.half_width)
    if not margin:
        return tr("BaselineResult", "{0}: {1}, margin not known").format(name, value)
    if figures == "quantiles":
        return tr("BaselineResult", "{0}: {1}, rank ± {2}").format(name, value, margin)
    return tr("BaselineResult", "{0}: {1} ± {2}").format(name, value, margin)


def _names() -> dict[Figures, tuple[str, ...]]:
    """What the figures of a cell are called."""
    percent = tr("BaselineResult", "Per cent")
    return {
        "rows": (tr("BaselineResult", "Number"),),
        "counts": (tr("BaselineResult", "Number"), percent),
        "moments": (tr("BaselineResult", "Mean"), tr("BaselineResult", "Standard deviation")),
        "quantiles": (
            tr("BaselineResult", "Median"),
            tr("BaselineResult", "Lower quartile"),
            tr("BaselineResult", "Upper quartile"),
        ),
        "missing": (tr("BaselineResult", "Missing"), percent),
    }
