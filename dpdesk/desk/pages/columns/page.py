# SPDX-License-Identifier: Apache-2.0
"""Columns: what values can occur. Typed in or from a codebook, never looked up in the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from dpdesk.desk.core.edits import query_edits, study_edits
from dpdesk.desk.core.session import Session
from dpdesk.desk.core.state import StepState, is_open, step_state
from dpdesk.desk.pages.columns.codebook.codebook_actions import CodebookActions
from dpdesk.desk.pages.columns.codebook.codebook_offer import CodebookOffer, DoneBanner
from dpdesk.desk.pages.columns.column_form import NUMBER_FIELDS, ColumnForm
from dpdesk.desk.pages.columns.column_groups import column_groups, group_of
from dpdesk.desk.pages.columns.column_item import ColumnItem
from dpdesk.desk.pages.columns.column_list import LIST_WIDTH, NARROW_LIST, ColumnList
from dpdesk.desk.pages.columns.column_search import ColumnIndex, ColumnSearch
from dpdesk.desk.pages.columns.derived import derived_edits
from dpdesk.desk.pages.columns.derived.column_dialog import ColumnDialog
from dpdesk.desk.pages.columns.derived.offers import Offer
from dpdesk.desk.pages.columns.derived.person_table_dialog import PersonTableDialog
from dpdesk.desk.pages.columns.derived.step_list import DECLARED
from dpdesk.desk.pages.columns.many.many_form import ManyForm
from dpdesk.desk.pages.step_page import StepPage
from dpdesk.desk.text import words
from dpdesk.desk.text.suggestion_words import kind_by_name
from dpdesk.desk.text.template_words import template_names, template_needs
from dpdesk.desk.theme.metrics import scale
from dpdesk.desk.widgets.accessibility.announcing import announce
from dpdesk.desk.widgets.buttons import primary, secondary
from dpdesk.desk.widgets.card import Card, Hairline
from dpdesk.study.model.baseline.expansion import questions
from dpdesk.study.model.columns import Column, NumberColumn, column_title
from dpdesk.study.model.steps.derivation import with_operands
from dpdesk.study.problem import Problem
from dpdesk.study.reuse.templates import TEMPLATES, is_ready
from dpdesk.study.suggest.identifiers import is_direct

LEAST_HEIGHT = 116
"""Below that the page scrolls; so much has room below a codebook's banner at 200 %."""


