# SPDX-License-Identifier: Apache-2.0
"""People: whose privacy is protected, and how much may be spent."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QButtonGroup, QHBoxLayout, QVBoxLayout, QWidget

from dpdesk.desk.core.edits import query_edits, study_edits
from dpdesk.desk.core.edits.table_edits import with_case
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import StepState, step_state
from dpdesk.desk.pages.people.account_card import AccountCard
from dpdesk.desk.pages.people.house_rule_card import HouseRuleCard
from dpdesk.desk.pages.people.id_shape_fields import IdShapeFields
from dpdesk.desk.pages.people.names_card import NamesCard
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import typed_numbers, words
from dpdesk.desk.theme.metrics import UNLIMITED, Space
from dpdesk.desk.widgets.buttons import link, primary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import ChoiceField, LineField
from dpdesk.desk.widgets.inputs.option_card import OptionCard
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedRow
from dpdesk.desk.widgets.page import stacking
from dpdesk.study import limits
from dpdesk.study.model.unit import IdShape, Unit

TOP = Qt.AlignmentFlag.AlignTop
NOTE_WIDTH = 208


class PeoplePage(StepPage):
    """The second step."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.set_line(self.tr("Declare whose privacy is protected, and how much may be spent."))
        self.several = OptionCard(self.tr("A person can have several rows"), plain=True)
        self.single = OptionCard(self.tr("Every row is a different person"), plain=True)
        self.person = ChoiceField(
            self.tr("&Person ID column"), placeholder=self.tr("Choose a column")
        )
        self.max_rows = LineField(self.tr("&Row limit per person"), unit=self.tr("rows"))
        self.ask_rows = link(self.tr("Query rows per person"))
        self.ask_rows.setToolTip(
            self.tr("A query that costs little: how many people have 1, 2, 3 or more rows.")
        )
        self.secret = OptionCard(
            self.tr("Yes, keep it secret"), self.tr("Hides whether someone is in the file at all.")
        )
        self.public = OptionCard(
            self.tr("No, it is public"), self.tr("Hides what is recorded about someone.")
        )
        self.people = LineField(
            self.tr("The public &number of people"),
            self.tr("As published elsewhere; a file with another number is refused."),
            self.tr("people"),
        )
        self.account = AccountCard(session)
        self.id_shape = IdShapeFields()
        self.house_rule = HouseRuleCard()
        self.names = NamesCard()
        self._wants_column = False
        self._undecided: Unit | None = None
        self._typed_wrong = False
        self._build()
        self._connect()

    def _build(self) -> None:
        row = self._beside = QBoxLayout(stacking(False), spacing=Space.CARDS)
        column = QVBoxLayout(spacing=Space.CARDS)
        column.addWidget(self._build_unit())
        self._secret_card = self._build_secret()
        column.addWidget(self._secret_card)
        column.addWidget(self.account)
        column.addWidget(self.house_rule)
        column.addWidget(self.names)
        column.addStretch(1)  # beside a longer note the cards would stretch
        row.addLayout(column, 1)
        self._note = self._build_note()
        self._note.setFixedWidth(NOTE_WIDTH)
        row.addWidget(self._note, 0, TOP)
        self.body.addLayout(row)
        self.footer.back.show()
        self.footer.set_primary(primary(self.tr("Continue to Columns"), after="arrow-right"))

    def narrow_below(self) -> int:
        """Wide enough for the account's buttons beside the note, however long their words are."""
        column = max(card.minimumSizeHint().width() for card in (self.account, self.names))
        bar = self.scroll_area.verticalScrollBar().sizeHint().width()
        beside = column + Space.CARDS + NOTE_WIDTH + 2 * Space.PAGE + bar
        return max(super().narrow_below(), beside)

    def set_narrow(self, narrow: bool) -> None:
        super().set_narrow(narrow)
        self._beside.setDirection(stacking(narrow))
        self._note.setMinimumWidth(0 if narrow else NOTE_WIDTH)
        self._note.setMaximumWidth(UNLIMITED if narrow else NOTE_WIDTH)
        self._beside.setAlignment(self._note, TOP if not narrow else Qt.AlignmentFlag(0))

    def _build_unit(self) -> Card:
        card = Card(self.tr("Who is a row about?"))
        self._who = QButtonGroup(self)
        for option in (self.several, self.single):
            self._who.addButton(option)
        self._fields = QWidget()
        inner = QHBoxLayout(self._fields)
        inner.setContentsMargins(Space.GAP + Space.RING, 0, 0, 0)
        self._fields.ring_room = RING  # type: ignore[attr-defined]  # AlignedBox reads it
        inner.setSpacing(Space.CARDS)
        inner.addWidget(self.person, 1, Qt.AlignmentFlag.AlignTop)
        limit = QVBoxLayout(spacing=Space.TIGHT)
        limit.addWidget(self.max_rows)
        offer = AlignedRow()
        offer.addWidget(self.ask_rows)
        offer.addStretch(1)
        limit.addLayout(offer)
        limit.addStretch(1)
        inner.addLayout(limit, 1)
        card.body.addWidget(self.several)
        card.body.addWidget(self._fields)
        shape = QHBoxLayout(spacing=0)
        shape.setContentsMargins(Space.GAP + Space.RING, 0, 0, 0)
        shape.addWidget(self.id_shape)
        card.body.addLayout(shape)
        card.body.addWidget(self.single)
        return card

    def _build_secret(self) -> Card:
        card = Card(self.tr("Is the number of people a secret?"))
        self._secret = QButtonGroup(self)
        row = QHBoxLayout(spacing=Space.CARDS)
        for option in (self.secret, self.public):
            self._secret.addButton(option)
            row.addWidget(option)
        card.body.addLayout(row)
        card.body.addWidget(self.people)
        return card

    def _build_note(self) -> QWidget:
        return self.side_note(
            (
                self.tr("Why a row limit"),
                self.tr(
                    "The noise must hide everything one person adds. A person with 30 rows would "
                    "need 15 times the noise of one with 2."
                ),
            ),
            (
                self.tr("Where to find it"),
                self.tr(
                    "Take it from the study protocol or your hospital’s rules. dpdesk does not "
                    "look it up in the data: a limit that follows the data would reveal "
                    "something about it."
                ),
            ),
            (
                self.tr("The account’s total"),
                self.tr(
                    "You can raise it later, with a reason that stays on record. What has been "
                    "released stays spent."
                ),
            ),
            (
                self.tr("Budget (ε, epsilon)"),
                self.tr(
                    "What all releases together may reveal about one person. Smaller is safer."
                ),
            ),
        )

    def ask_rows_per_person(self) -> None:
        """Ask how many rows people have as a query, and go where its cost is set."""
        share = study_edits.as_measure(study_edits.FIRST_SHARE, self.state.measure)
        study = query_edits.ask_rows_per_person(self.state.study, share)
        self.session.edit(study, self.tr("Query rows per person"))
        asked = (q.id for q in self.state.study.queries if q.declaration.before_limit)
        for query in list(asked)[:1]:
            self.query_wanted.emit(query)

    def _connect(self) -> None:
        self.ask_rows.clicked.connect(self.ask_rows_per_person)
        self.several.clicked.connect(lambda: self._choose_several())
        self.several.decided.connect(self._go_to_fields)
        self.single.clicked.connect(self._choose_single)
        self.person.picked.connect(self._choose_person)
        self.max_rows.edited.connect(self._type_max_rows)
        self.max_rows.group_digits()
        self.people.group_digits()
        self.max_rows.left.connect(self.render_state)
        self.max_rows.edit.returnPressed.connect(self._leave_limit)
        self.id_shape.declared.connect(self._set_id_shape)
        self.secret.clicked.connect(lambda: self._set(neighbours="add-remove"))
        self.public.clicked.connect(lambda: self._set(neighbours="change-one"))
        self.people.edited.connect(self._type_people)
        self.names.named.connect(lambda key, text: self._set(key, **{key: text.strip()}))
        for field in self.names.fields.values():
            field.left.connect(self.render_state)
        self.people.left.connect(self.render_state)
        self.house_rule.declared.connect(self._set_rounding)
        self.account.opened.connect(self._go_on_with_account)
        self.footer.back.clicked.connect(lambda: self.go_to.emit("data"))
        if self.footer.primary is not None:
            self.footer.primary.clicked.connect(lambda: self.go_to.emit("columns"))

    def forget(self) -> None:
        self.account.forget()
        self._wants_column = False
        self._undecided = None
        self._typed_wrong = False

    def _set(self, merge_key: str = "", **changes: object) -> None:
        study = study_edits.set_unit(self.state.study, **changes)
        self.session.edit(study, self.tr("Change the privacy unit"), merge_key)

    def first_to_do(self) -> QWidget | None:
        unit = self.state.study.unit
        if unit is None:
            return self.several
        return self.account.new if self.state.account is None else None

    def _go_on_with_account(self) -> None:
        """Where nothing else is to be said here, Return goes on; it opened another account."""
        if self.footer.primary is not None and self.footer.primary.isEnabled():
            self.focus_first()

    def _leave_limit(self) -> None:
        """Return goes from a limit that is right to what is still to be said, or onwards."""
        if not self.max_rows.error:
            self.focus_first()

    def _choose_several(self) -> None:
        """Take the column whose name sounds like it, if there is one; the user sees the choice."""
        unit = self.state.study.unit
        if unit is not None and unit.person is not None:
            return
        self._wants_column = True
        likely = next((n for n in self.state.header if study_edits.looks_like_person(n)), None)
        if likely is not None:
            self._choose_person(likely)
        elif unit is not None:
            # Till a column is chosen, the study does not go on saying the opposite.
            self._undecided = unit
            study = replace(self.state.study, unit=None)
            self.session.edit(study, self.tr("Change the privacy unit"))
        else:
            self.render_state()

    def _go_to_fields(self) -> None:
        """Put the keyboard where one goes on: into the limit, or the choice of a column."""
        unit = self.state.study.unit
        if unit is None or unit.person is None:
            self.person.editor.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self.max_rows.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.max_rows.edit.selectAll()

    def _choose_single(self) -> None:
        self._typed_wrong = False
        self._choose_person(None)
        self.render_state()

    def _choose_person(self, name: str | None) -> None:
        """Who a row is about; what was answered before somebody thought twice is still so."""
        self._wants_column = False
        study = self.state.study
        study = replace(study, unit=study.unit or self._undecided)
        self._undecided = None
        study = with_case(study_edits.set_unit(study, person=name), self.state.header)
        self.session.edit(study, self.tr("Change the privacy unit"))

    def _type_max_rows(self, text: str) -> None:
        number = typed_numbers.whole_from_text(text)
        self._typed_wrong = True
        if number is None:
            self.max_rows.set_error(self.tr("Type a whole number, such as 3."))
            self._render_footer()
            return
        if not 1 <= number <= limits.MAX_ROWS_PER_PERSON:
            most = words.grouped(limits.MAX_ROWS_PER_PERSON)
            self.max_rows.set_error(self.tr("Between 1 and {0}.").format(most))
            self._render_footer()
            return
        self._typed_wrong = False
        self.max_rows.set_error("")
        self._set("max-rows", max_rows=number)

    def _set_id_shape(self, shape: IdShape | None, key: str) -> None:
        self._set(f"id-shape-{key}" if key else "", id_shape=shape)

    def _set_rounding(self, rounding: int | None) -> None:
        study = replace(self.state.study, rounding=rounding)
        self.session.edit(study, self.tr("Change the rounding of counts"))

    def _type_people(self, text: str) -> None:
        number = typed_numbers.whole_from_text(text)
        if number is None or not 1 <= number <= limits.ROW_CAP:
            self.people.set_error(self.tr("Type a whole number of 1 or more."))
            return
        self.people.set_error("")
        self._set("people", people=number)

    def render_state(self) -> None:
        study = self.state.study
        unit = study.unit
        by_person = self._wants_column or (unit is not None and unit.person is not None)
        for option, on in (
            (self.several, by_person),
            (self.single, unit is not None and not by_person),
            (self.secret, unit is not None and unit.neighbours == "add-remove"),
            (self.public, unit is not None and unit.neighbours == "change-one"),
        ):
            _check(option, on)
        self._fields.setVisible(by_person)
        self.id_shape.setVisible(by_person)
        self.id_shape.render_state(self.state)
        self._secret_card.setEnabled(unit is not None)
        names = [(name, name) for name in dict.fromkeys(self.state.header)]
        if unit is not None and unit.person and unit.person not in self.state.header:
            names.append((unit.person, unit.person))
        self.person.set_choices(names, unit.person if unit else None)
        self.ask_rows.setEnabled(unit is not None and unit.person is not None)
        if unit is not None:
            self._render_numbers(unit.max_rows, unit.people, unit.neighbours == "change-one")
        self.people.setVisible(unit is not None and unit.neighbours == "change-one")
        self.account.render_state()
        self.house_rule.render_state(self.state)
        self.names.render_state(self.state)
        self._render_footer()

    def _render_numbers(self, max_rows: int, people: int | None, public: bool) -> None:
        # A wrong number stays to be fixed: its beginning would pass for what was meant.
        if not self._typed_wrong:
            self.max_rows.set_error("")
            _put(self.max_rows, max_rows)
        hint = self.tr(
            "If a person has more, dpdesk keeps %n row(s) at random. Fewer rows mean less noise.",
            "",
            max_rows,
        )
        self.max_rows.set_hint(hint)
        if not (self.people.error and self.people.edit.hasFocus()):
            missing = public and people is None
            self.people.set_error(self.tr("Enter the public number of people.") if missing else "")
            _put(self.people, people)

    def _render_footer(self) -> None:
        problems = self.state.step_problems("people")
        done = step_state(self.state, "people") is StepState.DONE and self.state.account is not None
        done = done and not self._wants_column
        sentence = ""
        done = done and not self._typed_wrong and not self.id_shape.is_wrong
        if self._typed_wrong:
            sentence = self.max_rows.error
        elif self.id_shape.is_wrong:
            sentence = self.tr("Say how long an ID is.")
        elif self._wants_column:
            sentence = self.tr("Choose the person ID column.")
        elif problems and problems[0].code == "unit-not-declared":
            sentence = self.tr("Choose who a row is about.")
        elif problems:
            sentence = words.problem_sentence(problems[0])
        elif self.state.account is None:
            sentence = self.tr("Choose the budget account, or open a new one.")
        self.footer.say(sentence, attention=not done)
        if self.footer.primary is not None:
            self.footer.primary.setEnabled(done)


def _put(field: LineField, number: int | None) -> None:
    """Show a number; what is typed stays as long as it means the same."""
    if number is None or typed_numbers.whole_from_text(field.text) != number:
        field.set_text("" if number is None else words.grouped(number))


def _check(option: OptionCard, on: bool) -> None:
    group = option.group()
    if on:
        option.setChecked(True)
    elif option.isChecked() and group is not None:
        group.setExclusive(False)
        option.setChecked(False)
        group.setExclusive(True)
