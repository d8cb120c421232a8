# SPDX-License-Identifier: Apache-2.0
"""One query in the dialog that fits shares: what it has, what is wanted, what it would get."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.desk.core.fitting import Way, measure_of
from dpdesk.desk.core.state import DeskState
from dpdesk.desk.text import accuracy_words, fit_words, typed_numbers, words
from dpdesk.desk.theme.metrics import NO_MARGINS, Space, Type, font, scale
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.inputs.field import Combo, FieldFrame
from dpdesk.desk.widgets.inputs.line_edit import LineEdit
from dpdesk.desk.widgets.inputs.toggle import Toggle
from dpdesk.desk.widgets.labels.elided_label import ElidedLabel
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label
from dpdesk.desk.widgets.layouts.aligned import AlignedRow
from dpdesk.study.model.amount import Share
from dpdesk.study.model.queries import Query

Column = Literal["now", "within", "keep", "weight", "share", "then"]
WIDE: dict[Column, int] = {
    "now": 112,
    "within": 156,
    "keep": 48,
    "weight": 68,
    "share": 104,
    "then": 124,
}
"""Widths of the columns behind the title, at the usual font scaling."""

NARROW: dict[Column, int] = {
    "now": 104,
    "within": 136,
    "keep": 40,
    "weight": 62,
    "share": 104,
    "then": 104,
}
"""The same in small windows, where the title stands in a line above."""

UNIT = {True: 92, False: 108}
"""Room for the unit behind a wanted margin, where it is narrow and where it is not."""

MOST_WEIGHT = 9
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def line(cells: list[tuple[QWidget, int]]) -> AlignedRow:
    """Cells side by side: those with a width have it, the others take what is left."""
    row = AlignedRow(spacing=Space.CARDS)
    for cell, width in cells:
        if width:
            cell.setFixedWidth(round(width * scale()))
        row.addWidget(cell, 0 if width else 1)
    return row


def stacked(*parts: QWidget) -> QWidget:
    """Lines below each other, close together."""
    made = QWidget()
    column = QVBoxLayout(made, spacing=Space.RING, contentsMargins=NO_MARGINS)
    column.addStretch(1)
    for part in parts:
        column.addWidget(part)
    column.addStretch(1)
    return made


def _second(text: str) -> ElidedLabel:
    """A quiet line below a title, or behind it."""
    made = ElidedLabel(Type.QUIET, Role.TEXT_QUIET)
    made.setText(text)
    return made


def _wrapped(text: str) -> Label:
    """The same in a narrow column, of as many lines as it needs."""
    made = Label(text, Type.QUIET, Role.TEXT_QUIET, wrap=True, whole=True)
    made.setMinimumWidth(1)
    return made


def has_share(state: DeskState, query: Query) -> bool:
    """Whether a query has a share that can be kept, in the account's measure."""
    return query.share is not None and query.share.measure == measure_of(state.study)


