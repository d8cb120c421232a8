# SPDX-License-Identifier: Apache-2.0
"""After the release: the figures with their margins, and the signed bundle."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.dossier.dossier_dialog import DossierDialog
from dpdesk.desk.pages.keys.key_dialog import UnlockDialog
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.text import words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.result_words import noisy_rows
from dpdesk.desk.text.times import when
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.inputs.field import ChoiceField
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.laying_out import lay_out_now
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.signed_bundle import build, bundle_name
from dpdesk.release.record.values import ReleasedQuery, newest_form
from dpdesk.release.run import ReleaseDone
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import SigningKey
from dpdesk.study.model.amount import Share
from dpdesk.study.model.columns import NumberColumn, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.magnitudes import offered
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.problem import Refused

MOST_TABS = 6
"""More queries than that do not stand side by side; they are picked from a list."""

LONGEST_TAB = 28
"""So many characters of a title a tab holds; longer ones are read in a list."""


class _Picker(ChoiceField):
    """The queries of a large release, in one list."""

    def __init__(self, names: list[tuple[str, str, str]], label: str) -> None:
        super().__init__(label)
        self._names = [(key, text) for key, text, _ in names]
        self.set_choices(self._names, self._names[0][0])

    def select(self, key: str) -> None:
        """Show which query is on show."""
        if self.key != key:
            self.set_choices(self._names, key)


class ResultsView(QWidget):
    """A release's figures.

    Attributes:
        title, line: what the page's head says.
        picker: chooses the query on show; ``None`` before the first release.

    Signals:
        failed: the bundle could not be written; carries the problems.
        exported: the bundle was written; carries its path.
    """

    failed = Signal(object)
    exported = Signal(object)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._done: ReleaseDone | None = None
        self._bundle: Path | None = None
        self._study: Study | None = None
        self._number = 0
        self.title = ""
        self.line = ""
        self.banner = Banner(Tone.DONE)
        self._bounds: NumberColumn | None = None
        self.use_bounds = secondary(self.tr("Use as the column's bounds"))
        self.use_bounds.hide()
        self.use_bounds.clicked.connect(self.declare_bounds)
        self.picker: Segmented | _Picker | None = None
        self.dossier_button = link(self.tr("Dossier for the data-protection officer…"))
        self.dossier_button.clicked.connect(self.ask_dossier)
        self._tab_place = QVBoxLayout()
        self.table = ResultTable()
        column = QVBoxLayout(self, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        column.addWidget(self.banner)
        column.addWidget(self.dossier_button, 0, Qt.AlignmentFlag.AlignRight)
        column.addLayout(self._tab_place)
        column.addWidget(self.table)
        column.addWidget(self.use_bounds, 0, Qt.AlignmentFlag.AlignLeft)

    def show_release(self, done: ReleaseDone) -> None:
        """Show a release."""
        self._done = done
        self._bundle = None
        record, tables = done.stored.record, done.stored.tables
        self._study = record.study.study
        self._number = self._count(record.account.name, done.sequence)
        self.title = self.tr("Release {0}").format(self._number)
        self.line = when(record.time)
        figures = sum(len(found.rows) for found in tables)
        noisy = sum(noisy_rows(found) for found in tables)
        self._say_released(figures, noisy, words.charged(record))
        self._build_tabs(record.queries)
        self._show_table(record.queries[0].id)

    def _count(self, account: str, sequence: int) -> int:
        """Which release of its account an entry is."""
        try:
            history = self._session.accounts.ledger().history(account)
        except Refused:
            return sequence
        kinds = (e.entry.kind for e in history if e.entry.sequence <= sequence)
        return sum(kind == "release" for kind in kinds)

    def _say_released(self, figures: int, noisy: int, spent: Share) -> None:
        """What was spent, and how many figures the noise left usable: private are all of them."""
        shown = self.tr("%n figure(s), protected by noise.", "", figures)
        if noisy:
            shown += " " + self.tr("%n of them (is|are) too noisy to use.", "", noisy)
        if spent.units:
            cost = self.tr("{0} of budget is spent.").format(words.budget(spent))
        else:
            cost = self.tr(
                "Nothing is spent: these queries were answered before, and the data was not read."
            )
        self.banner.say(self.tr("Released."), f"{cost} {shown}", Tone.DONE)

    def _build_tabs(self, queries: tuple[ReleasedQuery, ...]) -> None:
        if self.picker is not None:
            self._tab_place.removeWidget(self.picker)
            self.picker.hide()
            self.picker.deleteLater()
        names = [(query.id, self._heading(query), "") for query in queries]
        if len(names) > MOST_TABS or max(len(text) for _, text, _ in names) > LONGEST_TAB:
            self.picker = _Picker(names, self.tr("&Query"))
        else:
            self.picker = Segmented(names, self.tr("Queries"))
        self.picker.picked.connect(self._show_table)
        # Shown before it is in its place, it would be a window of its own.
        self._tab_place.addWidget(self.picker)
        self.picker.setVisible(len(names) > 1)

    def _heading(self, query: ReleasedQuery) -> str:
        """A query's name as it was released: the open study may ask another thing by now."""
        planned = self._study.query(query.id) if self._study is not None else None
        if self._study is None or planned is None:
            return query.title or query.id
        return words.query_title(self._study, planned)

    def _show_table(self, query_id: str) -> None:
        if self._done is None or self.picker is None:
            return
        self.picker.select(query_id)
        stored = self._done.stored
        pairs = zip(stored.record.queries, stored.tables, strict=True)
        query, found = next(pair for pair in pairs if pair[0].id == query_id)
        self.table.show_table(found, self._heading(query), query.statistic)
        self._bounds = self._found_bounds(query, found)
        self.use_bounds.setVisible(self._bounds is not None)
        lay_out_now()

    def _found_bounds(self, query: ReleasedQuery, table: Table) -> NumberColumn | None:
        """The open study's column with the bounds that were found; ``None`` without any."""
        column = self._session.state.study.column(query.question.column)
        finds = DECLARATIONS[query.statistic].finds
        if finds != "bounds" or not isinstance(column, NumberColumn):
            return None
        lower, upper = table.rows[0][:2]
        if not lower or not upper:
            return None
        basis = self.tr("estimated privately, release {0}").format(self._number)
        return offered(column, Decimal(lower), Decimal(upper), basis)

    def declare_bounds(self) -> None:
        """Put the bounds on show into the study; an edit like any other."""
        if self._bounds is None:
            return
        study = study_edits.replace_column(self._session.state.study, self._bounds)
        self._session.edit(study, self.tr("Use estimated bounds"))
        self.use_bounds.hide()
        name = column_title(self._bounds)
        self.banner.say(
            self.tr("Declared."),
            self.tr("The bounds of {0} are now in Columns; review them there.").format(name),
            Tone.DONE,
        )

    def copy_table(self) -> None:
        """Put the table on show on the clipboard."""
        self.table.copy()

    def ask_export(self) -> None:
        """Ask where the bundle goes, then for the passphrase."""
        if self._done is None:
            return
        name = bundle_name(self._study.title if self._study else "", self._number)
        start = self._session.document.folder / name
        chosen, _kind = QFileDialog.getSaveFileName(
            self, self.tr("Export signed bundle"), str(start), self.tr("Bundles (*.zip)")
        )
        if chosen:
            self.export_to(Path(chosen))

    def export_to(self, path: Path) -> None:
        """Ask for the passphrase and write the bundle."""
        try:
            info = keys.show(self._session.home.keys)
        except Refused as refused:
            self.failed.emit(refused.problems)
            return
        if info is None:
            return
        self.unlock = UnlockDialog(self, self._session, info.identity)
        self.unlock.unlocked.connect(lambda key: self._write(path, key))
        self.unlock.open()

    def _write(self, path: Path, key: SigningKey) -> None:
        if self._done is None:
            return
        try:
            form = newest_form(catalogue().language)
            write_bundle(path, build(self._done.stored, self._done.head, key, form))
        except Refused as refused:
            self.failed.emit(refused.problems)
            return
        where = self.tr("The signed bundle is {0}.").format(path.name)
        self.banner.say(self.tr("Exported."), where, Tone.DONE)
        self._bundle = path
        self.exported.emit(path)

    def ask_dossier(self) -> None:
        """Ask for the bundle that was exported of the release on show, then for its dossier."""
        if self._bundle is not None:
            self.open_dossier(self._bundle)
            return
        title, kinds = self.tr("Choose this release’s bundle"), self.tr("Bundles (*.zip)")
        start = str(self._session.document.folder)
        chosen, _kind = QFileDialog.getOpenFileName(self, title, start, kinds)
        if chosen:
            self.open_dossier(Path(chosen))

    def open_dossier(self, bundle: Path) -> None:
        """Ask for what no program knows of the release, and write the dossier of its bundle."""
        if self._done is None:
            return
        record = self._done.stored.record
        self.dossier = DossierDialog(self, self._session, record, bundle)
        self.dossier.open()
