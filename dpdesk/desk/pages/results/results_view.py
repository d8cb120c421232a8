# SPDX-License-Identifier: Apache-2.0
"""After the release: the figures with their margins, and the signed bundle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.edits.found_bounds import found_in
from dpdesk.desk.core.file_dialogs import existing_file, new_file, with_ending
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.settings import Settings
from dpdesk.desk.pages.dossier.dossier_dialog import DossierDialog
from dpdesk.desk.pages.keys.key_dialog import UnlockDialog
from dpdesk.desk.pages.results.baseline_result import BaselineResult
from dpdesk.desk.pages.results.exported_view import ExportedView
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.pages.results.standard_chip import standard_of
from dpdesk.desk.text import accuracy_words, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.query_words import costs_again
from dpdesk.desk.text.result_words import counted, grouped_by, release_words
from dpdesk.desk.text.times import when
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import link
from dpdesk.desk.widgets.dialog import Dialog
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.laying_out import laid_out_once, lay_out_now
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM, aligned_part
from dpdesk.desk.widgets.tab_stop import read_as_laid_out
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.baseline.released import (
    ReleasedBaseline,
    is_in_baseline,
    released_baselines,
)
from dpdesk.release.bundle.bundle_file import write_bundle
from dpdesk.release.bundle.charts.suitable_charts import charts_of
from dpdesk.release.bundle.compared_text import compared_text
from dpdesk.release.bundle.quantile_notes import NONE_SMALL, small_groups
from dpdesk.release.bundle.readable import for_people, forms_of
from dpdesk.release.bundle.signed_bundle import build, bundle_name
from dpdesk.release.record.values import ReleasedQuery, form_in
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.release.signing import keys
from dpdesk.release.signing.keys import KeyInfo, SigningKey
from dpdesk.study.model.amount import Share
from dpdesk.study.model.baseline.expansion import places
from dpdesk.study.model.columns import NumberColumn, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.problem import Refused
from dpdesk.study.text.counted_rows import CountedRows

AT_ONCE = 2
"""So many cards are filled before the page is shown; the others follow one by one."""
MANY_LINES = 500
"""Cards of more lines than these together are filled one by one from the first."""


@dataclass(frozen=True)
class Exported:
    """A release's bundle.

    Attributes:
        path: where it was written.
        signer: the public side of the key that signed it.
        is_shown: what to do with it is on show, not the figures.
    """

    path: Path
    signer: KeyInfo
    is_shown: bool = True


class ResultsView(QWidget):
    """A release's figures.

    Attributes:
        title, line: what the page's head says.
        tables: one a Table 1, above the others; those behind the last one are hidden.
        cards: one a query, in the plan's order; those behind the last one are hidden.
        exported: what to do with a bundle that was written; on show instead of the cards.

    Signals:
        failed: the bundle could not be written; carries the problems.
        written: the bundle was written; carries its path.
        verify_wanted: a bundle is to be checked; carries its path.
        compare_wanted: the release is to be compared with an earlier one; carries its entry.
        exported_shown: what to do with the bundle came on show, or the figures again.
    """

    failed = Signal(object)
    written = Signal(object)
    verify_wanted = Signal(object)
    compare_wanted = Signal(int)
    exported_shown = Signal(bool)

    ring_room = LINK_ROOM

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._done: ReleaseDone | None = None
        self._bundle: Exported | None = None
        self._wants_dossier = False
        self._study: Study | None = None
        self._number = 0
        self._has_banner = True
        self.title = ""
        self.line = ""
        self.banner = Banner(Tone.DONE)
        self.tables: list[BaselineResult] = []
        self.cards: list[ResultTable] = []
        self._places_of_tables = QVBoxLayout(spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        self._places = QVBoxLayout(spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        self._coming = IdleSteps(self)
        self.exported = ExportedView()
        self.exported.hide()
        self.exported.closed.connect(self._show_cards)
        self.exported.verify_wanted.connect(self.verify_wanted)
        column = aligned_part(self)
        column.setSpacing(Space.CARDS)
        column.addWidget(self.banner)
        column.addLayout(self._places_of_tables)
        column.addLayout(self._places)
        column.addWidget(self.exported)
        self.dossier_button = link(self.tr("Dossier for the data-protection officer…"))
        self.dossier_button.clicked.connect(self.ask_dossier)
        self.compare_button = link(self.tr("Compare with an earlier release…"))
        self.compare_button.clicked.connect(self.want_comparison)
        more = FlowLayout(across=Space.CARD, aligned=True)
        more.addWidget(self.compare_button)
        more.addWidget(self.dossier_button)
        column.addLayout(more)
        self.prepare(1)

    def prepare(self, count: int) -> None:
        """Make cards for this many queries, one by one, before there is anything to show."""
        self._coming.begin(self._make_cards(count))
        if count <= AT_ONCE:
            self._coming.finish()

    def _make_cards(self, count: int) -> Iterator[None]:
        while len(self.cards) < count:
            self._add_card()
            yield

    def _add_card(self) -> None:
        card = ResultTable(jobs=self._session.looks)
        card.hide()
        card.use_bounds.clicked.connect(lambda: self._declare_bounds(card))
        self.cards.append(card)
        self._places.addWidget(card)
        read_as_laid_out(self)

    @property
    def table(self) -> ResultTable:
        return self.cards[0]

    def show_release(self, done: ReleaseDone) -> None:
        self._done = done
        self._bundle = None
        self._wants_dossier = False
        record, tables = done.stored.record, done.stored.tables
        self._study = record.study.study
        self._number = self._count(record.account.name, done.sequence)
        self.title = self.tr("Release {0}").format(self._number)
        self.line = when(record.time)
        self._say_released(tables, words.charged(record))
        self._show_cards()

    def _show_cards(self) -> None:
        """Show each query's figures, the first ones at once."""
        if self._done is None:
            return
        self.exported.hide()
        self.exported_shown.emit(False)
        self._hide_cards()
        baselines = self._show_tables(self._done)
        coming = self._fill_cards(self._done, baselines)
        # Of cards that are not made yet, one at a time; each comes in two steps.
        many = sum(len(one.rows) for one in self._done.stored.tables[:AT_ONCE]) > MANY_LINES
        for _ in islice(coming, 2 * min(1 if many else AT_ONCE, len(self.cards))):
            pass
        self._coming.begin(coming)
        self.banner.setVisible(self._has_banner)
        lay_out_now()

    def _hide_cards(self) -> None:
        for card in (*self.tables, *self.cards):
            card.hide()

    def _show_tables(self, done: ReleaseDone) -> tuple[ReleasedBaseline, ...]:
        """Show each Table 1 of a release, all at once; what was shown."""
        record, tables = done.stored.record, done.stored.tables
        found = released_baselines(record, tables, release_words())
        while len(self.tables) < len(found):
            self.tables.append(BaselineResult())
            self._places_of_tables.addWidget(self.tables[-1])
        for card, one in zip(self.tables, found, strict=False):
            card.show_table(one)
            card.show()
        return found

    def _fill_cards(
        self, done: ReleaseDone, baselines: Sequence[ReleasedBaseline]
    ) -> Iterator[None]:
        """Show each query's figures that no Table 1 has."""
        pairs = [
            (query, found)
            for query, found in zip(done.stored.record.queries, done.stored.tables, strict=True)
            if not is_in_baseline(self._study, query, baselines)
        ]
        small = small_groups(
            self._study, done.stored.record.queries, done.stored.tables, release_words()
        )
        for place, (query, found) in enumerate(pairs):
            if place == len(self.cards):
                self._add_card()
                yield
            card = self.cards[place]
            planned = self._study.query(query.id) if self._study is not None else None
            read = for_people(found, self._study, query, release_words())
            card.show_table(
                read,
                self._heading(query),
                query.statistic,
                charts_of(self._study, query, read, release_words()),
                says_groups=planned is not None and not planned.title,
                grouped_by=self._grouped_by(planned),
                counted=self._counted(planned),
                margin_unit=self._margin_unit(planned),
                counted_rows=self._counted_rows(planned),
                small=small.get(query.id, NONE_SMALL),
                forms=forms_of(found, query),
                standard=standard_of(self._study, planned),
            )
            card.show_compared(compared_text(found, query, release_words(), words.points()))
            card.bounds = self._found_bounds(query, found)
            card.use_bounds.setVisible(card.bounds is not None)
            yield  # below 50 cards, placing one takes as long as filling it
            # Before anything is painted: cards above would move and come back.
            with laid_out_once(self):
                card.show()
            lay_out_now()
            yield

    def finish(self) -> None:
        self._coming.finish()

    def _count(self, account: str, sequence: int) -> int:
        try:
            return self._session.accounts.ledger().release_numbers().get(sequence, sequence)
        except Refused:
            return sequence

    def hide_banner(self) -> None:
        """Say nothing above the figures: they were released long ago."""
        self._has_banner = False
        self.banner.hide()

    def _say_released(self, tables: Sequence[Table], spent: Share) -> None:
        """What was spent, and how many figures the noise left usable: private are all of them.

        A release of which a query says nothing is no success, and is not announced as one.
        """
        figures = sum(len(found.rows) for found in tables)
        noisy = sum(found.too_noisy for found in tables)
        useless = self._useless(tables)
        shown = self.tr("%n figure(s), protected by noise.", "", figures)
        if noisy:
            shown += " " + self.tr("%n of them (is|are) too noisy to use.", "", noisy)
        if spent.units:
            cost = self.tr("{0} of budget is spent.").format(words.budget(spent))
        else:
            cost = self.tr(
                "Nothing is spent: these queries were answered before. dpdesk did not read the "
                "data."
            )
        if useless:
            named = ", ".join(self.tr("query {0}").format(place) for place in useless)
            lead = self.tr("Released, but every figure is too noisy in {0}.").format(named)
            self.banner.say(lead, f"{cost} {shown}", Tone.ATTENTION)
        else:
            self.banner.say(self.tr("Released."), f"{cost} {shown}", Tone.DONE)
        announce(self.banner, self.banner.accessibleName())  # it comes on show after this

    def _useless(self, tables: Sequence[Table]) -> list[int]:
        """The numbers of the queries and Table 1s of which no figure can be used."""
        if self._done is None:
            return []
        queries = self._done.stored.record.queries
        numbers = {} if self._study is None else places(self._study)
        says_nothing: dict[int, bool] = {}
        for place, (query, found) in enumerate(zip(queries, tables, strict=True), 1):
            number = numbers.get(query.id, place)
            says_nothing[number] = says_nothing.get(number, True) and found.says_nothing
        return sorted(number for number, nothing in says_nothing.items() if nothing)

    def _heading(self, query: ReleasedQuery) -> str:
        """A query's name as it was released: the open study may ask another thing by now."""
        planned = self._study.query(query.id) if self._study is not None else None
        if self._study is None or planned is None:
            return query.title or query.id
        return words.query_title(self._study, planned)

    def _counted(self, planned: Query | None) -> str:
        """What a card's figures are, where their unit does not say it."""
        return "" if self._study is None or planned is None else counted(self._study, planned)

    def _counted_rows(self, planned: Query | None) -> CountedRows:
        if self._study is None or planned is None:
            return CountedRows()
        return words.counted_rows(self._study, planned)

    def _grouped_by(self, planned: Query | None) -> list[str]:
        return [] if self._study is None or planned is None else grouped_by(self._study, planned)

    def _margin_unit(self, planned: Query | None) -> str:
        if self._study is None or planned is None:
            return ""
        return accuracy_words.unit(self._study, planned)

    def _found_bounds(self, query: ReleasedQuery, table: Table) -> NumberColumn | None:
        """The open study's column with the bounds that were found; ``None`` without any."""
        column = self._session.state.study.column(query.question.column)
        found = found_in(column, query, table, self._number)
        if found is None or not isinstance(column, NumberColumn):
            return None
        offered = found.declared(column)
        return None if offered == column else offered

    def _declare_bounds(self, card: ResultTable) -> None:
        """Put a card's bounds into the study; an edit like any other."""
        if card.bounds is None:
            return
        study = study_edits.replace_column(self._session.state.study, card.bounds)
        self._session.edit(study, self.tr("Use estimated bounds"))
        card.use_bounds.hide()
        name = column_title(card.bounds)
        again = costs_again(study, card.bounds.name)
        template = self.tr("The bounds of {0} are now in Columns; review them there.")
        self.banner.say(
            self.tr("Declared."),
            f"{template.format(name)} {again}".strip(),
            Tone.DONE,
        )

    def ask_export(self) -> None:
        self._wants_dossier = False
        if self._done is None:
            return
        name = bundle_name(self._study.title if self._study else "", self._number)
        folder = Settings(self._session.home).bundles_folder
        start = (folder or self._session.proposed_folder) / name
        chosen = new_file(
            self, self.tr("Export signed bundle"), str(start), self.tr("Bundles (*.zip)")
        )
        if chosen:
            self.export_to(with_ending(chosen, ".zip"))

    def export_to(self, path: Path) -> None:
        if self._done is None:
            return
        try:
            home = self._session.home.of_account(self._done.stored.record.account.name)
            info = keys.show(home.keys)
        except Refused as refused:
            self.failed.emit(refused.problems)
            return
        if info is None:
            return
        self.unlock = UnlockDialog(self, self._session, info.identity, home=home)
        self.unlock.unlocked.connect(lambda key: self._write(path, key))
        self.unlock.open()

    def _write(self, path: Path, key: SigningKey) -> None:
        if self._done is None:
            return
        try:
            form = form_in(catalogue().language)
            write_bundle(path, build(self._done.stored, self._done.chain, key, form))
        except Refused as refused:
            self.failed.emit(refused.problems)
            return
        self._show_exported(Exported(path, key.info))
        self.written.emit(path)
        lay_out_now()
        if self._wants_dossier:
            self.open_dossier(path)
        self._wants_dossier = False

    def _show_exported(self, bundle: Exported) -> None:
        """Show what to do with a bundle that was written, in place of the figures."""
        if self._done is None:
            return
        self._bundle = bundle
        self._coming.finish()
        self._hide_cards()
        self.banner.hide()
        self.exported.show_bundle(bundle.path, self._done, self._study, bundle.signer)
        self.exported.show()
        self.exported_shown.emit(True)

    def export_memory(self) -> Exported | None:
        """The bundle of the release on show; ``None`` while none was written."""
        shown = not self.exported.isHidden()
        return None if self._bundle is None else replace(self._bundle, is_shown=shown)

    def recall_export(self, bundle: Exported | None) -> None:
        """Know the bundle of the release on show; show what to do with it, where that was."""
        self._bundle = bundle
        if bundle is not None and bundle.is_shown:
            self._show_exported(bundle)

    def want_comparison(self) -> None:
        if self._done is not None:
            self.compare_wanted.emit(self._done.sequence)

    def ask_dossier(self) -> None:
        """Open the dossier of the exported bundle; where none was, lead to it first."""
        if self._bundle is not None:
            self.open_dossier(self._bundle.path)
            return
        text = self.tr(
            "It is about the signed bundle. Export the bundle first, or choose it if you exported "
            "it before."
        )
        asked = Dialog(self, self.tr("The dossier needs the bundle"), text, "parcel")
        asked.add_safe(self.tr("Not now"))
        choose = asked.add_other(self.tr("Choose the bundle…"))
        choose.clicked.connect(asked.reject)
        choose.clicked.connect(self._choose_bundle)
        export = asked.add_primary(self.tr("Export signed bundle…"))
        asked.accepted.connect(self._export_for_dossier)
        self.before_dossier, self.choose_bundle, self.export_first = asked, choose, export
        asked.open()

    def _export_for_dossier(self) -> None:
        self.ask_export()
        self._wants_dossier = True  # until the next export is asked for

    def _choose_bundle(self) -> None:
        title, kinds = self.tr("Choose this release’s bundle"), self.tr("Bundles (*.zip)")
        start = str(self._session.proposed_folder)
        if (chosen := existing_file(self, title, start, kinds)) is not None:
            self.open_dossier(chosen)

    def open_dossier(self, bundle: Path) -> None:
        """Ask for what no program knows of the release, and write the dossier of its bundle."""
        if self._done is None:
            return
        record = self._done.stored.record
        self.dossier = DossierDialog(self, self._session, record, bundle)
        self.dossier.open()
