# SPDX-License-Identifier: Apache-2.0
"""Take over a codebook: choose it, read it, see what it would declare, tick what is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.data.codebook.read import ENDINGS
from dpdesk.desk.core.codebooks import (
    CodebookComparison,
    CodebookRequest,
    comparing,
    own_labels,
    wanted_file,
)
from dpdesk.desk.core.file_dialogs import existing_file
from dpdesk.desk.core.jobs.latest_job import LatestJob, Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.columns.codebook.codebook_review import CodebookReview
from dpdesk.desk.text import codebook_words, words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, scale
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.study.model.tables import MAIN

SURFACE = 960
LEAST_ROWS = 110
"""Two rows of the comparison and the head of a third: below that, the dialog scrolls, too."""


class CodebookDialog(Dialog):
    """Asks for a codebook and for what of it to take over; nothing changes before that.

    Args:
        window: the window to dim.
        session: the window's work.

    Signals:
        decided: the chosen changes, as a tuple, and what the codebook is called.
    """

    decided = Signal(object, str)

    def __init__(self, window: QWidget, session: Session) -> None:
        title = tr("CodebookDialog", "Import codebook")
        text = tr(
            "CodebookDialog", "dpdesk reads none of the data, and nothing changes until you import."
        )
        width = min(round(SURFACE * scale()), window.window().width() - 2 * Space.GAP)
        super().__init__(window, title, text, "book", width=SURFACE, most_width=width)
        self._session = session
        self._study = session.state.study
        self._latest = LatestJob(session.looks, self)
        self._wanted: CodebookRequest | None = None
        self._found: CodebookComparison | None = None
        self._own = own_labels(self._study, session.document.folder)
        self._of = MAIN
        self.of = ChoiceField(self.tr("&Columns of the table"))
        self.review = CodebookReview(self._study, bool(session.state.header))
        self.refusal = Banner(Tone.ERROR)
        self._waiting = Label(wrap=True)
        self._build()
        self._connect()
        self._show_start()

    def _build(self) -> None:
        self._start = QWidget()
        column = QVBoxLayout(self._start, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        self.own = secondary("", before="tag")
        self.own_line = quiet(self._about_own())
        self.choose = secondary(self.tr("Choose a codebook…"), before="folder")
        kinds = self.tr(
            "A REDCap data dictionary, a Table Schema or Data Package, CSVW, ISARIC ARC, a file "
            "of SPSS, Stata or SAS, or a CSV file with columns such as name, type, min, max and "
            "values."
        )
        parts: tuple[QWidget, ...] = (self.own, self.own_line, self.choose, quiet(kinds))
        for part in parts:
            column.addWidget(part)
        self.own.setEnabled(not self._session.waits_to_connect)
        self.own.setAccessibleDescription(self.own_line.text())
        self._show_own()
        self.of.setVisible(bool(self._study.tables))
        self.of.set_choices(self._tables(), MAIN)
        self.body.addWidget(self.of)
        for stage in (self._start, self._waiting, self.refusal, self.review):
            self.body.addWidget(stage)
        self.other = link(self.tr("Choose another file…"))
        self.buttons.insertWidget(0, self.other)
        self.add_safe(self.tr("Cancel"))
        self.ok = self.add_primary(self.tr("Import %n column(s)", "", 0))

    def _connect(self) -> None:
        self.own.clicked.connect(self._read_own)
        self.choose.clicked.connect(self.ask_file)
        self.other.clicked.connect(self.ask_file)
        self.review.ticked.connect(self._name_button)
        self.review.rows.entered_by_key.connect(self.ok.click)
        self.review.table_wanted.connect(self._read_table)
        self.of.picked.connect(self._read_of)
        self.review.catalogue_wanted.connect(self._ask_catalogue)

    def _about_own(self) -> str:
        if self._session.waits_to_connect:
            return self.tr("The file is on another computer: connect to it in Data first.")
        return self.tr("The file contains names, kinds and value labels beside the data.")

    # --- which codebook -------------------------------------------------------------------------

    def ask_file(self) -> bool:
        """Ask for a codebook and read it.

        Returns:
            Whether one was chosen.
        """
        endings = " ".join(f"*{ending}" for ending in ENDINGS)
        kinds = self.tr("Codebooks ({0});;All files (*)").format(endings)
        title = self.tr("Choose a codebook")
        over = self if self.isVisible() else self.parentWidget()
        chosen = existing_file(over, title, self._folder(), kinds)
        if chosen is not None:
            self.read(wanted_file(self._study, self._session.document.folder, chosen, self._of))
        return chosen is not None

    def _folder(self) -> str:
        """Where a codebook may lie: where the last one did, else beside the data."""
        return str(self._wanted.path.parent if self._wanted else self._session.data_folder)

    def _ask_catalogue(self) -> None:
        title = self.tr("Choose value labels")
        kinds = self.tr("SAS catalogues (*.sas7bcat);;All files (*)")
        chosen = existing_file(self, title, self._folder(), kinds)
        if chosen is not None and self._wanted is not None:
            self.read(replace(self._wanted, catalogue=chosen))

    def _read_own(self) -> None:
        if self._own is not None:
            self.read(self._own)

    def _tables(self) -> list[tuple[str, str]]:
        """The tables of the study, whose columns a codebook may be about."""
        main = (MAIN, self.tr("the main table"))
        return [main, *((table.name, table.name) for table in self._study.tables)]

    def _read_of(self, table: str) -> None:
        """Compare the codebook with another table's columns."""
        self._of = table
        self._own = own_labels(self._study, self._session.document.folder, table)
        self._show_own()
        if self._wanted is not None:
            self.read(replace(self._wanted, of=table, table=""))

    def _show_own(self) -> None:
        """Offer the labels in the table's own file, where it has any."""
        name = self._own.path.name if self._own else ""
        self.own.setText(self.tr("Import the labels in {0}").format(name))
        self.own.setVisible(self._own is not None)
        self.own_line.setVisible(self._own is not None)

    def _read_table(self, name: str) -> None:
        if self._wanted is not None:
            self.read(replace(self._wanted, table=name))

    # --- reading --------------------------------------------------------------------------------

    def read(self, wanted: CodebookRequest) -> None:
        """Read a codebook off the GUI thread and compare it."""
        self._wanted = wanted
        self._found = None
        self._waiting.setText(self.tr("Reading {0}…").format(wanted.path.name))
        self._show(self._waiting)
        self._of = wanted.of
        self.of.set_choices(self._tables(), wanted.of)
        header = self._session.headers_of(self._study).get(wanted.of, ())
        work = comparing(wanted, self._study, header, self._session.state.further)
        self._latest.run(work, self._take, self._refuse)

    def _take(self, comparison: Any) -> None:
        self._found = comparison
        self._show(self.review)
        self.review.show_compared(comparison)
        self._name_button()
        self._fit()
        self.review.focus_first()

    def _refuse(self, problems: Problems) -> None:
        sentence = " ".join(words.problem_sentence(problem) for problem in problems)
        place = problems[0].path if len(problems) == 1 else "$"
        located = self.tr("At {0}: {1}").format(place, sentence)
        self.refusal.say("", sentence if place == "$" else located)
        self._show(self.refusal)
        self.other.setFocus()

    # --- what is shown --------------------------------------------------------------------------

    def _show_start(self) -> None:
        self._show(self._start)
        (self.own if self._own is not None else self.choose).setFocus()

    def _show(self, part: QWidget) -> None:
        for one in (self._start, self._waiting, self.refusal, self.review):
            one.setVisible(one is part)
        self.other.setVisible(part in (self.refusal, self.review))
        self.ok.setVisible(part is self.review)
        self._fit()

    def _fit(self) -> None:
        """As high as there is something to show, in the middle of the window."""
        window = self.parentWidget()
        if window is None:
            return
        self.review.fit(LEAST_ROWS)
        # What is around the rows knows their height only then.
        lay_out_now()
        # On a low screen it is wider, and less is around the rows.
        self.settle()
        if self.review.isVisibleTo(self):
            around = self.needed_height() - self.review.rows.minimumHeight()
            room = window.window().height() - 2 * Space.CARD
            if self.is_low:
                room = self.screen().availableGeometry().height()
            self.review.fit(max(LEAST_ROWS, room - around))
            lay_out_now()
            self.settle()

    def _name_button(self) -> None:
        count = len(self.review.chosen)
        self.ok.setText(self.tr("Import %n column(s)", "", count))
        self.ok.updateGeometry()
        self.ok.setEnabled(count > 0)
        self.ok.setAccessibleDescription(self.review.note.sentence)

    def open(self) -> None:
        """Show what there is to choose, or what was read meanwhile."""
        super().open()
        self._fit()

    # --- the end --------------------------------------------------------------------------------

    def accept(self) -> None:
        """Hand the chosen changes over; there must be some."""
        chosen, found = self.review.chosen, self._found
        if not chosen or found is None or found.codebook is None:
            return
        super().accept()
        self.decided.emit(chosen, codebook_words.called(found.codebook))

    def done(self, result: int) -> None:
        """Read no longer."""
        self._latest.drop()
        super().done(result)
