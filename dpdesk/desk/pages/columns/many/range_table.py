# SPDX-License-Identifier: Apache-2.0
"""Known ranges of several number columns, row by row: each column gets its own, or none."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.pages.columns.offers.range_card import example_sentence, range_text, used
from dpdesk.desk.text import words
from dpdesk.desk.text.suggestion_words import accept
from dpdesk.desk.theme.metrics import NO_MARGINS, Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.accessibility.role import call_choice
from dpdesk.desk.widgets.buttons import secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import Combo, FieldFrame
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, quiet
from dpdesk.privacy.planning.share_for_margin import example_margin
from dpdesk.study.model.columns import Column, NumberColumn, column_title
from dpdesk.study.suggest.range_match import Suggestion, remembered_ranges

MOST = 12
MANY = 8192


def own_ranges(column: Column) -> tuple[Suggestion, ...]:
    """The first range that is known of a column in each unit that it may be in."""
    if not isinstance(column, NumberColumn):
        return ()
    return _known(column.in_file or column.name, column.title, column.label)


@lru_cache(maxsize=MANY)
def _known(name: str, title: str, label: str) -> tuple[Suggestion, ...]:
    by_unit: dict[str, Suggestion] = {}
    for one in remembered_ranges(name, title, label):
        by_unit.setdefault(one.unit, one)
    return tuple(by_unit.values())


def with_own_range(column: Column, picked: Mapping[str, Suggestion]) -> Column:
    """The column with its own range: the one of its unit, or the one that was picked.

    Two units of one quantity differ by factors, and a column of the other would be cut off: where
    nobody said which, a column stays as it is. So does one that has bounds.
    """
    if _has_bounds(column):
        return column
    known = own_ranges(column)
    own = picked.get(column.name, known[0] if len(known) == 1 else None)
    return column if own is None else accept(column, own)


def _has_bounds(column: Column) -> bool:
    return isinstance(column, NumberColumn) and not column.lower is column.upper is None


class RangeTable(Card):
    """There only while one of the columns has a range of its own.

    Signals:
        taken: each column is to have its own range; carries those picked among several units.
    """

    taken = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._key: object = None
        self._picked: dict[str, Suggestion] = {}
        self._columns: tuple[Column, ...] = ()
        self.units: dict[str, Combo] = {}
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(IconLabel("stethoscope", Role.ACCENT))
        head.addWidget(headed(Label(self.tr("Known ranges"), semibold=True)), 1)
        head.addWidget(quiet(self.tr("not from your data"), wrap=False))
        self.body.addLayout(head)
        self._rows = QWidget()
        self.body.addWidget(self._rows)
        self.more = quiet("")
        self.body.addWidget(self.more)
        self.example = quiet("")
        self.body.addWidget(self.example)
        foot = QHBoxLayout(spacing=Space.SMALL)
        note = self.tr("Each has its own source. Use one only if the file has its unit.")
        foot.addWidget(quiet(note), 1)
        self.use = secondary("", "", True)
        foot.addWidget(self.use, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(foot)
        self.use.clicked.connect(lambda: self.taken.emit(dict(self._picked)))
        self.hide()

    def show_columns(self, columns: tuple[Column, ...], state: DeskState) -> None:
        """Show what is known of each column, beside what it would cost."""
        key = (columns, state.study.unit, state.measure)
        if key == self._key:
            return
        self._key, self._columns = key, columns
        names = {column.name for column in columns}
        self._picked = {n: one for n, one in self._picked.items() if n in names}
        known = any(own_ranges(column) for column in columns)
        self.setVisible(known)
        if not known:
            return
        self._fill_rows(columns[:MOST], state)
        rest = len(columns) - MOST
        self.more.setText(self.tr("and %n more", "", rest))
        self.more.setVisible(rest > 0)
        self.example.setText(example_sentence(state))
        self._offer()

    def _offer(self) -> None:
        """Say how many columns would get a range."""
        count = sum(with_own_range(c, self._picked) != c for c in self._columns)
        none = self.tr("Choose a unit first") if self.units else self.tr("Nothing to use")
        self.use.setText(self.tr("Use for %n column(s)", "", count) if count else none)
        self.use.setEnabled(bool(count))

    def _fill_rows(self, columns: tuple[Column, ...], state: DeskState) -> None:
        old, self._rows = self._rows, QWidget()
        self.body.replaceWidget(old, self._rows)
        old.hide()
        old.deleteLater()
        grid = QGridLayout(self._rows, contentsMargins=NO_MARGINS)
        grid.setHorizontalSpacing(Space.CARDS)
        grid.setColumnStretch(1, 1)
        self.units = {}
        for row, column in enumerate(columns):
            name = Label(column_title(column), semibold=True)
            name.setToolTip(column.name)
            margin = Label("")
            grid.addWidget(name, row, 0)
            grid.addWidget(self._range_of(column, margin, state), row, 1)
            grid.addWidget(margin, row, 2, Qt.AlignmentFlag.AlignRight)

    def _range_of(self, column: Column, margin: Label, state: DeskState) -> QWidget:
        """What a column would get, or what is in the way; its margin beside it."""
        known = own_ranges(column)
        if isinstance(column, NumberColumn) and _has_bounds(column):
            own = next((one for one in known if used(column, one)), None)
            kept = self.tr("has bounds; they stay")
            margin.setText(_margin(own, state))
            return quiet(kept) if own is None else Label(self._used(own))
        if len(known) > 1:
            return self._units_of(column, known, margin, state)
        one = known[0] if known else None
        margin.setText(_margin(one, state))
        shown = quiet(self.tr("none known")) if one is None else Label(range_text(one))
        shown.setToolTip(one.source if one is not None else "")
        return shown

    def _used(self, own: Suggestion) -> str:
        return self.tr("{0}, used").format(range_text(own))

    def _units_of(
        self, column: Column, known: tuple[Suggestion, ...], margin: Label, state: DeskState
    ) -> QWidget:
        """Ranges of several units: which one the file has is for the custodian to say."""
        combo = self.units[column.name] = Combo()
        combo.setPlaceholderText(self.tr("Choose the unit"))
        call_choice(combo, self.tr("Unit of {0}").format(column_title(column)))
        for one in known:
            combo.addItem(range_text(one))
        picked = self._picked.get(column.name)
        combo.setCurrentIndex(known.index(picked) if picked in known else -1)
        margin.setText(_margin(picked, state))

        def pick(place: int) -> None:
            self._picked[column.name] = known[place]
            margin.setText(_margin(known[place], state))
            self._offer()

        combo.activated.connect(pick)
        return FieldFrame(combo)


def _margin(known: Suggestion | None, state: DeskState) -> str:
    if known is None:
        return ""
    share = study_edits.as_measure(study_edits.FIRST_SHARE, state.measure)
    column = NumberColumn("x", known.lower, known.upper, known.step)
    width = example_margin(state.study.unit, column, share)
    return "" if width is None else words.margin(width, known.unit)