class FitRow(QWidget):
    """One query.

    Args:
        state: what the desk shows.
        query: the query.
        name: what it is called, unlike every other.
        is_narrow: whether its title is above the rest.

    Signals:
        changed: a wish was changed by hand.
    """

    changed = Signal()

    def __init__(self, state: DeskState, query: Query, name: str, is_narrow: bool = False) -> None:
        super().__init__()
        self._is_narrow = is_narrow
        self._state, self.query, self.name = state, query, name
        self.within = LineEdit()
        self.within.setFont(font(Type.TEXT, tabular=True))
        self.frame = FieldFrame(self.within)
        self.keep = Toggle()
        self._keeps = query.id in state.answered
        self._has_share = has_share(state, query)
        self.weight = Combo()
        self.now = Label(fit_words.bought(state, query), role=Role.TEXT_QUIET, wrap=True)
        self.cost = Label(fit_words.now_costs(state, query), Type.QUIET, Role.TEXT_QUIET, wrap=True)
        self.share = Label()
        self.then = Label(wrap=True)
        self._wrong = ""
        self._why: dict[QWidget, str] = {}
        self._trouble = Label("", Type.QUIET, Role.DANGER, wrap=True)
        self._below = QWidget()
        self._build()
        self._speak()
        self.within.textEdited.connect(lambda _text: self.changed.emit())
        self.keep.toggled.connect(self._keep)
        self.weight.activated.connect(lambda _index: self.changed.emit())

    def _build(self) -> None:
        for number in range(1, MOST_WEIGHT + 1):
            self.weight.addItem(str(number), number)
        self.weight.setMinimumContentsLength(1)
        for label in (self.now, self.cost, self.share, self.then):
            label.setAlignment(RIGHT)
        self._add_unit()
        title, widths = self._build_title(), NARROW if self._is_narrow else WIDE
        cells = line(
            [
                (QWidget() if self._is_narrow else title, 0),
                (stacked(self.now, self.cost), widths["now"]),
                (self.frame, widths["within"]),
                (self.keep, widths["keep"]),
                (FieldFrame(self.weight), widths["weight"]),
                (self.share, widths["share"]),
                (self.then, widths["then"]),
            ]
        )
        below = QHBoxLayout(self._below, spacing=Space.TIGHT, contentsMargins=NO_MARGINS)
        icon = IconLabel("alert", Role.DANGER, Space.ICON_CHIP)
        below.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        below.addWidget(self._trouble, 1)
        self._below.hide()
        column = QVBoxLayout(self, spacing=0, contentsMargins=NO_MARGINS)
        if self._is_narrow:
            column.addWidget(title)
        column.addLayout(cells)
        column.addWidget(self._below)

    def _build_title(self) -> QWidget:
        called = self.query.title or words.plain_title(self._state.study, self.query)
        details = fit_words.details(self._state, self.query)
        why = fit_words.why_unknown(self._state, self.query)
        # Where there is no room for a line, pointing at the dash shows it.
        self.now.setToolTip(why)
        if not self._is_narrow:
            whole = Label(called, semibold=True, wrap=True, whole=True)
            whole.setMinimumWidth(1)
            return stacked(whole, *map(_wrapped, [*details, *([why] if why else [])]))
        title = ElidedLabel(semibold=True)
        title.setText(called)
        return stacked(title, _second("; ".join(details))) if details else stacked(title)

    def _add_unit(self) -> None:
        plan = self._state.plans.get(self.query.id)
        text = accuracy_words.short_unit(self._state.study, self.query, plan)
        if not text:
            return
        unit = ElidedLabel(Type.QUIET, Role.TEXT_QUIET)
        # A width that the layout ignores would push it out of the frame.
        unit.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        unit.setText(text)
        width = unit.fontMetrics().horizontalAdvance(text) + Space.HAIR
        unit.setFixedWidth(min(width, round(UNIT[self._is_narrow] * scale())))
        self.frame.add(unit)

    def _speak(self) -> None:
        label = accuracy_words.margin_label(self.query).replace("&", "")
        self.within.setAccessibleName(self.tr("{0}: {1}").format(self.name, label))
        self.keep.setAccessibleName(self.tr("{0}: keep its share").format(self.name))
        self.keep.setToolTip(self.tr("Keep its share"))
        self.weight.setAccessibleName(self.tr("{0}: weight").format(self.name))

    @property
    def is_typed_wrong(self) -> bool:
        """Whether something other than a margin is in the field."""
        return bool(self.within.text().strip()) and self.margin is None

    @property
    def margin(self) -> Fraction | None:
        """The margin that is wanted; ``None`` without one."""
        factor = self.query.declaration.percent_factor
        value = typed_numbers.margin_from_text(self.within.text(), factor)
        if value is None or value <= 0:
            return None
        return Fraction(value) / factor

    @property
    def is_kept(self) -> bool:
        """Whether the query keeps its share while a total is spread; it must have one."""
        return self._keeps and self._has_share

    def _keep(self, keeps: bool) -> None:
        self._keeps = keeps
        self.changed.emit()

    @property
    def error(self) -> str:
        """What is wrong, as on show; empty where nothing is."""
        return self._wrong

    def set_way(self, way: Way) -> None:
        """Let the parts be used that a way needs."""
        spreads = way == "spread"
        self.within.setEnabled(not spreads)
        self.keep.setEnabled(spreads and self._has_share)
        # Beside a margin that can be typed, a switch that is on would say that it cannot.
        self.keep.blockSignals(True)
        self.keep.setChecked(spreads and self._keeps)
        self.keep.blockSignals(False)
        self.weight.setEnabled(spreads and not self.is_kept)
        only = self.tr("Only for Spread the total.")
        no_share = "" if self._has_share else self.tr("It has no share to keep yet.")
        kept = self.tr("It keeps its share.") if self.is_kept else ""
        of_margins = self.tr("Only for Smallest shares for these margins.")
        self._say_why(self.within, of_margins if spreads else "")
        self._say_why(self.keep, no_share if spreads else only, self.tr("Keep its share"))
        self._say_why(self.weight, kept if spreads else only)

    def _say_why(self, part: QWidget, why: str, usual: str = "") -> None:
        """Why a part cannot be used now, for those who point at it and those who hear it."""
        part.setToolTip(why or usual)
        self._why[part] = why

    def show_fitted(self, share: Share | None, then: str, wrong: str) -> None:
        """Show what the query would get, how accurate that is, and what is wrong with a wish."""
        self.share.setText(fit_words.cost(share))
        self.then.setText(then)
        is_new = share is not None and share != self.query.share
        for label in (self.share, self.then):
            label.set_role(Role.ACCENT if is_new else Role.TEXT_QUIET)
            label.set_semibold(is_new)
        self._wrong = wrong
        self.frame.set_failed(bool(wrong))
        self._trouble.setText(wrong)
        self._below.setVisible(bool(wrong))
        template = self.tr("Now {0}; would get {1} of budget, {2}.")
        figures = (self.now.text(), self.share.text(), then)
        shown = wrong or template.format(*map(fit_words.accessible_text, figures))
        for part in (self.within, self.keep):
            why = self._why.get(part, "")
            part.setAccessibleDescription(f"{why} {shown}".strip())
        # Where a choice's value is spoken for its name, the description alone says whose it is.
        whose = self.weight.accessibleName()
        why = self._why.get(self.weight, "")
        described = f"{why} {shown}".strip()
        self.weight.setAccessibleDescription(self.tr("{0}. {1}").format(whose, described))
