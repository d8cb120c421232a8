# SPDX-License-Identifier: Apache-2.0
"""Known ranges of a number column, each with source, margin and Use, and what its bounds mean."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.core.edits import study_edits
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import words
from dpdesk.desk.text.language import plain_names
from dpdesk.desk.text.suggestion_words import accept, called, second_line, unit_text
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Radius, Space, scale
from dpdesk.desk.theme.roles import Role, color
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.flow_layout import FlowLayout
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, headed, quiet
from dpdesk.desk.widgets.layouts.aligned import RING, AlignedColumn
from dpdesk.desk.widgets.page import stacking
from dpdesk.desk.widgets.painting import box
from dpdesk.privacy.planning.share_for_margin import ROWS, example_margin
from dpdesk.study.model.columns import NO_ORIGIN, Column, NumberColumn
from dpdesk.study.model.unit import Unit
from dpdesk.study.suggest.range_match import Suggestion, suggest_ranges
from dpdesk.study.text.unit_names import names_of

MOST = 6
BESIDE_FROM = 360
"""So wide a row has room for range and margin beside each other."""


class RangeRow(QWidget):
    """One range.

    Signals:
        pressed: it is to be used, or taken back.
    """

    pressed = Signal()

    ring_room = RING

    def __init__(self, suggestion: Suggestion, margin: str, is_used: bool) -> None:
        super().__init__()
        self.is_used = is_used
        shown = range_text(suggestion)
        self.range = Label(shown, semibold=True)
        self.source = quiet(
            ". ".join(t for t in (_sources(suggestion), second_line(suggestion)) if t)
        )
        self.source.setToolTip(suggestion.source)
        self.margin = Label(margin, semibold=True)
        self.button = link(self.tr("Revert")) if is_used else secondary(self.tr("Use"), "", True)
        template = self.tr("Revert {0}") if is_used else self.tr("Use {0}")
        self.button.setAccessibleName(template.format(f"{kind_text(suggestion)}, {shown}"))
        self.of_what: tuple[Label, ...] = ()
        said = (margin, self.source.text())
        self.button.setAccessibleDescription(". ".join(part for part in said if part))
        self.button.setToolTip(suggestion.source)
        self.button.clicked.connect(self.pressed)
        self._build(suggestion)

    def _build(self, suggestion: Suggestion) -> None:
        first = FlowLayout(across=Space.SMALL, down=Space.TIGHT)
        first.addWidget(self.range)
        first.addWidget(Tag(kind_text(suggestion)))
        lines = QVBoxLayout(spacing=Space.TIGHT)
        lines.addLayout(first)
        lines.addWidget(self.source)
        lines.addStretch(1)
        margin = QVBoxLayout(spacing=Space.TIGHT)
        right = Qt.AlignmentFlag.AlignRight
        margin.addWidget(self.margin, 0, right)
        if self.margin.text():
            self.of_what = (
                quiet(self.tr("margin of a mean"), wrap=False),
                quiet(self.tr("of {0} rows").format(words.grouped(ROWS)), wrap=False),
            )
            for line in self.of_what:
                margin.addWidget(line, 0, right)
        margin.addStretch(1)
        beside = QHBoxLayout(spacing=Space.CARDS)
        beside.addStretch(1)
        beside.addLayout(margin)
        middle = Qt.AlignmentFlag.AlignVCenter
        if self.is_used:
            beside.addWidget(Label(self.tr("Used"), role=Role.OK, semibold=True), 0, middle)
        beside.addWidget(self.button, 0, middle)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setSpacing(Space.TIGHT)
        self._row.setContentsMargins(RING, Space.SMALL, 0, 0)
        self._row.addLayout(lines, 1)
        self._row.addLayout(beside)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What it costs is below the range where both have no room."""
        super().resizeEvent(event)
        parts = (self._row.itemAt(place) for place in range(self._row.count()))
        needed = sum(part.minimumSize().width() for part in parts if part is not None)
        least = max(BESIDE_FROM * max(1.0, scale()), needed + Space.CARDS)
        is_stacked = event.size().width() < least
        self._row.setDirection(stacking(is_stacked))
        self._row.setSpacing(Space.TIGHT if is_stacked else Space.CARDS)

    def minimumSizeHint(self) -> QSize:
        """Below each other they need least; as they stand now does not count."""
        parts = (self._row.itemAt(place) for place in range(self._row.count()))
        widths = [part.minimumSize().width() for part in parts if part is not None]
        return QSize(max(widths), super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(RING, 0, self.width() - 2 * RING, Space.HAIR, color(Role.LINE))
        painter.end()


class Tag(QWidget):
    """A word in a quiet outline, beside what it says something of."""

    def __init__(self, text: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.SMALL - 2, Space.HAIR, Space.SMALL - 2, Space.HAIR)
        row.addWidget(quiet(text, wrap=False))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        box(painter, QRectF(self.rect()), Radius.FIELD, Role.INSET, Role.LINE)
        painter.end()


class RangeCard(Card):
    """There only while a column has no bounds, or those of a range; it declares nothing by itself.

    Signals:
        taken: a range is to be used.
        returned: the range that is used is to be taken back; carries the column as it was before.
    """

    taken = Signal(object)
    returned = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[RangeRow] = []
        self._before: dict[NumberColumn, NumberColumn] = {}
        self._key: object = None
        self.offered = headed(Label("", semibold=True, wrap=True))
        self.example = quiet("")
        head = QHBoxLayout(spacing=Space.SMALL)
        head.addWidget(IconLabel("stethoscope", Role.ACCENT))
        head.addWidget(self.offered, 1)
        head.addWidget(quiet(self.tr("not from your data"), wrap=False))
        self.body.addLayout(head)
        self._list = AlignedColumn(spacing=Space.SMALL)
        self.body.addLayout(self._list)
        self.body.addWidget(self.example)
        self.hide()

    def show_column(self, column: Column | None, state: DeskState) -> None:
        """Show what is known by the column's name and unit, beside what it would cost."""
        key = (column, state.study.unit, state.measure)
        if key == self._key:
            return
        self._key = key
        offers = _offers(column)
        self._clear()
        self.setVisible(bool(offers))
        if not offers or not isinstance(column, NumberColumn):
            return
        self.offered.setText(self.tr("Known ranges: {0}").format(called(offers[0])))
        share = study_edits.as_measure(study_edits.FIRST_SHARE, state.measure)
        unit = state.study.unit
        for one in offers[:MOST]:
            width = example_margin(unit, NumberColumn("x", one.lower, one.upper, one.step), share)
            margin = "" if width is None else words.margin(width, unit_text(one.unit))
            self._add(column, one, margin, is_used=used(column, one))
        self.example.setText(example_sentence(state))

    def _add(
        self, column: NumberColumn, suggestion: Suggestion, margin: str, is_used: bool
    ) -> None:
        row = RangeRow(suggestion, margin, is_used)
        if is_used:
            row.pressed.connect(lambda: self.returned.emit(self._without(column, suggestion)))
        else:
            row.pressed.connect(lambda: self._take(column, suggestion))
        self.rows.append(row)
        self._list.addWidget(row)

    def _take(self, column: NumberColumn, suggestion: Suggestion) -> None:
        """Remember what was before, also where one range is used after another."""
        before = self._before.get(column, column)
        used = accept(before, suggestion)
        if isinstance(used, NumberColumn):
            self._before[used] = before
        self.taken.emit(suggestion)

    def _without(self, column: NumberColumn, suggestion: Suggestion) -> NumberColumn:
        """The column without the range: as it was before, or, where nobody knows, empty."""
        label = column.label
        if label == unit_text(suggestion.unit):
            label = ""
        bare = replace(column, lower=None, upper=None, step=None, label=label)
        empty = replace(bare, basis="", origin=NO_ORIGIN)
        return self._before.get(column, empty)

    def _clear(self) -> None:
        for row in self.rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []


def example_sentence(state: DeskState) -> str:
    """What the margins beside ranges are an example of."""
    share = study_edits.as_measure(study_edits.FIRST_SHARE, state.measure)
    names, unit = words.names(state.study), state.study.unit
    limit = unit.max_rows if unit else 1
    each = f"{words.grouped(limit)} {names.row if limit == 1 else names.rows}"
    shown = tr("RangeCard", "For {0} {1}, {2} per {3}, {4} of budget. Wider means more noise.")
    many, cost = words.grouped(ROWS), words.amount(share)
    return shown.format(many, names.rows, each, names.person, cost)


def _offers(column: Column | None) -> tuple[Suggestion, ...]:
    """What is known by the name, and by the unit that somebody typed."""
    if not isinstance(column, NumberColumn):
        return ()
    known = suggest_ranges(column.in_file or column.name, column.title, column.label)
    is_empty = column.lower is None and column.upper is None
    return known if is_empty or any(used(column, one) for one in known) else ()


def used(column: NumberColumn, suggestion: Suggestion) -> bool:
    """Whether a column is declared as a range says."""
    return accept(column, suggestion) == column


def kind_text(suggestion: Suggestion) -> str:
    """How a range is meant."""
    return {
        "typical": tr("RangeCard", "Typical"),
        "extreme": tr("RangeCard", "Extreme"),
        "scale": tr("RangeCard", "Whole scale"),
    }[suggestion.kind]


def _sources(suggestion: Suggestion) -> str:
    """The works that the limits are from, without their places and conversions."""
    works = (part for part in suggestion.source.split(";") if "×" not in part)
    return "; ".join(dict.fromkeys(re.split(r"[,:]", work)[0].strip() for work in works))


def range_text(suggestion: Suggestion) -> str:
    """Lowest and highest value, with the unit; ranges stand under each other."""
    template = tr("RangeCard", "{0} to {1} {2}")
    ends = (words.in_column(words.plain(end)) for end in (suggestion.lower, suggestion.upper))
    return template.format(*ends, unit_text(suggestion.unit)).strip()


class SensitivityCard(Card):
    """A sentence about a number column with bounds; hidden for everything else."""

    def __init__(self) -> None:
        super().__init__(fill=Role.INSET)
        self._sentence = Label(rich=True, wrap=True)
        self.body.addWidget(self._sentence)

    def show_column(self, column: Column, unit: Unit | None) -> None:
        """Say it for a column, where there is something to say."""
        far = _farthest(column)
        self.setVisible(far is not None and unit is not None)
        if far is None or unit is None:
            return
        template = self.tr(
            "<b>Sensitivity</b>: one {0} can change a sum by at most {1} × {2} = <b>{3}</b>."
        )
        names, limit = names_of(unit, plain_names()), unit.max_rows
        rows = f"{words.grouped(limit)} {names.row if limit == 1 else names.rows}"
        each, total = (
            f"{words.localised(words.plain(v))} {column.label}".strip() for v in (far, far * limit)
        )
        shown = (names.person, rows, each, total)
        self._sentence.setText(template.format(*map(escape, shown)))


def _farthest(column: Column) -> Decimal | None:
    """The bound that is farther from zero, where both are declared in order."""
    if not isinstance(column, NumberColumn) or column.lower is None or column.upper is None:
        return None
    return max(abs(column.lower), abs(column.upper)) if column.upper > column.lower else None
