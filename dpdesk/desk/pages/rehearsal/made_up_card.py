# SPDX-License-Identifier: Apache-2.0
"""Where the made-up rows come from, how many there are, and the button that draws again."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QVBoxLayout

from dpdesk.desk.text import words
from dpdesk.desk.text.typed_numbers import whole_from_text
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.theme.roles import Role
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import LineField
from dpdesk.desk.widgets.labels.icon_label import IconLabel
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.layouts.aligned import AlignedColumn, AlignedRow
from dpdesk.desk.widgets.page import stacking
from dpdesk.study.limits import MADE_UP_ROWS

FIELD = 190


class MadeUpCard(Card):
    """The dashed card at the head of a rehearsal.


    Signals:
        changed: another rehearsal is wanted.
        sizes_wanted: each group's size is to be guessed by itself.
    """

    changed = Signal()
    sizes_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.set_made_up()
        self.rows_field = LineField(self.tr("Ro&ws in all"))
        self.rows_field.group_digits()
        self.rows_field.setFixedWidth(FIELD)
        self.rows_field.left.connect(self._change)
        self.again = secondary(self.tr("Draw again"), before="again")
        self.again.clicked.connect(self.changed)
        self.groups = link(self.tr("Estimate by group…"))
        self.groups.clicked.connect(self.sizes_wanted)
        self.set_rows(MADE_UP_ROWS)
        self._build()

    def _build(self) -> None:
        row = self._row = QBoxLayout(stacking(False), spacing=Space.CARDS)
        said = QHBoxLayout(spacing=Space.CARDS)
        said.addWidget(IconLabel("flask", Role.SECOND), 0, Qt.AlignmentFlag.AlignTop)
        texts = AlignedColumn(spacing=Space.TIGHT)
        what = self.tr("Made-up rows, spread evenly over your bounds and lists.")
        texts.addWidget(Label(what, semibold=True, wrap=True))
        texts.addWidget(
            quiet(
                self.tr(
                    "Groups are as large as you estimated in Queries; without an estimate, the "
                    "rows in all are split equally."
                )
            )
        )
        texts.addWidget(self.groups, 0, Qt.AlignmentFlag.AlignLeft)
        said.addLayout(texts, 1)
        row.addLayout(said, 1)
        drawn = AlignedRow(spacing=Space.CARDS)
        drawn.addWidget(self.rows_field)
        drawn.addWidget(self.again, 0, Qt.AlignmentFlag.AlignBottom)
        # As high as the field alone: as high as the words, the button would stand at their foot.
        side = QVBoxLayout(spacing=0)
        side.addStretch(1)
        side.addLayout(drawn)
        side.addStretch(1)
        row.addLayout(side)
        self.body.addLayout(row)

    def set_narrow(self, narrow: bool) -> None:
        self._row.setDirection(stacking(narrow))

    @property
    def rows(self) -> int | None:
        """How many rows; ``None`` while something else is typed."""
        return whole_from_text(self.rows_field.text) or None

    def set_rows(self, rows: int) -> None:
        """Write how many rows there are; nothing is drawn by that."""
        self._drawn_for = rows
        self.rows_field.set_text(words.grouped(rows))

    def _change(self) -> None:
        wrong = self.tr("A whole number from 1.") if self.rows is None else ""
        self.rows_field.set_error(wrong)
        if self.rows is not None and self.rows != self._drawn_for:
            self._drawn_for = self.rows
            self.changed.emit()
