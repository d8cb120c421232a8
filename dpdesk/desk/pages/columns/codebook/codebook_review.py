# SPDX-License-Identifier: Apache-2.0
"""A codebook that was read, against the study: which table, which variables, what is ticked."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.data.codebook.change import Change
from dpdesk.data.codebook.recipe_changes import operand_problems
from dpdesk.desk.core.codebooks import CodebookComparison, first_ticks
from dpdesk.desk.pages.columns.codebook.codebook_list import CodebookHead, CodebookList
from dpdesk.desk.pages.columns.codebook.codebook_model import PARTS, CodebookModel
from dpdesk.desk.text import codebook_words, words
from dpdesk.desk.text.language import catalogue
from dpdesk.desk.theme.metrics import Space, Type, font
from dpdesk.desk.widgets.buttons import link, secondary
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.inputs.field import ChoiceField, FieldFrame
from dpdesk.desk.widgets.inputs.search_edit import SearchEdit
from dpdesk.desk.widgets.inputs.segmented import Segmented
from dpdesk.desk.widgets.labels.banner import Tone
from dpdesk.desk.widgets.labels.label import Label, quiet
from dpdesk.desk.widgets.labels.remark import Remark
from dpdesk.desk.widgets.layouts.aligned import LINK_ROOM, RING, aligned_part
from dpdesk.study import limits
from dpdesk.study.model.document import Study
from dpdesk.texts import shared

SEARCH_FROM = 20
SEARCH_WIDTH = 260
SEARCH_LEAST = 130


class CodebookReview(QWidget):
    """What a codebook would declare, row by row, each to be ticked.

    Args:
        study: what is declared.
        knows_header: whether the names of the file's columns are known.

    Attributes:
        model: the changes.

    Signals:
        ticked: other rows are ticked.
        table_wanted: another table of the codebook; carries its name.
        catalogue_wanted: a file with value labels is to be chosen.
    """

    ticked = Signal()
    table_wanted = Signal(str)
    catalogue_wanted = Signal()

    ring_room = LINK_ROOM

    def __init__(self, study: Study, knows_header: bool) -> None:
        super().__init__()
        self._study = study
        self._knows_header = knows_header
        self.model = CodebookModel(self)
        self.rows = CodebookList(self.model)
        self._head = CodebookHead(self.rows)
        self._summary = Label(wrap=True)
        self._unknown = Remark()
        self.tables = ChoiceField(
            self.tr("&Table of the codebook"), placeholder=self.tr("Choose the table")
        )
        self._catalogue_line = quiet()
        self.catalogue = secondary(self.tr("Choose value labels…"), small=True)
        self.search = SearchEdit()
        self.parts = Segmented([(key, "", "") for key in PARTS], self.tr("Which rows are shown"))
        self.tick_all = link(self.tr("Select all"))
        self.untick_all = link(self.tr("Select none"))
        self._build()
        self._connect()

    def _build(self) -> None:
        column = aligned_part(self)
        column.setSpacing(Space.SMALL)
        column.addWidget(self._summary)
        column.addWidget(self._unknown)
        column.addWidget(self.tables)
        column.addWidget(self._build_catalogue())
        column.addWidget(self._build_search())
        self._frame = Card()
        self._frame.set_padding(1)
        self._frame.show_ring_of(self.rows)
        self._frame.body.setSpacing(0)
        self._frame.body.addWidget(self._head)
        self._frame.body.addWidget(self.rows)
        column.addWidget(self._frame)
        column.addWidget(self._build_ticks())

    def _build_catalogue(self) -> QWidget:
        self._catalogue_row = QWidget()
        self._catalogue_row.ring_room = RING  # type: ignore[attr-defined]  # AlignedBox reads it
        row = QHBoxLayout(self._catalogue_row)
        row.setContentsMargins(RING, 0, 0, 0)
        row.addWidget(self._catalogue_line, 1)
        row.addWidget(self.catalogue)
        return self._catalogue_row

    def _build_search(self) -> QWidget:
        self.search.setPlaceholderText(self.tr("Find a variable"))
        self.search.setAccessibleName(self.tr("Find a variable"))
        self.search.setFont(font(Type.TEXT))
        self._search_row = QWidget()
        self._search_row.ring_room = RING  # type: ignore[attr-defined]  # AlignedBox reads it
        row = QHBoxLayout(self._search_row, spacing=Space.CARDS)
        row.setContentsMargins(0, 0, RING, 0)
        frame = FieldFrame(self.search)
        # It gives its room up before the words beside it are cut short.
        frame.setMinimumWidth(SEARCH_LEAST)
        frame.setMaximumWidth(SEARCH_WIDTH)
        row.addWidget(frame)
        row.addWidget(self.parts)
        return self._search_row

    def _build_ticks(self) -> QWidget:
        """Below the table, so that Tab comes to them after it."""
        name = self.tr("Selects the rows that are shown, except those that identify a person.")
        self.tick_all.setAccessibleDescription(name)
        self.tick_all.setToolTip(name)
        self.note = Remark()
        self._ticks = QWidget()
        self._ticks.ring_room = LINK_ROOM  # type: ignore[attr-defined]  # AlignedBox reads it
        row = QHBoxLayout(self._ticks, spacing=Space.SMALL)
        row.setContentsMargins(0, 0, LINK_ROOM, 0)
        row.addWidget(self.tick_all)
        row.addWidget(self.untick_all)
        row.addWidget(self.note, 1)
        return self._ticks

    def _connect(self) -> None:
        self.model.ticked.connect(self._say_ticks)
        self.model.ticked.connect(self.ticked)
        self.tables.picked.connect(self.table_wanted)
        self.catalogue.clicked.connect(self.catalogue_wanted)
        self.search.textChanged.connect(lambda _text: self._show_part())
        self.parts.picked.connect(lambda _key: self._show_part())
        self.tick_all.clicked.connect(lambda: self.model.tick_shown(True))
        self.untick_all.clicked.connect(lambda: self.model.tick_shown(False))

    # --- what is shown --------------------------------------------------------------------------

    def show_compared(self, comparison: CodebookComparison) -> None:
        self._show_tables(comparison)
        self._show_catalogue(comparison)
        is_read = comparison.codebook is not None
        self.model.set_changes(comparison.changes, first_ticks(self._study, comparison.changes))
        self._name_parts()
        self._summary.setText(self._summed_up(comparison))
        self._unknown.say(self._unknown_header() if is_read else "", Tone.INFO)
        self._search_row.setVisible(len(comparison.changes) > SEARCH_FROM)
        self._frame.setVisible(is_read)
        self._ticks.setVisible(is_read)

    def fit(self, most: int) -> None:
        """Give the table the height of its rows, up to what there is room for."""
        least = Space.ROW_REVIEW * 3
        self.rows.setFixedHeight(self.rows.content_height(least, max(least, most)))

    def focus_first(self) -> None:
        """Put the keyboard where the next choice is."""
        if not self._frame.isVisibleTo(self):
            self.tables.combo.setFocus()
            return
        self.rows.setCurrentIndex(self.model.index(0))
        self.rows.setFocus()

    def _show_tables(self, comparison: CodebookComparison) -> None:
        self.tables.setVisible(bool(comparison.tables))
        self.tables.set_choices(
            [(name, name) for name in comparison.tables], comparison.table or None
        )

    def _show_catalogue(self, comparison: CodebookComparison) -> None:
        self._catalogue_row.setVisible(comparison.takes_catalogue)
        chosen = comparison.wanted.catalogue
        without = self.tr("The value labels of a SAS file are in a catalogue (sas7bcat).")
        template = self.tr("Value labels from {0}.")
        self._catalogue_line.setText(template.format(chosen.name) if chosen else without)

    def _unknown_header(self) -> str:
        said = self.tr(
            "The data file’s columns are not known yet; every variable counts as present."
        )
        return "" if self._knows_header else said

    def _summed_up(self, comparison: CodebookComparison) -> str:
        if comparison.codebook is None:
            return self.tr("The codebook describes several tables. Choose the one for your data.")
        new, changed = self.model.count("new"), self.model.count("differs")
        other = self.model.count("others")
        parts = [self.tr("%n new", "", new)] if new else []
        parts += [self.tr("%n would change", "", changed)] if changed else []
        parts += [self.tr("%n other(s) (stays|stay) unchanged", "", other)] if other else []
        summed = f"{codebook_words.called(comparison.codebook)}: {', '.join(parts)}."
        if not comparison.codebook.may_list_data:
            return summed
        return f"{summed} {catalogue().say(shared.LISTS_OF_LABELS)}"

    def _name_parts(self) -> None:
        names = {
            "all": self.tr("All {0}"),
            "new": self.tr("New {0}"),
            "differs": self.tr("Changes {0}"),
            "others": self.tr("Others {0}"),
        }
        for key, template in names.items():
            text = template.format(self.model.count(key))
            segment = self.parts.segment(key)
            segment.setText(text)
            segment.setAccessibleName(text)
            segment.setToolTip("")
        self.parts.select("all")
        self.search.blockSignals(True)
        self.search.clear()
        self.search.blockSignals(False)

    def _show_part(self) -> None:
        self.model.show_only(self.parts.key, self.search.text())
        if self.model.rowCount():
            self.rows.setCurrentIndex(self.model.index(0))

    # --- what is ticked -------------------------------------------------------------------------

    @property
    def chosen(self) -> tuple[Change, ...]:
        """The changes to take over; none where they do not fit into a study."""
        chosen = self.model.chosen
        return () if self._too_many() or operand_problems(self._study, chosen) else chosen

    def _too_many(self) -> bool:
        return self._overflows(sum(1 for change in self.model.chosen if change.state == "new"))

    def _overflows(self, new: int) -> bool:
        return new + len(self._study.columns) > limits.MAX_COLUMNS

    def _say_ticks(self) -> None:
        offered = self.model.count("new") + self.model.count("differs")
        unmade = operand_problems(self._study, self.model.chosen)
        if self._too_many():
            template = self.tr(
                "A study has at most {0} columns. Deselect those that you do not need."
            )
            text = template.format(limits.MAX_COLUMNS)
        elif not self.model.chosen and self._overflows(self.model.count("new")):
            template = self.tr("A study has at most {0} columns. Select those that you need.")
            text = template.format(limits.MAX_COLUMNS)
        elif unmade:
            text = words.problem_sentence(unmade[0])
        elif not offered:
            text = self.tr("The codebook adds and changes nothing.")
        else:
            text = self.tr("Existing declarations are replaced only where you select them.")
        self.note.say(text, Tone.ERROR if self._too_many() or unmade else None)
        self.tick_all.setEnabled(bool(offered))
        self.untick_all.setEnabled(bool(offered))
