# SPDX-License-Identifier: Apache-2.0
"""The columns of a data file; its first rows stay masked until they are asked for."""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from dpdesk.data.inspection.number_marks import NumberMarks
from dpdesk.desk.core.files.file_summary import rows_of, top_of
from dpdesk.desk.core.files.file_warnings import FileWarnings, find_warnings
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.column_words import column_kinds, declared_of
from dpdesk.desk.pages.data.shown_file import ShownFile
from dpdesk.desk.pages.data.unclosed_quotes_note import UnclosedQuotesNote
from dpdesk.desk.text import read_words, words
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.desk.widgets.tab_stop import show_down_to
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.study.model.document import Study
from dpdesk.study.model.text_folding import tidy

MASKED_ROWS = 6
ROWS_AT_ONCE = 10
"""So many of the rows are on show at once; the table scrolls to the others."""
SHOWN_ROWS = 50
MANY_COLUMNS = 500
"""To look through the first rows of so many takes longer than a click may."""

_BY_PLACE = re.compile(r"\(column \d+\)$")

Rows = list[list[str]]


class FilePreview(QWidget):
    """A table of the file's columns, and the button that shows or hides its rows.

    Args:
        session: the window's work.
        shown: which of the study's files it is about.

    Signals:
        marks_confirmed: how numbers are written was confirmed; carries ``NumberMarks``.
    """

    marks_confirmed = Signal(object)
    ring_room = RING

    def __init__(self, session: Session, shown: ShownFile, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._file = shown
        self._latest = LatestJob(session.looks, self)
        self._rows: Rows = []
        self._rows_of: object = None
        self._shown: tuple[list[tuple[str, ...]], list[str]] = ([], [])
        self._head = heading("")
        self._second = quiet()
        self.show_rows = secondary(self.tr("Show rows"), before="eye", small=True)
        self._wants_rows = self._just_asked = False
        self._model = RowsModel(())
        self.table = DataTable(
            self._model, self.tr("Columns of the file"), Space.FIELD, copies=False, stretch=-1
        )
        self._remark = Remark()
        self._warnings = LatestJob(session.looks, self)
        self._warned_of: object = None
        self.question = Remark()
        self.ragged_rows = Remark()
        self.synced = Remark()
        self.marks = Banner(Tone.ATTENTION)
        self._marks: tuple[NumberMarks, ...] = ()
        self._marks_answered: object = None
        self.open_lines = UnclosedQuotesNote(session, shown)
        self._frame = Card()
        self._note = Banner(Tone.INFO, icon="eye-off")
        self._build()
        self.show_rows.clicked.connect(lambda: self._show_or_hide(not self._wants_rows))
        self.marks.action_pressed.connect(lambda: self._confirm_marks(0))
        self.marks.second_pressed.connect(lambda: self._confirm_marks(1))

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.CARDS)
        row = AlignedRow(spacing=Space.SMALL)
        row.addWidget(self._head)
        row.addWidget(self._second, 1)
        row.addWidget(self.show_rows)
        column.addLayout(row)
        self.table.fill(self._frame)
        self.table.delegate.column_lines = True
        column.addWidget(self.open_lines)
        for remark in (self.synced, self.question, self._remark, self.ragged_rows):
            column.addWidget(remark)
        column.addWidget(self.marks)
        self.marks.hide()
        column.addWidget(self._frame)
        column.addWidget(self._note)
        column.addStretch(1)

    def forget(self) -> None:
        """Another study is open, or another file on show: mask its rows."""
        self._show_or_hide(False)

    def _show_or_hide(self, wanted: bool) -> None:
        if wanted is not self._wants_rows:
            self._wants_rows = self._just_asked = wanted
            self.render_state()

    @property
    def _seeks_header(self) -> bool:
        """Whether the rows are needed to find which of them names the columns."""
        codes = [p.code for p in self._file.summary.problems]
        return codes == ["header-row-not-chosen"]

    def render_state(self) -> None:
        header = self._file.header
        self._say_count(len(header))
        self._say_by_place(header)
        self._find_warnings()
        can = bool(header) or self._seeks_header
        wanted = self._wants_rows and can
        if wanted:
            self._ask_rows()
        else:
            self._drop_rows()
        self.show_rows.setEnabled(can)
        self.show_rows.setText(self.tr("Hide rows") if wanted else self.tr("Show rows"))
        self.show_rows.set_before("eye-off" if wanted else "eye")
        self.show_rows.setAccessibleName(self.show_rows.text())
        self.show_rows.updateGeometry()
        self._show()

    def _say_count(self, count: int) -> None:
        self._head.setText(self.tr("%n column(s)", "", count) if count else self.tr("Columns"))
        if count:
            self._second.setText(self.tr("You declare in Columns what they contain."))
        elif self._file.is_looking:
            self._second.setText(self.tr("Being read…"))
        else:
            self._second.setText(self.tr("Known once the file can be read."))

    def _say_by_place(self, header: tuple[str, ...]) -> None:
        """Some columns have no name of their own, or one that others have too."""
        named = next((name for name in header if _BY_PLACE.search(name)), "")
        template = self.tr(
            "Columns with a missing or duplicate name are distinguished by position, as in {0}."
        )
        self._remark.say(template.format(named) if named else "")

    def _find_warnings(self) -> None:
        """Look for warnings where the file, or how it is read, is another than before."""
        source, others = self._file.source, self._file.others
        key = (self._file.version, others)
        if key == self._warned_of:
            return
        self._warned_of = key
        self._warnings.drop()
        self._show_warnings(FileWarnings())
        if source is not None and self._file.header:
            self._warnings.run(
                find_warnings(source, self._file.folder, others),
                self._show_warnings,
                lambda _problems: None,
                is_long=len(self._file.header) > MANY_COLUMNS,
            )

    def _confirm_marks(self, place: int) -> None:
        if place < len(self._marks):
            chosen = self._marks[place]
            if len(self._marks) > 1:
                self._marks_answered = self._marks_file()
            self._say_marks(())
            self.marks_confirmed.emit(chosen)

    def _marks_file(self) -> tuple[Path, str] | None:
        source = self._file.source
        return None if source is None else (self._file.folder / source.path, source.sheet)

    def _say_marks(self, marks: tuple[NumberMarks, ...]) -> None:
        """Propose how numbers are written, or ask; nothing is read so before it is confirmed."""
        is_answered = len(marks) > 1 and self._marks_answered == self._marks_file()
        self._marks = marks = () if is_answered else marks
        self.marks.setVisible(bool(marks))
        if len(marks) == 1:
            example = read_words.number_example(marks[0])
            self.marks.say(
                self.tr("Numbers seem to be written as in {0}.").format(example),
                self.tr(
                    "All numbers in the first rows are, but dpdesk now reads them differently."
                ),
            )
            self.marks.set_action(self.tr("Read them this way"))
        elif marks:
            said = self.tr("All numbers in the first rows fit both. How are they written?")
            self.marks.say(self.tr("Numbers can be read in two ways."), said)
            ways = [self.tr("As in {0}").format(read_words.number_example(one)) for one in marks]
            self.marks.set_action(*ways[:2])

    def _show_warnings(self, warnings: FileWarnings) -> None:
        self._say_marks(warnings.marks)
        pairs = ((self.question, warnings.question), (self.synced, warnings.synced))
        for remark, problem in pairs:
            remark.say("" if problem is None else words.problem_sentence(problem))
        self.open_lines.show_lines(warnings.ragged_rows)
        lines = warnings.ragged_rows.lines
        listed = ", ".join(map(words.grouped, lines))
        if warnings.ragged_rows.more:
            template = self.tr(
                "Rows with too few or too many cells, on lines {0} and others: missing cells "
                "count as empty, extra cells are left out."
            )
        else:
            template = self.tr(
                "%n row(s) with too few or too many cells, on line(s) {0}: missing cells "
                "count as empty, extra cells are left out.",
                "",
                len(lines),
            )
        self.ragged_rows.say(template.format(listed) if lines else "")

    def _show(self) -> None:
        shown = self._rows_of is not None and not self._latest.is_pending
        header = self._file.header
        if shown and not header:
            self._put_top()
        else:
            count = len(header)
            rows = [tuple((*row, *[""] * count)[:count]) for row in self._rows]
            kinds = column_kinds(self._study, self._file.place.table, header)
            heads = [f"{name}\n{kind}" for name, kind in zip(header, kinds, strict=True)]
            self._put(rows if shown else [("",) * count] * MASKED_ROWS, heads)
            self._model.missing = self._missing(rows, header) if shown else frozenset()
            self.table.viewport().update()
        self.table.delegate.masked = not shown
        self._model.accessible_cell = "" if shown else self.tr("masked")
        self.table.fit_height(ROWS_AT_ONCE if shown else MASKED_ROWS)
        self._frame.setVisible(shown or bool(header))
        self._note.setVisible(self._frame.isVisibleTo(self))
        self._say(shown)

    @property
    def _study(self) -> Study:
        return self._session.state.study

    def _missing(
        self, rows: list[tuple[str, ...]], header: tuple[str, ...]
    ) -> Set[tuple[int, int]]:
        """Cells whose text is declared to mean that there is no value."""
        source, declared = self._file.source, declared_of(self._study, self._file.place.table)
        of_all = {tidy(text) for text in (source.missing if source is not None else ())}
        columns = [declared.get(name) for name in header]
        own = [{tidy(text) for text in c.missing_values} if c else set() for c in columns]
        return {
            (row, place)
            for row, cells in enumerate(rows)
            for place, cell in enumerate(cells)
            if tidy(cell) in of_all | own[place]
        }

    def _put_top(self) -> None:
        """Rows under no names: each says its own number."""
        width = max((len(row) for row in self._rows), default=0)
        numbered = [(str(n), *row) for n, row in enumerate(self._rows, start=1)]
        rows = [tuple((*row, *[""] * width)[: width + 1]) for row in numbered]
        self._put(rows, [self.tr("Row"), *[""] * width])

    def _put(self, rows: list[tuple[str, ...]], heads: list[str]) -> None:
        """Fill the table, unless it says so already: it stays where it was scrolled to."""
        if (rows, heads) != self._shown:
            self._shown = (rows, heads)
            self._model.set_rows(rows, heads)

    def _say(self, shown: bool) -> None:
        self._note.set_icon("eye" if shown else "eye-off")
        if shown:
            text = self.tr("For your eyes only: none of this is stored, exported or logged.")
            self._note.say(self.tr("Rows are shown."), text)
        else:
            text = self.tr("You can finish a study without seeing a single row.")
            self._note.say(self.tr("Values are masked."), text)

    def _drop_rows(self) -> None:
        self._latest.drop()
        self._rows, self._rows_of = [], None

    def _ask_rows(self) -> None:
        """Read the first rows where the file, or how it is read, is another than before."""
        source, folder = self._file.source, self._file.folder
        key = self._file.version
        if source is None or key == self._rows_of:
            return
        self._rows_of = key
        seeks = self._seeks_header
        work = top_of(source, folder) if seeks else rows_of(source, folder, SHOWN_ROWS)
        self._latest.run(work, self._take_rows, lambda _problems: self._take_rows([]))

    def _take_rows(self, rows: Rows) -> None:
        self._rows = rows
        self._show()
        # On a low screen they would come below what is on show; read anew they stay.
        if self._just_asked:
            self._just_asked = False
            QTimer.singleShot(0, self, self._bring_up_rows)

    def _bring_up_rows(self) -> None:
        lay_out_now()
        show_down_to(self.show_rows, self._note)
