# SPDX-License-Identifier: Apache-2.0
"""Why the total of a table is not that of another one, where it was not made to add up with it.

Figures that can be reconciled are (``dpdesk.privacy.reconcile``), and their totals agree to the
last digit. The total of any other table has noise of its own, and often rows of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import cell_writer
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.study.model.columns import column_title, keeps_every_row
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import column_of
from dpdesk.study.model.queries import Query, Subject
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.text.number_text import PLUS_MINUS
from dpdesk.study.text.titles import joined
from dpdesk.study.text.unit_names import in_query

_OWN: Final[Template] = (
    "The total here may differ from that of other tables: it has noise of its own."
)
_OWN_ROWS: Final[Template] = (
    "The total here may differ from that of other tables: it has noise of its own, and {rows} "
    "without a valid value of {columns} are in none of its lines."
)
_OTHER: Final[Template] = "“{title}” asks for the total by itself: {figure}."
_BESIDE: Final[Template] = (
    "{heads}: noisy numbers that the figure was computed from; they may differ from counts."
)
QUOTED: Final[Template] = "“{text}”"


@dataclass(frozen=True)
class OwnTotals:
    """The tables of a release whose totals stand alone.

    Args:
        text: of the release.
        tables: of its queries, in their order.
    """

    text: ReleaseText
    tables: Sequence[Table]

    def are_of(self, table: Table) -> bool:
        """Whether a table adds up to a total that another table of the release has as well."""
        counted, query = self._counted.get(table.id), self._query(table)
        if counted is None or query is None or query.where:
            return False
        if table.others or table.has_public_total:
            return False
        return any(o != table.id and of == counted for o, of in self._counted.items())

    def said_of(self, table: Table) -> Iterator[str]:
        """Why the total of such a table may differ, and from what."""
        query, study, words = self._query(table), self._study, self.text.words
        if study is None or query is None or not self.are_of(table):
            return
        declared = (study.column(column_of(by)) for by in query.by)
        dropping = [column_title(one) for one in declared if one and not keeps_every_row(one)]
        rows = in_query(self.text.names, self._counted[table.id]).rows
        columns = joined(dropping, words.language) if dropping else ""
        yield words.say(_OWN_ROWS, rows=rows, columns=columns) if columns else words.say(_OWN)
        for other in self.tables:
            if self._counted.get(other.id) == self._counted[table.id] and self._is_plain(other):
                title = self.text.headings[other.id].title
                yield words.say(_OTHER, title=title, figure=_figure(other, words))

    def _is_plain(self, table: Table) -> bool:
        """Whether a query asks for the total and for nothing else."""
        query = self._query(table)
        return query is not None and query.component is None and not (query.by or query.where)

    @cached_property
    def _counted(self) -> dict[str, Subject]:
        """What each table counts all of, by its id; a table that counts nothing is not there."""
        pairs = zip(self.text.release.record.queries, self.tables, strict=True)
        return {
            table.id: "people" if DECLARATIONS[query.statistic].unit == "people" else subject
            for query, table in pairs
            for subject in (query.question.subject,)
            if DECLARATIONS[query.statistic].counts_all
            and {"value", "half-width"} <= {column.role for column in table.columns}
        }

    @property
    def _study(self) -> Study | None:
        return self.text.release.record.study.study

    def _query(self, table: Table) -> Query | None:
        return None if self._study is None else self._study.query(table.id)


def said_of_noisy_numbers(heads: Sequence[str], words: ReleaseWords) -> str:
    """Of columns of noisy numbers beside figures.

    Args:
        heads: of the columns.
    """
    quoted = [words.say(QUOTED, text=head) for head in heads]
    return words.say(_BESIDE, heads=joined(quoted, words.language))


def _figure(table: Table, words: ReleaseWords) -> str:
    """A table's one figure with its margin."""
    roles = [column.role for column in table.columns]
    write = cell_writer("number", words)
    value, margin = (table.rows[0][roles.index(role)] for role in ("value", "half-width"))
    return f"{write(value)} {PLUS_MINUS} {write(margin)}"
