# SPDX-License-Identifier: Apache-2.0
"""The sentence that is filled in: [Mean] of [time in hospital] for each [age band] where [...]."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.queries.sentence.age_pickers import AgesPicker, StandardPicker
from dpdesk.desk.pages.queries.sentence.choice_pickers import (
    AdditionPicker,
    ColumnPicker,
    ConditionList,
    ConditionPicker,
    DeltaPicker,
    ExplainingPicker,
    GroupLimitPicker,
    GroupPicker,
    OfPicker,
    PerPicker,
    ScorePicker,
    StatisticPicker,
    TopCodePicker,
    TopPicker,
    is_of_either,
)
from dpdesk.desk.pages.queries.sentence.comparison_picker import ComparisonPicker
from dpdesk.desk.pages.queries.sentence.entry_pickers import (
    EntryPicker,
    LatePicker,
    late_words,
)
from dpdesk.desk.pages.queries.sentence.numbers_picker import (
    OF_GROUPS,
    GroupingNumbers,
    MemberNumbers,
    NumbersPicker,
)
from dpdesk.desk.pages.queries.sentence.picker import MakePicker
from dpdesk.desk.pages.sentence.anchor import Anchor
from dpdesk.desk.text import query_words, words
from dpdesk.desk.theme.metrics import Type
from dpdesk.desk.widgets.accessibility.role import set_role_of
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.chip import Chip
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import RING
from dpdesk.desk.widgets.layouts.contents import empty
from dpdesk.privacy.statistics.rates.rate import assumed_exposure, assumed_rate
from dpdesk.study.model.columns import Column, NumberColumn, column_title
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.groupings import Bins, Grouping
from dpdesk.study.model.parameters import (
    ByAgeParameters,
    CandidateParameters,
    CategoriesFoundParameters,
    ColumnParameters,
    CutOffParameters,
    DistributionParameters,
    LinearModelParameters,
    MostCommonParameters,
    Parameters,
    PropertyParameters,
    QuantileParameters,
    RateParameters,
    ReferenceParameters,
    RowsPerPersonParameters,
    SpreadParameters,
    StandardParameters,
    TimeToEventParameters,
)
from dpdesk.study.model.queries import Query
from dpdesk.study.text.number_text import two_digits

FIRST_GROUP = "first-group"


class QuerySentence(QWidget):
    """Words and chips; each chip opens the picker of what it shows.

    Attributes:
        anchor: where the pickers open.

    Signals:
        changed: the query was edited; carries it and an empty merge key.
    """

    changed = Signal(object, str)
    ring_room = RING

    def __init__(self) -> None:
        super().__init__()
        set_role_of(self, QAccessible.Role.Grouping)
        self.anchor = Anchor(self)
        self._state = DeskState()
        self._query = Query("")
        self._chips: dict[str, Chip] = {}
        self._flow = FlowLayout(self, across=6, down=4, ringed=True)
        self._asked: object = None
        self._shown: object = None
        self._columns: tuple[Column, ...] = ()
        self._titles: tuple[str, ...] = ()
        self.setAccessibleName(self.tr("The query as a sentence"))

    def chip(self, name: str) -> Chip:
        return self._chips[name]

    def show_query(self, state: DeskState, query: Query) -> None:
        """Show a query; the chips are made again only where the sentence changed."""
        self._state, self._query = state, query
        columns = state.study.columns
        asked = (query.unpriced, columns, state.study.unit)
        if asked == self._asked:
            return  # no share changes a word
        self._asked = asked
        if columns is not self._columns:
            self._columns, self._titles = columns, tuple(column_title(c) for c in columns)
        requested = replace(query, id="", title="", epsilon=None, rho=None, expected=None)
        has_people = is_of_either(state.study, query)
        key = (requested, self._titles, words.names(state.study), has_people)
        if key == self._shown:
            return
        self._shown = key
        # Behind a dialog that closes just now the window is not active, and nothing has the focus.
        keyboard = self.window().focusWidget()
        had = next((name for name, chip in self._chips.items() if chip is keyboard), "")
        self._chips = {}
        empty(self._flow)
        self._build()
        if had == FIRST_GROUP and had not in self._chips:
            had = "group-0"
        elif had.startswith("where-") and had not in self._chips:
            had = "add"
        if had in self._chips:
            self._chips[had].setFocus()
        self.updateGeometry()

    def _build(self) -> None:
        query = self._query
        self._chip("statistic", query_words.first_word(query.statistic), StatisticPicker)
        self._build_members_before()
        joint = words.joint(self._state.study, query)
        if not query.declaration.before_limit and any(sign.isalpha() for sign in joint):
            # Some languages have a colon in titles; between chips it would float.
            self._word(joint)
        self._build_subject()
        self._build_members_after()
        if is_of_either(self._state.study, query):
            self._build_of(query)
        for place, grouping in enumerate(query.by):
            self._word(self.tr("for each") if place == 0 else self.tr("and"))
            text = words.grouped_by(self._state.study, grouping)
            self._chip(f"group-{place}", text, partial(GroupPicker, place=place))
            self._build_bins(place, grouping)
        if query.rows_per_group is not None:
            text = words.group_limit(self._state.study, query)
            self._chip("rows_per_group", text, GroupLimitPicker)
        if not query.by and query.declaration.groups and self._has_groups():
            # The most usual addition, in words: a sign alone is passed over.
            first = self._chip(FIRST_GROUP, self.tr("for each…"), _first_group, dashed=True)
            first.setAccessibleName(self.tr("For each: choose groups"))
        self._build_conditions("where", query.where, self.tr("where"))
        for place, one in enumerate(query.comparisons):
            text = words.comparison(self._state.study, query, one)
            self._chip(f"comparison-{place}", text, partial(ComparisonPicker, place=place))
        if query.declaration.before_limit:
            return  # neither groups nor conditions
        add = self._chip("add", "+", AdditionPicker, dashed=True)
        add.setAccessibleName(self.tr("Add a group or a condition"))
        add.setToolTip(add.accessibleName())

    def _has_groups(self) -> bool:
        """Whether a declared column makes groups that the query does not name already."""
        own = {self._query.column} if self._query.declaration.chooses == "group" else set()
        return any(column.name not in own for column in self._state.study.asked_columns)

    def _build_members_before(self) -> None:
        """What is between the statistic and its column: which quantiles, how many."""
        match self._query.parameters:
            case QuantileParameters(quantiles=quantiles):
                text = query_words.numbers(quantiles) or self.tr("which?")
                self._chip("quantiles", text, _numbers(MemberNumbers("quantiles")))
            case MostCommonParameters(top=top):
                self._chip("top", str(top or 1), TopPicker)

    def _build_subject(self) -> None:
        """What the statistic is about: rows, people, a column, a property."""
        match self._query.parameters:
            case PropertyParameters(has=()):
                self._chip("has-0", self.tr("choose a property"), _condition("has", 0))
            case PropertyParameters(has=has):
                self._build_conditions("has", has, "")
            case LinearModelParameters(column=column, columns=columns):
                title = words.title_of(self._state.study, column) if column else ""
                self._chip("column", title or self.tr("choose a column"), ColumnPicker)
                self._word(self.tr("by"))
                titles = [words.title_of(self._state.study, name) for name in columns]
                text = ", ".join(titles) or self.tr("choose columns")
                self._chip("columns", text, ExplainingPicker)
            case ColumnParameters(column=column):
                # Of yes/no columns the most common can be asked; no event or entry is among them.
                several = self._query.members.get("columns", ())
                names = (*([] if column is None else [column]), *several)
                titles = [words.title_of(self._state.study, name) for name in names]
                text = ", ".join(titles) or self.tr("choose a column")
                self._chip("column", text, ColumnPicker)
            case RowsPerPersonParameters(top_code=top_code):
                self._word(self.tr("from 1 to"))
                text = query_words.or_more(top_code) if top_code else self.tr("how many?")
                self._chip("top_code", text, TopCodePicker)
            case _ if is_of_either(self._state.study, self._query):
                pass  # what is counted is chosen
            case _:
                counted = words.counted(self._state.study, self._query)
                name = query_words.first_word(self._query.statistic)
                # German has it in one word: Personenzahl.
                if counted.casefold() not in name.casefold():
                    self._word(counted, leads=False)

    def _build_of(self, query: Query) -> None:
        """Of what the query is: rows, or people with one row each."""
        names = words.names(self._state.study)
        if type(query.parameters) is not Parameters:
            self._word(self.tr("of the"))
        self._chip("of", names.people if query.of == "people" else names.rows, OfPicker)

    def _build_members_after(self) -> None:
        """What follows the column: candidates, bins, what makes a cut-off good, delta."""
        parameters = self._query.parameters
        if isinstance(parameters, CandidateParameters):
            self._word(self.tr("among"))
            text = query_words.numbers(parameters.candidates) or self.tr("all its values")
            self._chip("candidates", text, _numbers(MemberNumbers("candidates")))
        match parameters:
            case DistributionParameters(edges=edges):
                self._word(self.tr("in bins from"))
                text = query_words.numbers(edges) or self.tr("where?")
                self._chip("edges", text, _numbers(MemberNumbers("edges")))
                if isinstance(parameters, TimeToEventParameters):
                    self._build_event(parameters)
            case RateParameters():
                self._build_rate(parameters)
            case SpreadParameters(expected_deviation=expected):
                self._word(self.tr("usually"))
                self._build_expected("expected_deviation", expected, self.tr("how large?"))
            case CutOffParameters():
                self._build_score(parameters)
            case CategoriesFoundParameters(delta=delta):
                self._word(self.tr("with delta"))
                text = words.delta(delta) if delta else self.tr("how much?")
                self._chip("delta", text, DeltaPicker)

    def _build_event(self, survival: TimeToEventParameters) -> None:
        if survival.has:
            self._build_conditions("has", survival.has, self.tr("until"))
        else:
            self._word(self.tr("until"))
            self._chip("has-0", self.tr("choose an event"), _condition("has", 0))
        self._word(self.tr("and reported at"))
        text = query_words.numbers(survival.times) or self.tr("the end")
        picker = _numbers(MemberNumbers("times"))
        self._chip("times", text, picker, dashed=not survival.times)
        self._build_entry(survival)

    def _build_entry(self, own: TimeToEventParameters) -> None:
        """From when on a row is at risk."""
        self._word(self.tr("at risk from"))
        column = words.title_of(self._state.study, own.entry) if own.entry else ""
        self._chip("entry", column or self.tr("the start"), EntryPicker, dashed=not own.entry)
        if not own.entry:
            return
        self._word(self.tr("in bins from"))
        text = query_words.numbers(own.entry_edges) or self.tr("where?")
        self._chip("entry_edges", text, _numbers(MemberNumbers("entry_edges")))
        self._word(self.tr("and if that is too late"))
        self._chip("late", late_words().get(own.late or "", self.tr("what?")), LatePicker)

    def _build_rate(self, rate: RateParameters) -> None:
        self._word(self.tr("per"))
        text = self.tr("how much?") if rate.per is None else words.grouped(rate.per)
        self._chip("per", text, PerPicker)
        column = words.title_of(self._state.study, rate.column) if rate.column else ""
        self._chip("column", column or self.tr("choose a column"), ColumnPicker)
        self._word(self.tr("with a mean of"))
        self._build_expected("expected_exposure", rate.expected_exposure, self._exposure(rate))
        self._word(self.tr("typically"))
        self._build_expected("typical", rate.typical, self._assumed(rate))
        if isinstance(rate, ByAgeParameters):
            self._build_ages(rate)

    def _assumed(self, rate: RateParameters) -> str:
        """At which rate margins are planned while none is declared: at another one they differ."""
        column = self._state.study.column(rate.column)
        highest = column.upper if isinstance(column, NumberColumn) else None
        if highest is None or highest <= 0 or rate.per is None:
            return self.tr("how many?")
        assumed = two_digits(assumed_rate(highest, rate.per))
        return self.tr("{0} assumed").format(query_words.number(Decimal(assumed)))

    def _exposure(self, rate: RateParameters) -> str:
        """The same of the mean exposure of a row."""
        column = self._state.study.column(rate.column)
        if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
            return self.tr("how many?")
        assumed = assumed_exposure(column.lower, column.upper)
        return self.tr("{0} assumed").format(query_words.number(assumed))

    def _build_ages(self, own: ByAgeParameters) -> None:
        self._word(self.tr("over the age groups of"))
        column = words.title_of(self._state.study, own.over) if own.over else ""
        self._chip("over", column or self.tr("choose a column"), AgesPicker)
        if own.edges:
            self._word(self.tr("in bins from"))
            self._chip("edges", query_words.numbers(own.edges), _numbers(MemberNumbers("edges")))
        self._word(self.tr("by"))
        if isinstance(own, StandardParameters):
            self._chip("standard", words.weighted_by(own), StandardPicker)
        for member in OF_GROUPS:
            numbers = self._query.members.get(member, ())
            if numbers or (member == "reference" and isinstance(own, ReferenceParameters)):
                text = query_words.numbers(numbers) or self.tr("which reference rates?")
                self._chip(member, text, _numbers(MemberNumbers(member)))

    def _build_expected(self, member: str, expected: Decimal | None, unknown: str) -> None:
        """What is known from elsewhere of a figure; it can be left open."""
        text = unknown if expected is None else query_words.number(expected)
        self._chip(member, text, _numbers(MemberNumbers(member)), dashed=expected is None)

    def _build_score(self, cut_off: CutOffParameters) -> None:
        self._word(self.tr("by"))
        scores = query_words.scores(self._state.study, self._query)
        text = scores.get(cut_off.score or "", self.tr("what?"))
        self._chip("score", text, ScorePicker)
        if cut_off.score == "closest-to-target":
            target = cut_off.target
            text = self.tr("how many?") if target is None else words.grouped(target)
            self._chip("target", text, _numbers(MemberNumbers("target")))

    def _build_conditions(
        self, key: ConditionList, conditions: tuple[Condition, ...], first: str
    ) -> None:
        for place, condition in enumerate(conditions):
            lead = first if place == 0 else self.tr("and")
            if lead:
                self._word(lead)
            text = words.condition(self._state.study, condition)
            self._chip(f"{key}-{place}", text, _condition(key, place))

    def _build_bins(self, place: int, grouping: Grouping) -> None:
        if isinstance(grouping, Bins):
            self._word(self.tr("in bins from"))
            text = query_words.numbers(grouping.edges) or self.tr("where?")
            self._chip(f"bins-{place}", text, _numbers(GroupingNumbers(place)))

    def _word(self, text: str, leads: bool = True) -> None:
        """Words that never break in the middle, nor off the chip that they lead to."""
        label = Label(text, Type.CARD)
        self._flow.addWidget(label)
        if leads:
            self._flow.keep_with_next(label)
        label.show()

    def _chip(self, name: str, text: str, picker: MakePicker, dashed: bool = False) -> Chip:
        chip = Chip(value=text, tinted=True, dashed=dashed)
        chip.setObjectName(f"chip-{name}")
        chip.clicked.connect(lambda _on=False: self._open(name, picker))
        self._flow.addWidget(chip)
        # Shown at once, so that the first wrapping already counts it.
        chip.show()
        self._chips[name] = chip
        return chip

    def _open(self, name: str, picker: MakePicker) -> None:
        self.anchor.move_to(self.chip(name))
        picker(self._state.study, self._query, self._put).open(self.anchor)

    def _put(self, query: Query) -> None:
        self.changed.emit(query, "")


def _numbers(numbers: MemberNumbers | GroupingNumbers) -> MakePicker:
    return partial(NumbersPicker, numbers=numbers)


_first_group: MakePicker = partial(GroupPicker, place=0)


def _condition(kept_in: ConditionList, place: int) -> MakePicker:
    return partial(ConditionPicker, kept_in=kept_in, place=place)
