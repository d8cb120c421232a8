# SPDX-License-Identifier: Apache-2.0
"""Accuracy and budget as two ends of one handle, with the pictures that explain them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.edits import query_edits
from dpdesk.desk.core.jobs.idle_steps import IdleSteps
from dpdesk.desk.pages.queries.accuracy import worlds_words
from dpdesk.desk.pages.queries.accuracy.accuracy_marks import AccuracyMarks, distinct
from dpdesk.desk.pages.queries.accuracy.accuracy_pictures import AccuracyPictures
from dpdesk.desk.pages.queries.accuracy.budget_fields import BudgetFields, unit_of_second_digit
from dpdesk.desk.pages.queries.accuracy.population_toggle import PopulationToggle
from dpdesk.desk.pages.queries.accuracy.whole_numbers_toggle import WholeNumbersToggle
from dpdesk.desk.text import accuracy_words, typed_numbers, words
from dpdesk.desk.text.language import language
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, scale
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.card import Hairline
from dpdesk.desk.widgets.inputs.accuracy_handle import ScaleMark
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.inputs.step_field import StepField
from dpdesk.desk.widgets.inputs.tab import Tab
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow, aligned_part
from dpdesk.desk.widgets.tab_stop import show_down_to
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.planning.share_for_margin import share_for
from dpdesk.privacy.planning.weak import rows_of_an_age, takes_guess
from dpdesk.release.plan_report.planned_at import holds_for_any
from dpdesk.release.record.totals import share_of
from dpdesk.study.model.amount import WITHOUT_DELTA
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import StandardParameters
from dpdesk.study.model.queries import NOISES, Query
from dpdesk.study.text import counted_rows
from dpdesk.study.text.share_rows import needed_values
from dpdesk.study.text.shown_text import as_sentence

SIDE_WIDTH = 240
NOISE, WORLDS, REPEATS, LIMIT = range(4)
"""The tabs by their keys."""


class QueryAccuracy(BudgetFields[Query]):
    """Tabs with plots at the left, the numbers at the right, the handle below."""

    def __init__(self) -> None:
        super().__init__(Query(""))
        self.pictures = AccuracyPictures()
        self._tabs = QButtonGroup(self)
        self._worlds_text = Label(rich=True, wrap=True, role=Role.TEXT_QUIET)
        self.margin = StepField(self.tr("95 times in 100 &within"), sign=words.PLUS_MINUS)
        self.noise_kind = Segmented(
            [
                ("auto", self.tr("Best"), ""),
                ("laplace", self.tr("Laplace"), ""),
                ("gaussian", self.tr("Gaussian"), ""),
            ],
            self.tr("Which noise; the best is the more accurate one"),
        )
        self.population = PopulationToggle()
        self.whole_numbers = WholeNumbersToggle()
        self._above_handle = Hairline()
        self._marking = IdleSteps(self)
        self._marks = AccuracyMarks()
        self._named: object = None
        self._is_marked = False
        self._build()
        self._connect()

    def _build(self) -> None:
        column = self._column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        tabs = QHBoxLayout(spacing=Space.SMALL)
        names = {
            NOISE: self.tr("Noise"),
            LIMIT: self.tr("Row limit"),
            WORLDS: self.tr("Two worlds"),
            REPEATS: self.tr("Why repeats cost"),
        }
        for key, name in names.items():
            tab = Tab(name)
            self._tabs.addButton(tab, key)
            tabs.addWidget(tab)
        tabs.addStretch(1)
        head = QVBoxLayout(spacing=0)
        head.addLayout(tabs)
        head.addWidget(Hairline())
        column.addLayout(head)
        row = AlignedRow(spacing=Space.GAP)
        row.addWidget(self.pictures, 1)
        side = QWidget()
        side.ring_room = RING  # type: ignore[attr-defined]  # AlignedBox reads it
        side.setFixedWidth(round(SIDE_WIDTH * scale()))
        fields = QVBoxLayout(side, contentsMargins=NO_MARGINS)
        for field in (self.margin, self.share, self.expected):
            fields.addWidget(field)
        # As wide as the fields' borders, which leave room for their rings.
        kinds = QHBoxLayout()
        kinds.setContentsMargins(RING, 0, RING, 0)
        kinds.addWidget(self.noise_kind)
        fields.addLayout(kinds)
        fields.addWidget(self.whole_numbers)
        fields.addWidget(self.population)
        self._worlds_text.setContentsMargins(0, 0, RING, 0)
        fields.addWidget(self._worlds_text)
        fields.addStretch(1)
        row.addWidget(side)
        column.addLayout(row)
        column.addWidget(self._build_handle())
        self._tabs.button(0).setChecked(True)

    def _build_handle(self) -> QWidget:
        part = self._handle_part = QWidget()
        column = QVBoxLayout(part, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        column.addWidget(self._above_handle)
        ends = QHBoxLayout(spacing=Space.SMALL)
        self._fill_ends(ends)
        column.addLayout(ends)
        column.addWidget(self.handle)
        return part

    def ask_size(self) -> None:
        """Go to where a group's size is typed: it is on the first tab, and may be scrolled away."""
        self._tabs.button(0).setChecked(True)
        self._show()
        super().ask_size()

    def _connect(self) -> None:
        self._tabs.idClicked.connect(lambda _place: self._open_tab())
        self.pictures.margin_dragged.connect(self._drag_margin)
        self.margin.stepped.connect(self._step_margin)
        self.margin.edited.connect(self._type_margin)
        self.margin.left.connect(self._show)
        self.margin.group_digits()
        self.noise_kind.picked.connect(self._pick_noise)
        self.population.switched.connect(self._switch_population)
        self.whole_numbers.switched.connect(self._switch_whole_numbers)

    def _open_tab(self) -> None:
        """What was asked for is seen, too, now that it has its height."""
        self._show()
        QTimer.singleShot(0, self, lambda: show_down_to(self._tabs.button(0), self.pictures))

    @property
    def is_share_wrong(self) -> bool:
        """Whether the field of the budget or of the margin says why there is no share."""
        return super().is_share_wrong or self.margin in self._wrong

    def _show(self) -> None:
        self._show_question()
        self._show_fields()
        self._show_handle()
        self._show_plot()

    # --- what is asked --------------------------------------------------------------------------

    def _show_question(self) -> None:
        """Names, units and tabs, which no share changes; so they stay while one is typed."""
        query, study, account = self._asked, self._state.study, self._state.account
        plan = self._state.plans.get(query.id)
        guess = query.expected is not None and query_edits.is_carried_over(study, query)
        tab = self._tabs.checkedId()
        spread = query.declaration.needs_spread and study.spread_of(query)
        declared = (study.unit, study.columns, study.budget, study.rounding)
        asked = (query.unpriced, *declared, guess, tab, bool(spread))
        key = (*asked, account and account.total, plan is None, plan and plan.bound)
        if key == self._named:
            return
        self._named = key
        self.margin.set_label(accuracy_words.margin_label(query))
        self.margin.set_sign("" if accuracy_words.is_bounded(query) else words.PLUS_MINUS)
        self.margin.set_unit(accuracy_words.margin_unit(study, query, plan))
        self.margin.set_hint(accuracy_words.meaning_of_margin(study, plan))
        self._show_total()
        self._name_guess(study, query, guess)
        self.noise_kind.select(query.noise)
        self._show_tabs()

    def _show_tabs(self) -> None:
        """Show what belongs to the tab that is open."""
        is_limited = counted_rows.is_limited(self._state.study, self._asked)
        self._tabs.button(LIMIT).setVisible(is_limited)
        if self._tabs.checkedId() == LIMIT and not is_limited:
            self._tabs.button(NOISE).setChecked(True)
        place = max(NOISE, self._tabs.checkedId())
        # Of a query that is not complete no share promises anything, not the one of before either.
        is_planned = self._asked.id in self._state.plans
        self._worlds_text.setVisible(place == WORLDS and is_planned)
        for field in (self.margin, self.share):
            field.setVisible(place != WORLDS)
        self.expected.setVisible(place in (NOISE, LIMIT) and self._takes_guess())
        self.noise_kind.setVisible(place == NOISE and self._has_noise_to_choose())
        can_be = self.population.show_query(self._state.study, self._asked)
        self.population.setVisible(place == NOISE and can_be)
        counts = self.whole_numbers.show_query(self._state.study, self._asked)
        self.whole_numbers.setVisible(place == NOISE and counts)

    # --- numbers --------------------------------------------------------------------------------

    def _show_fields(self) -> None:
        plan = self._state.plans.get(self._asked.id)
        margin = plan.accuracy if plan else None
        self.margin.setEnabled(margin is not None or self.margin in self._wrong)
        self.margin.allow_steps(margin is not None)
        self._show_field(self.margin, self._margin_text(margin), self._asked.share is not None)
        self._show_amounts()

    def _paid_hint(self) -> str:
        """Of which release the answer is where that was revoked, and that it is free."""
        paid, stored = super()._paid_hint(), self._state.stored[self._asked.id]
        if stored.revoked is None:
            return paid
        ends = {
            "withdrawn": self.tr("Its figures are from release {0}, which was withdrawn: {1}"),
            "corrected": self.tr("Its figures are from release {0}, which was corrected: {1}"),
        }
        revoked = ends[stored.revoked.kind]
        return f"{revoked.format(stored.number, as_sentence(stored.revoked.reason))} {paid}"

    def _margin_text(self, margin: Fraction | None) -> str:
        if margin is None:
            return ""
        return words.localised(words.two_digits(accuracy_words.as_read(self._asked, margin)))

    def _name_guess(self, study: Study, query: Query, is_carried: bool) -> None:
        counted = accuracy_words.counted(study, accuracy_words.of_whom(query))
        hint = self.tr("Your estimate, not read from the data.")
        if is_carried:
            hint = self.tr("From your estimate for another query, not read from the data.")
            if study.unit and study.unit.neighbours == "change-one":
                hint = self.tr("From the public number of people.")
            if query.by:
                hint += " " + self.tr("All groups are taken to be of one size.")
        if query.declaration.is_ratio and query.by and not holds_for_any(query):
            hint += " " + self.tr("A group a tenth as large has about ten times the margin.")
        if query.declaration.is_ratio and (columns := needed_values(study, query, language())):
            hint += " " + self.tr("Only {0} with a value of {1} count.").format(counted, columns)
        if isinstance(query.parameters, StandardParameters):
            hint = self._ages_hint(study, query) or hint
        self._name_size(counted, hint)

    def _ages_hint(self, study: Study, query: Query) -> str:
        """How many rows each age group needs, so that there is a rate."""
        plan = self._state.plans.get(query.id)
        needed = None if plan is None else rows_of_an_age(plan)
        if needed is None:
            return ""
        hint = self.tr(
            "Not read from the data. Each of the {0} age groups needs about {1} {2}: with fewer "
            "in one, no rate is published."
        )
        ages, size = needed
        counted = accuracy_words.counted(study, accuracy_words.of_whom(query), Fraction(size))
        return hint.format(ages, words.grouped(size), counted)

    def _show_handle(self) -> None:
        low, end, most = self._show_range()
        own, study, query = self._own(), self._state.study, self._asked
        plan = self._state.plans.get(query.id)
        measure = self._state.measure
        marks = self._marks.between(study, query, plan, low, end, (most, own), measure)
        self.handle.set_share(own, *self._said(plan))
        self._marking.begin(self._mark_steps(marks))
        if self._is_marked:
            self._marking.finish()

    def _mark_steps(self, marks: Iterator[ScaleMark | None]) -> Iterator[None]:
        """Work the marks out, for the first time one at a time, and show them."""
        steps = []
        for mark in marks:
            steps += [mark] if mark is not None else []
            yield
        self.handle.set_marks(distinct(steps, self._own()))
        self._is_marked = True

    def _said(self, plan: QueryPlan | None) -> tuple[str, str]:
        """What the share buys, and "0.25, ± 90 rows", as the handle is read out."""
        study, share = self._state.study, self._asked.share
        cost = words.amount(share) if share is not None else ""
        if plan is None:
            return "", cost
        parts = (cost, accuracy_words.of_plan(study, plan))
        return accuracy_words.sentence(study, plan), ", ".join(part for part in parts if part)

    # --- plots ----------------------------------------------------------------------------------

    def _show_plot(self) -> None:
        place = max(NOISE, self._tabs.checkedId())
        study, plan = self._state.study, self._state.plans.get(self._asked.id)
        if place == LIMIT:
            self.pictures.show_limit(study)
        elif plan is None:
            self.pictures.show_nothing(keeps_room=self.is_share_wrong)
        elif plan.is_public:
            self._worlds_text.clear()
            self.pictures.show_public(study, plan)
        elif place == NOISE:
            self.pictures.show_noise(study, plan)
        elif place == WORLDS:
            delta = self._state.account.delta if self._state.account else WITHOUT_DELTA
            self._worlds_text.setText(worlds_words.explanation(study, plan.share, delta))
            self.pictures.show_worlds(study, plan)
        else:
            total = float(share_of(self._state.measure, self._most()).as_fraction())
            self.pictures.show_averaging(plan.share, total)

    def _takes_guess(self) -> bool:
        """Whether it matters how large a group is, as far as it can be said."""
        plan = self._state.plans.get(self._asked.id)
        return self._asked.declaration.is_ratio if plan is None else takes_guess(plan)

    def _has_noise_to_choose(self) -> bool:
        """Gaussian noise needs zCDP; what was chosen before can be taken back everywhere."""
        query, budget = self._asked, self._state.study.budget
        if query.noise != "auto":
            return True
        declared = query.declaration
        is_additive = declared.chooses is None and not declared.flips_answers
        return is_additive and budget is not None and budget.measure == "rho"

    # --- edits ----------------------------------------------------------------------------------

    def _pick_noise(self, key: str) -> None:
        noise = next(name for name in NOISES if name == key)
        self.changed.emit(replace(self._asked, noise=noise), "noise")

    def _switch_population(self, is_on: bool) -> None:
        self.changed.emit(replace(self._asked, population=is_on), "population")

    def _switch_whole_numbers(self, is_on: bool) -> None:
        self.changed.emit(replace(self._asked, whole_numbers=is_on), "whole-numbers")

    def _set_margin(self, margin: Fraction) -> bool:
        """Buy a margin, as it is read; whether any budget does."""
        width = margin / self._asked.declaration.percent_factor
        known = self._state.plans.get(self._asked.id)
        share = share_for(self._state.study, self._asked, width, known)
        if share is None:
            return False
        least = self._least()
        self._set_share(min(max(share.units, least), max(self._most(), least)))
        return True

    def _drag_margin(self, half_width: float) -> None:
        self._set_margin(Fraction(half_width).limit_denominator(10**6))

    def _step_margin(self, step: int) -> None:
        """One unit of the margin's second digit."""
        plan = self._state.plans.get(self._asked.id)
        if plan is None or plan.accuracy is None:
            return
        shown = Fraction(words.two_digits(accuracy_words.as_read(self._asked, plan.accuracy)))
        if not shown:
            return  # exact but for rounding: nothing to step from
        with self._stepping(self.margin):
            self._set_margin(shown + step * unit_of_second_digit(shown, step))

    def _type_margin(self, text: str) -> None:
        factor = self._asked.declaration.percent_factor
        value = typed_numbers.margin_from_text(text, factor)
        if value is None or value <= 0:
            self._be_wrong(self.margin, self.tr("Type a number above 0."))
            return
        self._be_right(self.margin)
        if not self._set_margin(Fraction(value)):
            self._be_wrong(self.margin, self.tr("No budget makes it that accurate."))
