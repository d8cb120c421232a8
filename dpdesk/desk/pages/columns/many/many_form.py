# SPDX-License-Identifier: Apache-2.0
"""The declarations of several columns: what is set here goes to all, in one step of Undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpdesk.data.codebook.sources import stated_source
from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.columns.kind_choice import KindChoice
from dpdesk.desk.pages.columns.many.range_table import RangeTable, with_own_range
from dpdesk.desk.pages.columns.many.same_bounds import SameBounds
from dpdesk.desk.pages.columns.many.same_fields import SameFields, differs, show_common
from dpdesk.desk.pages.columns.rule_fields import RuleFields, rule_of
from dpdesk.desk.text.suggestion_words import kind_by_name
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.heading import CARD_LEVEL
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import Label, headed, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.study import limits
from dpdesk.study.model.columns import CategoryColumn, Column, column_title
from dpdesk.study.model.document import Study
from dpdesk.study.suggest.identifiers import is_direct
from dpdesk.study.suggest.range_match import Suggestion

MOST_NAMES = 6
HEAD = Space.GAP + 2
"""The height of the title's line: that of the switch beside the title of a single column."""


class ManyForm(QWidget):
    """What several columns have in common.

    Signals:
        deselected: one column is wanted again.
    """

    deselected = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._names: tuple[str, ...] = ()
        self.title = headed(Label(size=Type.HEADING, semibold=True), CARD_LEVEL)
        # As high as beside the switch of a single column: nothing moves when one more is chosen.
        self.title.setMinimumHeight(HEAD)
        # It lists names from the file, which may be longer than the form is wide.
        self.listed = Label(size=Type.QUIET, role=Role.TEXT_QUIET, wrap=True, whole=True)
        self.listed.setMinimumWidth(1)
        self.identity = Remark()
        self.kind = KindChoice()
        self.unused = quiet("")
        self.needed = Remark()
        self.fields = SameFields()
        self.rules = RuleFields()
        for field in self.rules.fields.values():
            field.combo.setPlaceholderText(differs())
        self.ranges = RangeTable()
        self.bounds = SameBounds()
        self.basis = LineField(self.tr("&Where this comes from"))
        self.switch_on = secondary(self.tr("Switch on"), "", True)
        self.switch_off = secondary(self.tr("Switch off"), "", True)
        self.deselect = link(self.tr("Deselect"))
        self._details = QWidget()
        self._build()
        self._connect()

    def _build(self) -> None:
        column = QVBoxLayout(self, spacing=Space.CARDS)
        self.set_narrow(False)
        for part in (self.title, self.listed, self.identity, self.kind, self.unused, self.needed):
            column.addWidget(part)
        # They wrap where a language makes them wider than the form.
        row = FlowLayout(across=Space.SMALL, down=Space.TIGHT, aligned=True)
        for button in (self.switch_on, self.switch_off, self.deselect):
            row.addWidget(button)
        column.addLayout(row)
        details = QVBoxLayout(self._details, spacing=Space.SMALL, contentsMargins=NO_MARGINS)
        for field in (self.ranges, self.bounds, self.fields, self.rules, self.basis):
            details.addWidget(field)
        column.addWidget(self._details)
        column.addStretch(1)

    def set_narrow(self, narrow: bool) -> None:
        """Leave as much room at the sides as the form of a single column."""
        side = Space.SMALL if narrow else Space.CARD
        column = self.layout()
        if column is not None:
            column.setContentsMargins(side, Space.CARD, side, Space.CARD)

    def _connect(self) -> None:
        self.kind.picked.connect(self._set_kind)
        self.fields.declared.connect(self._set)
        self.fields.listed.connect(self._set_values)
        self.bounds.declared.connect(self._set)
        self.basis.edited.connect(lambda text: self._set("basis", text))
        self.rules.picked.connect(self._set_rule)
        self.ranges.taken.connect(self._use_ranges)
        self.switch_on.clicked.connect(self._switch_on)
        self.switch_off.clicked.connect(self._switch_off)
        self.deselect.clicked.connect(self.deselected)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def show_columns(self, names: tuple[str, ...]) -> None:
        if names != self._names:
            self._names = names
            self.bounds.forget()

    def render_state(self) -> None:
        """Show what the columns have in common."""
        if not self._names:
            return
        study = self._session.state.study
        found = [study.column(name) for name in self._names]
        columns = tuple(column for column in found if column is not None)
        unused = len(found) - len(columns)
        kinds = {column.kind for column in columns}
        one_kind = len(kinds) == 1 and not unused
        self.kind.select(next(iter(kinds)) if one_kind else "")
        self._show_head(unused)
        self._details.setVisible(one_kind)
        self.switch_on.setEnabled(bool(unused))
        # Of what kind a derived column is follows from what it is made of.
        self.kind.setEnabled(all(column.made_from is None for column in columns))
        off = study_edits.leave_out_columns(study, self._names)
        self.switch_off.setEnabled(off is not study)
        self._show_needed(off, [c for c in columns if off.column(c.name) is not None])
        if not one_kind:
            return
        self.fields.show_columns(columns)
        self.rules.show_columns(columns)
        self.ranges.show_columns(columns, self._session.state)
        self.bounds.show_columns(columns, self._session.state)
        sources = list(dict.fromkeys(map(stated_source, columns)))
        show_common(self.basis, "basis", sources[0] if len(sources) == 1 else study_edits.DIFFERS)

    def _show_head(self, unused: int) -> None:
        study, count = self._session.state.study, len(self._names)
        self.title.setText(self.tr("%n columns", "", count))
        shown = [column_title(c) if (c := study.column(n)) else n for n in self._names[:MOST_NAMES]]
        rest = [self.tr("%n more", "", count - len(shown))] if count > len(shown) else []
        template = self.tr("{0}. What you set here applies to all of them.")
        self.listed.setText(template.format(", ".join([*shown, *rest])))
        self.unused.setText(self._unused_sentence(unused))
        self.unused.setVisible(bool(unused) or not self.kind.key)
        places = (self._session.state.place_of(name) for name in self._names)
        direct = [header for _table, header in places if is_direct(header)]
        warning = self.tr(
            "The name suggests that this column identifies people: {0}. Leave it out."
        )
        self.identity.say(warning.format(direct[0]) if direct else "")

    def _show_needed(self, off: Study, columns: list[Column]) -> None:
        """Say which column stays declared when these are switched off, and for what."""
        named = ""
        if columns:
            needing = study_edits.needed_by(off, columns[0].name)
            template = self.tr("{0} is needed for {1}: it stays declared.")
            named = template.format(column_title(columns[0]), column_title(needing[0]))
        self.needed.say(named, Tone.INFO)

    def _unused_sentence(self, unused: int) -> str:
        if not unused:
            return self.tr("Choose one kind to declare them together.")
        if unused == len(self._names):
            return self.tr("None of them is used yet; choosing a kind switches them on.")
        return self.tr(
            "%n of them (is|are) not used yet; choosing a kind switches (it|them) on.", "", unused
        )

    def _edit(self, study: Any, key: str = "") -> None:
        merge = f"{'/'.join(self._names)}//{key}" if key else ""
        self._session.edit(study, self.tr("Declare %n columns", "", len(self._names)), merge)

    def _change(self, change: Callable[[Column], Column], key: str = "") -> None:
        study = self._session.state.study
        self._edit(study_edits.change_columns(study, self._names, change), key)

    def _set(self, field: str, value: Any) -> None:
        study = self._session.state.study
        self._edit(study_edits.set_field(study, self._names, field, value), field)

    def _use_ranges(self, picked: Mapping[str, Suggestion]) -> None:
        self._change(lambda column: with_own_range(column, picked))

    def _set_values(self, values: tuple[str, ...], labels: tuple[str, ...]) -> None:
        def put(column: Column) -> Column:
            if not isinstance(column, CategoryColumn):
                return column
            return study_edits.with_values(column, values, labels)

        self._change(put, "values")

    def _set_rule(self, key: str, choice: str) -> None:
        def put(column: Column) -> Column:
            rule = rule_of(column, choice)
            return column if rule is None else replace(column, **{key: rule})

        self._change(put)

    def _set_kind(self, kind: str) -> None:
        state = self._session.state
        after = study_edits.set_kind(state.study, self._names, kind, state.header, state.further)
        self._edit(after)

    def _switch_on(self) -> None:
        state = self._session.state
        # Of more than a study holds, one too many is refused as all of them would be.
        names = self._names[: limits.MAX_COLUMNS + 1]
        headers = {n: state.place_of(n)[1] for n in names}
        kinds = {n: kind_by_name(h, study_edits.propose_kind(h)) for n, h in headers.items()}
        self._edit(study_edits.use_columns(state.study, kinds, state.header, state.further))

    def _switch_off(self) -> None:
        self._edit(study_edits.leave_out_columns(self._session.state.study, self._names))