class ColumnsPage(StepPage):
    """The third step: the file's columns at the left, the chosen one's declaration at the right."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        line = self.tr("Declare which values can occur. dpdesk never looks this up in the data.")
        self.set_line(line)
        self._selected = ""
        self._is_by_hand = False
        self._index = ColumnIndex()
        self.search = ColumnSearch()
        self.list = ColumnList()
        self.form = ColumnForm(session)
        self._form_area = _form_area(self.form)
        self._many: ManyForm | None = None
        self._many_area: QScrollArea | None = None
        self._chosen: tuple[str, ...] = ()
        self._broken = ""
        self._announced = 0
        """How many chosen columns were announced."""
        self.codebooks = CodebookActions(self, session)
        self.new = secondary(self.tr("New column…"), before="plus", small=True)
        self.dialog: ColumnDialog | None = None
        self.people: PersonTableDialog | None = None
        self.offer = CodebookOffer(session)
        self.done = DoneBanner(session, self.offer)
        self._build()
        self._connect()

    def _build(self) -> None:
        self.add_action(self.codebooks.write)
        self.add_action(self.codebooks.take)
        self.add_action(self.new)
        self.body.addWidget(self.done)
        self.body.addWidget(self.offer)
        card = Card()
        card.set_padding(1)
        row = self._beside = QHBoxLayout(spacing=0)
        side = QVBoxLayout(spacing=0)
        side.addWidget(self.search)
        side.addWidget(self.list, 1)
        row.addLayout(side)
        row.addWidget(Hairline(upright=True))
        row.addWidget(self._form_area, 1)
        card.body.addLayout(row)
        card.setMinimumHeight(LEAST_HEIGHT)
        self.body.addWidget(card, 1)
        # List and form scroll beside each other, never within a page that scrolls, too.
        self.fill_height()
        self.list.set_least_width(round(LIST_WIDTH * max(1.0, scale())))
        self.footer.back.show()
        self.footer.set_primary(primary(self.tr("Continue to Queries"), after="arrow-right"))

    def set_narrow(self, narrow: bool) -> None:
        """The list leaves more room for the form."""
        super().set_narrow(narrow)
        larger = round(LIST_WIDTH * max(1.0, scale()))
        self.list.set_least_width(NARROW_LIST if narrow else larger)
        self.form.set_narrow(narrow)
        if self._many is not None:
            self._many.set_narrow(narrow)

    def set_low(self, low: bool) -> None:
        """The list and the form have the room of the line below the title; both say it, too."""
        super().set_low(low)
        self.show_line(not low)

    def _connect(self) -> None:
        self.footer.back.clicked.connect(lambda: self.go_to.emit("people"))
        if self.footer.primary is not None:
            self.footer.primary.clicked.connect(lambda: self.go_to.emit("queries"))
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._start_search)
        self.search.searched.connect(self._search)
        self.search.entered.connect(self._enter_list)
        self.search.picked.connect(self._confirm_found)
        self.search.select_all.clicked.connect(self.choose_all)
        self.list.picked.connect(self.select)
        self.list.toggled.connect(self.toggle)
        self.list.extended.connect(self.extend)
        self.list.all_wanted.connect(self.choose_all)
        self.list.deselected.connect(self.deselect)
        self.list.stepped.connect(self.move_selection)
        self.list.confirmed.connect(self._enter_form)
        self.list.typed.connect(self._search_from_list)
        for field in self.form.numbers.values():
            field.edit.returnPressed.connect(self._leave_field)
        self.form.estimate_wanted.connect(self.estimate_bounds)
        self.form.derived_wanted.connect(self.make_column)
        self.new.clicked.connect(lambda: self.make_column())
        self.codebooks.done.connect(self.done.report)
        self.codebooks.imported.connect(self._go_on_after_import)
        self.offer.wanted.connect(self.codebooks.review)

    def estimate_bounds(self, name: str) -> None:
        """Ask for a column's bounds as a query, and open it where its cost is set."""
        share = study_edits.as_measure(study_edits.FIRST_SHARE, self.state.measure)
        study = query_edits.estimate_bounds(self.state.study, name, share)
        self.session.edit(study, self.tr("Estimate bounds"))
        query = query_edits.bounds_query(self.state.study, name)
        if query is not None:
            self.query_wanted.emit(query.id)

    def make_column(self, begun: Offer | None = None) -> None:
        """Ask how a column is made from others: a new one, or one that there is."""
        study = self.state.study
        if begun is None:
            step = DECLARED["between"].first(study)
            begun = Offer("", derived_edits.column_of(step, study, ""))
        needs = begun.needs
        made_of = replace(self.state, study=derived_edits.put_columns(study, needs))
        self.dialog = ColumnDialog(self, made_of, begun.column)
        self.dialog.decided.connect(lambda column: self._put_derived(column, needs))
        self.dialog.several_wanted.connect(self.make_people)
        self.dialog.open()

    def make_people(self, begun: Column) -> None:
        """Ask for several values of a person at once."""
        self.people = PersonTableDialog(self, self.state, begun)
        self.people.decided.connect(self._put_people)
        self.people.open()

    def _put_people(self, columns: tuple[Column, ...]) -> None:
        """Declare them in one step of Undo, and show the first."""
        study = derived_edits.put_columns(self.state.study, columns)
        self.session.edit(study, self.tr("Add columns"))
        self._show_made(columns[0].name)

    def _put_derived(self, column: Column, needs: tuple[Column, ...] = ()) -> None:
        """Declare a derived column with what it needs, in one step of Undo, and show it."""
        is_new = self.state.study.column(column.name) is None
        said = self.tr("Add a column") if is_new else self.tr("Declare a column")
        used = with_operands({one.name: one for one in (*needs, column)}, (column.name,))
        columns = (*(one for one in needs if one.name in used), column)
        self.session.edit(derived_edits.put_columns(self.state.study, columns), said)
        self._show_made(column.name)

    def _show_made(self, name: str) -> None:
        if self.state.study.column(name) is not None:
            self.search.edit.clear()
            self.select(name)
            self.item(name).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def many(self) -> ManyForm:
        """The form for several columns, made when several are first chosen."""
        if self._many is None:
            self._many = ManyForm(self.session)
            self._many.set_narrow(self.is_narrow)
            self._many.deselected.connect(self.deselect)
            self._many_area = _form_area(self._many)
            self._beside.addWidget(self._many_area, 1)
            self._many_area.setVisible(len(self._chosen) > 1)
        return self._many

    @property
    def selected(self) -> str:
        """The column whose declaration is on show."""
        return self._selected

    def memory(self) -> object:
        """The column that somebody chose."""
        return self._selected if self._is_by_hand else None

    def recall(self, memory: str) -> None:
        """Show the declaration of the column that was chosen."""
        self.select(memory)

    def enter(self) -> None:
        """Begin with what still needs something, until somebody chose a column."""
        if not self._is_by_hand:
            self._selected = ""
        self.done.forget()
        super().enter()

    def first_to_do(self) -> QWidget | None:
        """The chosen column, until the columns are described."""
        done = step_state(self.state, "columns") is StepState.DONE
        return None if done or self._selected not in self.list.names else self.item(self._selected)

    def forget(self) -> None:
        """Another study is open."""
        self._selected = ""
        self._is_by_hand = False
        self._chosen = ()
        self.done.forget()
        self.search.edit.clear()

    def select(self, name: str) -> None:
        """Show a column's declaration."""
        self._selected, self._is_by_hand = name, True
        self._chosen = ()
        self.form.show_column(name)
        self._form_area.verticalScrollBar().setValue(0)
        self.render_state()

    @property
    def chosen(self) -> tuple[str, ...]:
        """The columns that are chosen together; none while there is one."""
        return self._chosen

    def choose(self, names: Iterable[str]) -> None:
        """Show several columns together; the one that tells people apart is never one of them."""
        wanted = set(names)
        chosen = tuple(n for n in self.names() if n in wanted and self._is_choosable(n))
        if len(chosen) == 1:
            self.select(chosen[0])
            return
        self._chosen, self._is_by_hand = chosen, True
        if chosen and self._selected not in chosen:
            self._selected = chosen[0]
            self.form.show_column(self._selected)
        if self._many_area is not None:
            self._many_area.verticalScrollBar().setValue(0)
        self.render_state()

    def toggle(self, name: str) -> None:
        """Choose a column beside those that are, or no longer."""
        self.choose(self._together() ^ {name})

    def extend(self, name: str) -> None:
        """Choose all columns on the list from the one on show to another."""
        names = self.list.names
        first = self._selected if self._selected in names else name
        ends = sorted((names.index(first), names.index(name)))
        self.choose(names[ends[0] : ends[1] + 1])

    def choose_all(self) -> None:
        """Choose all columns on the list but those that name a person."""
        self.choose(self._offered())

    def deselect(self) -> None:
        """Show one column again."""
        self.select(self._selected)
        if self._selected in self.list.names:
            self.item(self._selected).setFocus()

    def _together(self) -> frozenset[str]:
        """What is chosen; where that is one column, only if it is on the list."""
        return frozenset(self._chosen or {self._selected} & set(self.list.names))

    def _is_choosable(self, name: str) -> bool:
        unit = self.state.study.unit
        return unit is None or unit.person != name

    def _offered(self) -> list[str]:
        found = (n for n in self.list.names if self._is_choosable(n))
        return [n for n in found if self.state.study.column(n) or not self._is_direct(n)]

    def _is_direct(self, name: str) -> bool:
        """Whether a column's header says that it names a person."""
        return is_direct(self.state.place_of(name)[1])

    def names(self) -> tuple[str, ...]:
        """The files' columns, those declared and not in them, last those that name a person.

        Where there are further tables, the columns of each stand together.
        """
        study = self.state.study
        declared = [c.name for c in study.columns]
        every = tuple(dict.fromkeys([*self.state.header, *self.state.further, *declared]))
        kept = {*declared, study.unit.person if study.unit else None}
        last = {n for n in every if n not in kept and self._is_direct(n)}
        if not study.tables:
            return tuple(sorted(every, key=last.__contains__))
        groups = column_groups(self.state)
        order = {key: place for place, key in enumerate(groups)}
        return tuple(sorted(every, key=lambda n: (order[group_of(self.state, n)], n in last)))

    def render_state(self) -> None:
        """Show the list and the chosen column."""
        names = self.names()
        if self._selected not in names:
            self._selected = self._first(names)
            self.form.show_column(self._selected)
        known = set(names)
        self._chosen = tuple(name for name in self._chosen if name in known)
        self._show_list(names)
        self._form_area.setVisible(len(self._chosen) < 2)
        if self._many_area is not None:
            self._many_area.setVisible(len(self._chosen) > 1)
        if len(self._chosen) > 1:
            self.many.show_columns(self._chosen)
            self.many.render_state()
        else:
            self._chosen = ()
            self.form.render_state()
        self.codebooks.render_state()
        self.offer.render_state()
        self.done.render_state()
        self._render_footer()

    def _first(self, names: tuple[str, ...]) -> str:
        """The first in use that still needs something, or the first that is used, or the first."""
        unit = self.state.study.unit
        # Of the one that tells people apart nothing is to be said.
        rest = [n for n in names if unit is None or n != unit.person]
        used = [n for n in rest if self.state.study.column(n) is not None]
        needs = (n for n in used if self.state.column_problems(n))
        return next(iter([*needs, *used, *rest, *names]), "")

    def _show_list(self, names: tuple[str, ...]) -> None:
        """The columns that the search finds; all of them while there is none."""
        found = names
        if self.search.text:
            found = self._index.matching(names, self.state, self.search.text)
        self.search.setVisible(bool(names))
        boxes = bool(self.search.text) or len(self._chosen) > 1
        self.list.show_columns(found, self._selected, self.state, frozenset(self._chosen), boxes)
        offered = set(self._offered())
        self.search.show_count(len(found), len(names), len(offered))
        self.search.select_all.setEnabled(not offered <= set(self._chosen))

    def _search(self, _text: str) -> None:
        self._show_list(self.names())
        self.list.reveal("" if self.search.text else self._selected)

    def _start_search(self) -> None:
        self.search.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.edit.selectAll()

    def _search_from_list(self, text: str) -> None:
        """What is typed in the list begins another search."""
        self.search.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.search.edit.setText(text)

    def _pick_found(self) -> None:
        """Show the first column that was found."""
        if self.search.text and self.list.names and self._selected not in self.list.names:
            self.select(self.list.names[0])

    def _confirm_found(self) -> None:
        """Return shows the first column that was found, and once it is on show goes to its form."""
        if self.search.text and self._selected in self.list.names:
            self._enter_form(self._selected)
        else:
            self._pick_found()

    def _enter_form(self, name: str) -> None:
        """Describe a column: in its first empty field, or with what it holds where none is."""
        if name != self._selected:
            self.select(name)
        if not self._chosen and not self.form.go_to_empty():
            kind = self.form.kind.key or self._proposed_kind(name)
            self.form.kind.segment(kind).setFocus(Qt.FocusReason.TabFocusReason)

    def _proposed_kind(self, name: str) -> str:
        header = self.state.place_of(name)[1]
        return kind_by_name(header, study_edits.propose_kind(header))

    def _leave_field(self) -> None:
        """Return goes from a field to the next that is empty, and past the last to what goes on."""
        go_on = self.footer.primary
        if not self.form.go_to_empty() and go_on is not None and go_on.isEnabled():
            go_on.setFocus(Qt.FocusReason.TabFocusReason)

    def _enter_list(self) -> None:
        """Let the keyboard go from the search to the list's chosen line, or to its first."""
        self._pick_found()
        if self._selected in self.list.names:
            self.item(self._selected).setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape goes back from a column's form, or past its end, to its line in the list."""
        keyboard = QApplication.focusWidget()
        of_column = (self.form, self.footer)
        is_there = keyboard is not None and any(one.isAncestorOf(keyboard) for one in of_column)
        if event.key() == Qt.Key.Key_Escape and is_there and self._selected in self.list.names:
            self.item(self._selected).setFocus(Qt.FocusReason.BacktabFocusReason)
            return
        super().keyPressEvent(event)

    def item(self, name: str) -> ColumnItem:
        """The list's line of a column."""
        return self.list.item(name)

    def move_selection(self, step: int) -> None:
        """Choose the neighbour in the list."""
        names = self.list.names
        if self._selected in names:
            chosen = names[(names.index(self._selected) + step) % len(names)]
            self.select(chosen)
            self.item(chosen).setFocus()

    def _go_on_after_import(self) -> None:
        """Show what still needs something; a column that was on show and does stays.

        The keyboard goes to what is empty there, or to the column.
        """
        if not self._chosen and not self.state.column_problems(self._selected):
            self._selected, self._is_by_hand = "", False
            self.render_state()
            self.list.reveal(self._selected)
        if not self._chosen and self._selected in self.list.names:
            self.item(self._selected).setFocus(Qt.FocusReason.OtherFocusReason)
            self.form.go_to_empty()

    def _render_footer(self) -> None:
        problems = self.state.step_problems("columns")
        wrong = [problem for problem in problems if not is_open(problem)]
        done = step_state(self.state, "columns") is StepState.DONE
        sentence = self.tr("Declare the columns that your queries need; others stay unused.")
        if wrong:
            sentence = self._sentence_of(wrong)
        elif problems:
            sentence = self._still_open()
        elif done:
            sentence = self.tr(
                "%n declared; others stay unused.", "", len(self.state.study.columns)
            )
        if not problems:
            sentence = self._needs_of_template() or sentence
        broken = self._broken_queries()
        sentence = f"{sentence} {broken}".strip()
        if broken != self._broken:
            announce(self.footer, broken)
        self._broken = broken
        if self._chosen:
            count = len(self._chosen)
            sentence = self.tr("One change to %n columns is one step of Undo.", "", count)
            if count != self._announced:
                announce(self, self.tr("%n columns chosen", "", count))
        self._announced = len(self._chosen)
        self.footer.say(sentence, attention=bool(wrong) and not self._chosen)
        if self.footer.primary is not None:
            self.footer.primary.setEnabled(not wrong)

    def _broken_queries(self) -> str:
        """How many queries no longer fit what is declared; empty while all of them do."""
        queries = questions(self.state.study)
        count = sum(any(not is_open(p) for p in self.state.query_problems(q.id)) for q in queries)
        if not count:
            return ""
        return self.tr("Fix %n quer(y|ies) in Queries.", "", count)

    def _needs_of_template(self) -> str:
        """What the study's template still asks for; empty where it has all that it needs."""
        study = self.state.study
        wanted = next((one for one in TEMPLATES if one.name == self.session.template), None)
        if wanted is None or is_ready(study, wanted):
            return ""
        name, needs = template_names()[wanted.name], template_needs()[wanted.name]
        return self.tr("{0}: declare {1}.").format(name, needs)

    def _sentence_of(self, wrong: list[Problem]) -> str:
        """How many things are wrong, and the first of them with its column."""
        index = wrong[0].path.removeprefix("$.columns[").partition("]")[0]
        columns = self.state.study.columns
        name = column_title(columns[int(index)]) if index.isdigit() else ""
        place = self._places().get(wrong[0].path.rpartition("].")[2], "") if name else ""
        if place:
            template = self.tr("%n thing(s) to fix: {0}.", "", len(wrong))
            return template.format(place.format(name))
        text = words.problem_sentence(wrong[0])
        template = self.tr("%n thing(s) to fix: {0}", "", len(wrong))
        return template.format(f"{name}: {text}" if name else text)

    def _places(self) -> dict[str, str]:
        """The fields that say themselves what is wrong with them; the footer only names them."""
        return {
            "lower": self.tr("lowest value of {0}"),
            "upper": self.tr("highest value of {0}"),
            "step": self.tr("step of {0}"),
            "values": self.tr("values of {0}"),
        }

    def _still_open(self) -> str:
        """How many columns are complete, that they may be enough, and which one follows."""
        columns = self.state.study.columns
        lacking = [c for c in columns if self.state.column_problems(c.name)]
        described = len(columns) - len(lacking)
        template = self.tr("%n of {0} declared.", "", described)
        if described:
            template = self.tr(
                "%n of {0} declared. Continue if your queries need no others.", "", described
            )
        if missing := self._missing():
            template = self.tr("%n of {0} declared.", "", described)
        said = template.format(words.grouped(len(columns)))
        # The one on show is what is being described: another one follows.
        others = [c for c in lacking if c.name != self._selected or self._chosen]
        following = self.tr("Next: {0}").format(column_title(others[0])) if others else ""
        return " ".join(filter(None, [said, missing, following]))

    def _missing(self) -> str:
        """What the column on show lacks once it is partly described; empty until it is."""
        column = self.state.study.column(self._selected)
        lacking = [p for p in self.state.column_problems(self._selected) if is_open(p)]
        if not isinstance(column, NumberColumn) or len(lacking) in (0, len(NUMBER_FIELDS)):
            return ""
        place = self._places().get(lacking[0].path.rpartition("].")[2], "")
        return self.tr("Missing: {0}.").format(place.format(column_title(column)))


def _form_area(form: QWidget) -> QScrollArea:
    """The form, scrolling by itself beside the list."""
    area = QScrollArea(frameShape=QFrame.Shape.NoFrame, widgetResizable=True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    # One column and several have the same room, whichever of the two forms scrolls.
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    # As high as the page leaves room for, however long the form is.
    area.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
    area.viewport().setAutoFillBackground(False)
    area.setWidget(form)
    form.setAutoFillBackground(False)
    return area
