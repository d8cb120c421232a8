# SPDX-License-Identifier: Apache-2.0
"""Check against the file: an explicit look whether cells can be read as declared.

All that it finds stays in this card and in the question that belongs to it: not in the session,
the study, the settings or another text of the window. It is gone when study or file change. The
constant proof exempts the texts of this card alone.
"""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from html import escape

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.data.inspection.cell_check import NEARLY_ALL, ColumnCheck, check_cells, checked_columns
from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.jobs.latest_job import LatestJob
from dpdesk.desk.core.session import Session
from dpdesk.desk.text import check_words, words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.emptying import empty
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.desk.widgets.layouts.flush import FlushRow
from dpdesk.desk.widgets.spoken.announcing import announce
from dpdesk.desk.widgets.tab_stop import bring_on_show
from dpdesk.desk.widgets.work_bar import WorkBar
from dpdesk.study.model.columns import Column, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Problem

Subject = tuple[Study, tuple[int, int] | None]
"""What was checked: the study but for its extract's name, and the file's size and moment."""


MOST_TOLD = 5
MOST_ON_A_LINE = 28


class CheckCard(Card):
    """The check's card at Release.

    Signals:
        column_wanted: a column's declaration is to be changed; carries its name.
    """

    column_wanted = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._latest = LatestJob(session.jobs, self)
        self._found: tuple[ColumnCheck, ...] | None = None
        self._subject: Subject | None = None
        self._agreed = False
        self.question: UnreadableDialog | None = None
        self.button = secondary("", small=True)
        self.cancel = secondary(self.tr("Cancel"), small=True)
        self.bar = WorkBar()
        self._line = quiet()
        self._rows = QVBoxLayout(spacing=Space.TIGHT)
        self._was_running = False
        self._title = self.head(self.tr("Check against the file"))
        self._coarse = quiet(self.tr("Deliberately coarse. Stays on this computer, in no release."))
        self._beside = QVBoxLayout(contentsMargins=NO_MARGINS)
        self._below = QVBoxLayout(contentsMargins=NO_MARGINS)
        self._build()
        self._show()

    def _build(self) -> None:
        head = FlushRow(spacing=Space.SMALL)
        head.addWidget(self._title)
        head.addLayout(self._beside, 1)
        self._beside.addWidget(self._coarse)
        head.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.cancel, 0, Qt.AlignmentFlag.AlignTop)
        self.bar.setAccessibleName(self.tr("Reading the file"))
        self.cancel.setAccessibleName(self.tr("Cancel the check"))
        self.body.addLayout(head)
        self.body.addLayout(self._below)
        self.body.addWidget(self.bar)
        self.body.addLayout(self._rows)
        self.body.addWidget(self._line)
        self.button.clicked.connect(self.start)
        self.cancel.clicked.connect(self.stop)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the width anew."""
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put the remark below the head where it would take more than two lines beside it."""
        around = self.body.contentsMargins()
        buttons = max(self.button.sizeHint().width(), self.cancel.sizeHint().width())
        used = self._title.sizeHint().width() + buttons + 2 * Space.SMALL
        room = self.width() - around.left() - around.right() - used
        whole = self._coarse.fontMetrics().horizontalAdvance(self._coarse.text())
        wanted, other = self._beside, self._below
        if 2 * room < whole:
            wanted, other = other, wanted
        if wanted.indexOf(self._coarse) < 0:
            other.removeWidget(self._coarse)
            wanted.addWidget(self._coarse)

    # --- the check ------------------------------------------------------------------------------

    def start(self) -> None:
        """Read the file off the GUI thread, because somebody asked for it."""
        self.forget()
        study, folder = self._session.state.study, self._session.document.folder

        def work(progress: Progress, cancel: CancelToken) -> tuple[ColumnCheck, ...]:
            return check_cells(study, folder, progress, cancel)

        self._subject = self._now()
        self.bar.begin()
        self._latest.run(work, self._finished, self._refused, self._progress)
        self._show()

    def stop(self) -> None:
        """Cancel a check that is running."""
        self._latest.drop()
        self._show()

    def forget(self) -> None:
        """Drop what was found."""
        self._found, self._subject, self._agreed = None, None, False
        self.stop()

    def render_state(self) -> None:
        """Drop what was found of another study or file."""
        if self._subject is not None and self._subject != self._now():
            self.forget()
        else:
            self._show_button()

    def _now(self) -> Subject:
        study = self._session.state.study
        if study.data is None:
            return study, None
        path = self._session.document.folder / study.data.path
        try:
            status = os.stat(path)
        except (OSError, ValueError):
            moment = None
        else:
            moment = (status.st_size, status.st_mtime_ns)
        return replace(study, data=replace(study.data, extract="")), moment

    def _progress(self, done: int, total: int) -> None:
        self.bar.show_done(done, total)

    def _finished(self, checks: tuple[ColumnCheck, ...]) -> None:
        if self._subject == self._now():
            self._found = checks
        self._show()

    def _refused(self, problems: tuple[Problem, ...]) -> None:
        self._subject = None
        self._show()
        self._line.setText(" ".join(words.problem_sentence(p) for p in problems))

    # --- what it says ---------------------------------------------------------------------------

    def _show(self) -> None:
        running = self._latest.is_pending
        had_keyboard = self.button.hasFocus() or self.cancel.hasFocus()
        self.bar.setVisible(running)
        # What goes is hidden last: it hands the keyboard to what comes, not out of the card.
        coming = self.cancel if running else self.button
        coming.setVisible(True)
        self._show_button()
        if had_keyboard and coming.isEnabled():
            coming.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cancel.setVisible(running)
        self.button.setVisible(not running)
        self._clear()
        self._line.setText(self._sentence(running))
        named = self._named()
        for check, column in named:
            self._rows.addWidget(self._row(check, column))
        if self._was_running and not running:
            self._announce(named)
            # What was found has its place only after the next layout.
            QTimer.singleShot(0, self, self._bring_findings_on_show)
        self._was_running = running

    def _bring_findings_on_show(self) -> None:
        """Scroll to the card, and where it is higher than the page to what was found first."""
        lay_out_now()
        bring_on_show(self)
        places = [item.widget() for item in map(self._rows.itemAt, range(self._rows.count()))]
        for found in (places[-1:] + places[:1]) or [self._line]:
            bring_on_show(found)

    def _announce(self, named: list[tuple[ColumnCheck, Column]]) -> None:
        """What was found: of what cannot be read, else of all, as much as one can listen to."""
        bad = [pair for pair in named if pair[0].readable != NEARLY_ALL]
        told = [
            f"{column_title(column)}: {check_words.finding(column, check)}"
            for check, column in (bad or named)[:MOST_TOLD]
        ]
        announce(self, " ".join(told))

    def _show_button(self) -> None:
        again = self._found is not None
        self.button.setText(self.tr("Check again") if again else self.tr("Check"))
        self.button.updateGeometry()
        data = self._session.state.study.data
        there = data is not None and bool(data.path) and not self._session.waits_to_connect
        self.button.setEnabled(there and bool(checked_columns(self._session.state.study)))

    def _sentence(self, running: bool) -> str:
        if running:
            return self.tr("Reading the file.")
        if self._found is None:
            return self.tr("Can the cells of the columns in use be read as you declared them?")
        return self.tr(
            "A column with a list of values is named here only if hardly any cell, or none, is on "
            "its list."
        )

    def _named(self) -> list[tuple[ColumnCheck, Column]]:
        study = self._session.state.study
        pairs = [(check, study.column(check.name)) for check in self._found or ()]
        return [(check, column) for check, column in pairs if column is not None]

    def _row(self, check: ColumnCheck, column: Column) -> QWidget:
        line = QWidget()
        row = QHBoxLayout(line, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        good = check.readable == NEARLY_ALL
        mark = ("check", Role.OK) if good else ("alert", Role.WARN)
        row.addWidget(IconLabel(*mark))
        row.addWidget(_bounded(column_title(column)))
        said = check_words.finding(column, check)
        said = f"{said} {check_words.remedy(column)}" if check.stands_in_the_way else said
        row.addWidget(quiet(said), 1)
        if not good:
            change = link(check_words.action(column))
            change.setAccessibleDescription(f"{column_title(column)}: {said}")
            change.clicked.connect(partial(self.column_wanted.emit, column.name))
            row.addWidget(change)
        return line

    def _clear(self) -> None:
        empty(self._rows)

    # --- once in the way ------------------------------------------------------------------------

    @property
    def stands_in_the_way(self) -> bool:
        """Whether a column can hardly be read and nobody has gone on all the same."""
        self.render_state()
        return not self._agreed and any(check.stands_in_the_way for check, _ in self._named())

    def ask(self) -> UnreadableDialog:
        """Ask once more, with what was found and what would fix it."""
        unread = [pair for pair in self._named() if pair[0].stands_in_the_way]
        dialog = self.question = UnreadableDialog(self, unread)
        dialog.accepted.connect(self._agree)
        dialog.column_wanted.connect(self.column_wanted)
        dialog.open()
        return dialog

    def _agree(self) -> None:
        self._agreed = True


def _bounded(title: str) -> Label:
    """A column's name, on several lines where it is long."""
    label = Label(title, semibold=True, wrap=len(title) > MOST_ON_A_LINE)
    if label.wordWrap():
        label.setFixedWidth(MOST_ON_A_LINE * label.fontMetrics().averageCharWidth())
    return label


class UnreadableDialog(Dialog):
    """Asked once before a release of columns that can hardly be read; it belongs to the card.

    Signals:
        column_wanted: a column's declaration is to be changed; carries its name.
    """

    column_wanted = Signal(str)

    def __init__(self, card: CheckCard, unread: list[tuple[ColumnCheck, Column]]) -> None:
        title = QCoreApplication.translate(
            "CheckCard", "Release %n column(s) that can hardly be read?", "", len(unread)
        )
        lines = [
            f"<b>{escape(column_title(column))}</b>: "
            f"{escape(check_words.finding(column, check))} {escape(check_words.remedy(column))}"
            for check, column in unread
        ]
        super().__init__(card, title, "<br>".join(lines), "alert", Role.DANGER)
        back = self.add_safe(QCoreApplication.translate("CheckCard", "Not now"))
        if len(unread) == 1:
            ((_, column),) = unread
            back.setText(check_words.action(column))
            back.clicked.connect(lambda: self.column_wanted.emit(column.name))
        self.add_danger(QCoreApplication.translate("CheckCard", "Release anyway"))
        back.setFocus()
