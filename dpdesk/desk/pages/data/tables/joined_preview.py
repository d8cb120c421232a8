# SPDX-License-Identifier: Apache-2.0
"""What queries see once the tables are joined: columns alone, each with where it comes from.

All of it follows from headers and declarations. No row is looked up: a joined row would show by
its gaps who is in which table, and the check before a release says in words whether rows meet.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.data.column_words import column_kinds, kind_names
from dpdesk.desk.text import words
from dpdesk.desk.text.translating import tr
from dpdesk.desk.theme.metrics import Space
from dpdesk.desk.widgets.card import Card
from dpdesk.desk.widgets.labels.banner import Banner, Tone
from dpdesk.desk.widgets.labels.label import heading, quiet
from dpdesk.desk.widgets.layouts.aligned import RING, aligned_part
from dpdesk.desk.widgets.tables.data_table import DataTable
from dpdesk.desk.widgets.tables.rows_model import RowsModel
from dpdesk.study.model.columns import column_title
from dpdesk.study.model.document import Study
from dpdesk.study.model.tables import MAIN, FurtherTable

MASKED_ROWS = 3


class JoinedPreview(QWidget):
    """The columns of the joined tables over masked rows, and what becomes of each table.

    Args:
        session: the window's work.
    """

    ring_room = RING

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._head = heading("")
        self._model = RowsModel(())
        self._model.accessible_cell = tr("FilePreview", "masked")
        name = self.tr("Columns of the joined tables")
        self.table = DataTable(self._model, name, Space.FIELD, copies=False, stretch=-1)
        self.table.delegate.masked = True
        self._frame = Card()
        self.meeting = quiet("")
        self._note = Banner(Tone.INFO, icon="eye-off")
        column = aligned_part(self)
        column.setSpacing(Space.CARDS)
        self.table.fill(self._frame)
        self.table.delegate.column_lines = True
        for part in (self._head, self.meeting, self._frame, self._note):
            column.addWidget(part)
        column.addStretch(1)

    def render_state(self) -> None:
        study = self._session.state.study
        columns = joined_columns(study, self._session.headers_of(study))
        self._head.setText(self.tr("%n column(s)", "", len(columns)))
        self.meeting.setText("\n".join(_meetings(study)))
        heads = [f"{name}\n{of}" for name, of in columns]
        self._model.set_rows([("",) * len(heads)] * MASKED_ROWS, heads)
        self.table.fit_height(MASKED_ROWS)
        text = self.tr(
            "Whether ids match is not looked up here; the check before a release says it in words."
        )
        self._note.say(tr("FilePreview", "Values are masked."), text)


def joined_columns(
    study: Study, headers: dict[str, tuple[str, ...]]
) -> tuple[tuple[str, str], ...]:
    """Each column that has a value for every row that queries count, and what it is.

    Those of the main table come first, then those of tables with one row a person, without the
    ids over which they meet, then what is made of columns and of the rows of other tables.
    """
    people = [table for table in study.tables if table.is_of_people]
    read = [*_of_table(study, MAIN, headers)]
    for table in people:
        read += _of_table(study, table.name, headers)
    return (*read, *_made(study))


def _of_table(
    study: Study, name: str, headers: dict[str, tuple[str, ...]]
) -> Iterator[tuple[str, str]]:
    header, table = headers.get(name, ()), study.table(name)
    for one, kind in zip(header, column_kinds(study, name, header), strict=True):
        if table is None:
            yield one, kind
        elif one != table.person:
            yield one, tr("JoinedPreview", "{0}, from {1}").format(kind, name)


def _made(study: Study) -> Iterator[tuple[str, str]]:
    names = kind_names()
    for column in study.asked_columns:
        if column.made_from is not None:
            of = tr("JoinedPreview", "{0}, worked out").format(names[column.kind])
            yield column_title(column), of


def _meetings(study: Study) -> Iterator[str]:
    return (_meeting(study, table) for table in study.tables)


def _meeting(study: Study, table: FurtherTable) -> str:
    """What becomes of a table's rows."""
    names = words.names(study)
    if table.is_of_people:
        text = tr("JoinedPreview", "{0}: its columns have one value for all {1} of a {2}.")
        return text.format(table.name, names.rows, names.person)
    text = tr(
        "JoinedPreview",
        "{0}: any number of rows for each {1}. In Columns, New column makes one value of them, "
        "such as the number, the first or the mean.",
    )
    return text.format(table.name, names.row if table.case else names.person)
