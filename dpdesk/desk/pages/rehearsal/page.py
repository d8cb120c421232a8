# SPDX-License-Identifier: Apache-2.0
"""Rehearsal: the whole plan on made-up rows, before any budget, file or key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.data.progress import CancelToken, Progress
from dpdesk.desk.core.file_dialogs import new_file
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.core.jobs.latest_job import LatestJob, Problems
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.rehearsal.group_sizes_dialog import GroupSizesDialog, Sizes
from dpdesk.desk.pages.rehearsal.made_up_card import MadeUpCard
from dpdesk.desk.pages.results.baseline_result import BaselineResult
from dpdesk.desk.pages.results.result_table import ResultTable
from dpdesk.desk.pages.results.standard_chip import standard_of
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import accuracy_words, weak_words, words
from dpdesk.desk.text.baseline import baseline_words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.text.result_words import counted, grouped_by, release_words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import quiet
from dpdesk.desk.widgets.labels.made_up_mark import MadeUpMark
from dpdesk.desk.widgets.laying_out import laid_out_once, lay_out_now
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.privacy.planning.weak import Weakness
from dpdesk.release.bundle.charts.suitable_charts import charts_of
from dpdesk.release.bundle.compared_text import compared_text
from dpdesk.release.bundle.readable import for_people, forms_of
from dpdesk.release.rehearsal.made_up_baselines import made_up_baselines
from dpdesk.release.rehearsal.made_up_files import (
    made_up_bytes,
    made_up_name,
    marked_path,
    write_made_up,
)
from dpdesk.release.rehearsal.made_up_report import heights
from dpdesk.release.rehearsal.rehearse import Rehearsal, RehearsedQuery, rehearse
from dpdesk.study.limits import MADE_UP_ROWS
from dpdesk.study.model.baseline.declared import BaselineTable
from dpdesk.study.model.baseline.expansion import own_queries
from dpdesk.study.model.document import Study

MOST_WEAK = 6
"""So many weaknesses are named here; Queries names them all."""
MOST_LINES = 12


class RehearsalPage(StepPage):
    """What the plan's figures will look like.

    Attributes:
        head: where the rows come from.
        summary: what will be usable, a line a query.
        tables: one a Table 1, above the others.
        cards: one a query, in the plan's order.
        sizes: groups whose size was guessed by itself, by the query's id; they stay with the
            window, and are no part of the study.
        rehearsal: what is on show; ``None`` before the first.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        line = self.tr("The whole plan on made-up rows. Your file is not opened, nothing is spent.")
        self.set_line(line)
        self.head = MadeUpCard()
        self.sizes: dict[str, Sizes] = {}
        self.rehearsal: Rehearsal | None = None
        self._study: Study | None = None
        self._free: frozenset[str] = frozenset()
        self._drawing = LatestJob(session.looks, self)
        self._saving = LatestJob(session.looks, self)
        self._coming = IdleSteps(self)
        self.banner = Banner(Tone.ERROR)
        self.summary_rows = RowsModel(self._heads())
        self.summary = DataTable(self.summary_rows, self.tr("What will be usable"))
        self.tables: list[BaselineResult] = []
        self.cards: list[ResultTable] = []
        self._weak = QVBoxLayout(spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        self._places_of_tables = QVBoxLayout(spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        self._places = QVBoxLayout(spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        self._figures, self._heights = QWidget(), quiet()
        self.save_button = secondary(self.tr("Save made-up report…"), before="flask")
        self._build()
        self._connect()

    def _heads(self) -> list[str]:
        return [
            self.tr("What will be usable"),
            self.tr("Figures"),
            self.tr("± (95 in 100)"),
            self.tr("Budget"),
            self.tr("Too noisy"),
        ]

    def _build(self) -> None:
        self.add_mark(MadeUpMark())
        self.banner.hide()
        self.body.addWidget(self.head)
        self.body.addWidget(self.banner)
        column = QVBoxLayout(self._figures, spacing=Space.CARDS, contentsMargins=NO_MARGINS)
        card = Card()
        self.summary.fill(card)
        column.addWidget(card)
        column.addLayout(self._weak)
        column.addLayout(self._places_of_tables)
        column.addLayout(self._places)
        column.addWidget(self._heights)
        self.body.addWidget(self._figures)
        self._figures.hide()
        self.footer.back.setText(self.tr("Back to Queries"))
        self.footer.add_button(self.save_button)
        self.footer.set_primary(primary(self.tr("Review release"), after="arrow-right"))

    def _connect(self) -> None:
        self.head.changed.connect(self.draw)
        self.head.sizes_wanted.connect(self.ask_sizes)
        self.save_button.clicked.connect(self.ask_save)
        if self.footer.primary is not None:
            self.footer.primary.clicked.connect(lambda: self.go_to.emit("release"))

    def set_narrow(self, narrow: bool) -> None:
        """In a narrow page what is shown and what is typed stand below each other."""
        super().set_narrow(narrow)
        self.head.set_narrow(narrow)
        # In a narrow foot one word.
        whole = self.tr("Save made-up report…")
        self.save_button.setText(self.tr("Save…") if narrow else whole)
        self.save_button.setAccessibleName(whole)
        self.save_button.updateGeometry()

    def first_to_do(self) -> QWidget | None:
        return self.head.again

    def forget(self) -> None:
        """Another study is open: nothing of this one stays."""
        self._drawing.drop()
        self._saving.drop()
        self._coming.stop()
        self.rehearsal = self._study = None
        self.sizes = {}
        self._figures.hide()
        self.banner.hide()

    def memory(self) -> object:
        """What was guessed for the groups, and how many rows there are in all."""
        return self.sizes, self.head.rows

    def recall(self, memory: tuple[dict[str, Sizes], int | None]) -> None:
        """Draw for the same sizes when the plan is rehearsed; a draw is made up and not kept."""
        self.sizes, _rows = memory
        self.recall_others(memory)

    def recall_others(self, memory: tuple[dict[str, Sizes], int | None]) -> None:
        """About how many rows there are: it stays when another study is opened."""
        _sizes, rows = memory
        if rows is not None:
            self.head.set_rows(rows)

    def render_state(self) -> None:
        """Rehearse where another study, or another wording of it, is on show."""
        queries = own_queries(self.state.study)
        has_groups = any(q.by and q.id in self.state.plans for q in queries)
        self.head.groups.setEnabled(has_groups)
        if self.state.study is not self._study:
            self.draw()
        elif self.rehearsal is not None and self.state.free != self._free:
            self._fill_summary(self.rehearsal)

    def draw(self) -> None:
        study = self._study = self.state.study
        rows, door = self.head.rows or MADE_UP_ROWS, self.session.door
        sizes, language = self._sizes_of_plan(), catalogue().language

        def work(progress: Progress, cancel: CancelToken) -> Rehearsal:
            return rehearse(study, door, rows, progress, cancel, sizes, language)

        self.save_button.setEnabled(False)
        self._drawing.run(work, self._show, self._refuse)

    def ask_sizes(self) -> None:
        dialog = GroupSizesDialog(self.window(), self.state, self._sizes_of_plan())
        dialog.decided.connect(self._use_sizes)
        dialog.open()

    def _use_sizes(self, sizes: dict[str, Sizes]) -> None:
        self.sizes = sizes
        self.draw()

    def _sizes_of_plan(self) -> dict[str, Sizes]:
        """Of groups that the plan still has: it may have been edited since they were guessed."""
        kept: dict[str, Sizes] = {}
        for query, sizes in self.sizes.items():
            plan = self.state.plans.get(query)
            cells = () if plan is None else plan.cells
            if own := {group: rows for group, rows in sizes.items() if group in cells}:
                kept[query] = own
        return kept

    def _refuse(self, problems: Problems) -> None:
        self.rehearsal = None
        self._coming.stop()
        self._figures.hide()
        self.banner.say("", " ".join(words.problem_sentence(p) for p in problems), Tone.ERROR)
        self.banner.show()

    def _show(self, rehearsal: Rehearsal) -> None:
        self.rehearsal = rehearsal
        self.banner.hide()
        self.save_button.setEnabled(True)
        self._heights.setText(heights(rehearsal.study, catalogue().say))
        self._fill_summary(rehearsal)
        self.summary.fit_height(MOST_LINES)
        self._show_weak()
        self._show_tables(rehearsal)
        own = [one for one in rehearsal.queries if one.plan.query.component is None]
        for card in self.cards[len(own) :]:
            card.hide()
        coming = self._fill(rehearsal)
        next(coming, None)
        self._figures.show()
        self._coming.begin(coming)
        lay_out_now()

    def _show_tables(self, rehearsal: Rehearsal) -> None:
        found = made_up_baselines(rehearsal, release_words())
        while len(self.tables) < len(found):
            self.tables.append(BaselineResult(made_up=True))
            self._places_of_tables.addWidget(self.tables[-1])
        for place, card in enumerate(self.tables):
            if place < len(found):
                card.show_table(found[place])
            card.setVisible(place < len(found))

    def _fill_summary(self, rehearsal: Rehearsal) -> None:
        self._free = self.state.free
        own = (one for one in rehearsal.queries if one.plan.query.component is None)
        tables = (self._usable_table(rehearsal, one) for one in rehearsal.study.baseline_tables)
        rows = [*tables, *map(self._usable, own)]
        self.summary_rows.set_rows(rows, self._heads(), (1, 2, 3, 4), (0,))

    def _usable_table(self, rehearsal: Rehearsal, table: BaselineTable) -> list[str]:
        """The line of a Table 1: all its figures, at its price."""
        ids = {part.id for part in self.state.parts_of(table)}
        parts = [one for one in rehearsal.queries if one.plan.query.id in ids]
        count = sum(len(one.table.rows) for one in parts)
        noisy = sum(one.table.too_noisy for one in parts)
        paid = self.state.to_pay(table)
        is_free = paid is None or self.state.is_free(table)
        return [
            baseline_words.title(rehearsal.study, table),
            words.grouped(count),
            baseline_words.margin(self.state, table),
            self.tr("no cost") if is_free or paid is None else words.amount(paid),
            self._noisy(noisy, count),
        ]

    def _usable(self, query: RehearsedQuery) -> list[str]:
        study, count = self.state.study, len(query.table.rows)
        return [
            words.query_title(study, query.plan.query),
            words.grouped(count),
            accuracy_words.in_short(study, query.plan),
            self._price(query),
            self._noisy(query.table.too_noisy, count),
        ]

    def _noisy(self, noisy: int, count: int) -> str:
        """How many figures are too noisy to use."""
        if not noisy:
            return self.tr("none")
        return self.tr("{0} of {1}").format(words.grouped(noisy), words.grouped(count))

    def _price(self, query: RehearsedQuery) -> str:
        """What a query would cost now: an answer that the ledger has costs nothing again."""
        if query.plan.is_public:
            return self.tr("public, costs nothing")
        if query.plan.query.id in self.state.free:
            return self.tr("no cost")
        return words.amount(query.plan.share)

    def _show_weak(self) -> None:
        """What in the plan is weak whatever is drawn, each with the one change that helps.

        How many rows there are is typed here: nobody is asked for it again.
        """
        empty(self._weak)
        found = [one for one in self.state.weak if not one.code.startswith("no-guess")]
        for weakness in found[:MOST_WEAK]:
            self._weak.addWidget(self._weak_banner(weakness))

    def _weak_banner(self, weakness: Weakness) -> Banner:
        study = self.state.study
        query = study.query(weakness.query)
        name = baseline_words.part_title(study, query) if query is not None else ""
        rest = f"{weak_words.first(study, weakness)} {weak_words.rest(study, weakness)}"
        helps = weak_words.action(study, weakness) if weakness.remedy.study is not None else ""
        made = Banner(Tone.ATTENTION, f"{name}:", rest, helps, stands_out=True)
        made.action_pressed.connect(lambda: self._improve(weakness))
        return made

    def _improve(self, weakness: Weakness) -> None:
        if weakness.remedy.study is not None:
            self.session.edit(weakness.remedy.study, self.tr("Improve a query"))

    def _fill(self, rehearsal: Rehearsal) -> Iterator[None]:
        study = rehearsal.study
        own = (one for one in rehearsal.queries if one.plan.query.component is None)
        for place, query in enumerate(own):
            if place == len(self.cards):
                self.cards.append(ResultTable(made_up=True, jobs=self.session.looks))
                self.cards[place].hide()
                self._places.addWidget(self.cards[place])
                yield
            asked = query.plan.query
            card = self.cards[place]
            read = for_people(query.table, study, query.drawn, release_words())
            card.show_table(
                read,
                words.query_title(study, asked),
                asked.statistic,
                charts_of(study, query.drawn, read, release_words()),
                says_groups=not asked.title,
                grouped_by=grouped_by(study, asked),
                counted=counted(study, asked),
                margin_unit=accuracy_words.unit(study, asked),
                counted_rows=words.counted_rows(study, asked),
                forms=forms_of(query.table, query.drawn),
                standard=standard_of(study, asked),
            )
            points = words.points()
            card.show_compared(compared_text(query.table, query.drawn, release_words(), points))
            with laid_out_once(self._figures):
                card.show()
            lay_out_now()
            yield

    def finish(self) -> None:
        self._coming.finish()

    def ask_save(self) -> None:
        if self.rehearsal is None:
            return
        start = self.session.proposed_folder / made_up_name(self.rehearsal.study.title)
        chosen = new_file(
            self, self.tr("Save the made-up report"), str(start), self.tr("Rehearsals (*.zip)")
        )
        if chosen:
            self.save_to(chosen)

    def save_to(self, chosen: Path) -> None:
        """Write tables and report, all marked as made up, under a name that says so."""
        rehearsal = self.rehearsal
        if rehearsal is None:
            return
        path, language = marked_path(chosen, rehearsal.study.title), catalogue().language

        def work(_progress: Progress, _cancel: CancelToken) -> Path:
            write_made_up(path, made_up_bytes(rehearsal, language))
            return path

        self._saving.run(work, self._saved, self._not_saved)

    def _saved(self, path: Path) -> None:
        rest = self.tr("{0} is unsigned and not a release; Verify rejects it.").format(path.name)
        self.banner.say(self.tr("Saved."), rest, Tone.DONE)
        self.banner.show()

    def _not_saved(self, problems: Problems) -> None:
        self.banner.say("", " ".join(words.problem_sentence(p) for p in problems), Tone.ERROR)
        self.banner.show()
