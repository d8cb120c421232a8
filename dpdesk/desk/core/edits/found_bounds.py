# SPDX-License-Identifier: Apache-2.0
"""Bounds that a release found, which are public: as the declaration that they are offered as.

Results offers those of the release on show, Columns those of the account's last release that found
any for the column: one declaration for both, with the release as its source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from dpdesk.privacy.published_tables import Table
from dpdesk.release.ledger import HistoryEntry, Ledger, release_numbers
from dpdesk.release.ledger.decisions.decided import WithdrawnRelease
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.columns import Column, NumberColumn
from dpdesk.study.model.magnitudes import offered
from dpdesk.study.model.statistics import DECLARATIONS
from dpdesk.study.problem import Refused


@dataclass(frozen=True)
class FoundBounds:
    """What a release found.

    Attributes:
        asked: the column as it was declared then.
        lower, upper: the bounds.
        number: which release of its account it is.
    """

    asked: NumberColumn
    lower: Decimal
    upper: Decimal
    number: int

    def declared(self, column: NumberColumn) -> NumberColumn:
        """The column with these bounds, and where they are from."""
        return offered(column, self.lower, self.upper, self.number)

    def is_for(self, column: Column | None) -> bool:
        """Whether nobody has declared other bounds of the column since."""
        if not isinstance(column, NumberColumn) or column.step is None:
            return False
        now, then = ((c.name, c.lower, c.upper) for c in (column, self.asked))
        return now == then and self.declared(column) != column


def found_in(
    asked: Column | None, query: ReleasedQuery, table: Table, number: int
) -> FoundBounds | None:
    """The bounds that a query of a release found; ``None`` where it looked for none, or in vain.

    Args:
        asked: the column.
        query: the query as it was released.
        table: its figures.
        number: which release of its account it was.
    """
    finds = DECLARATIONS[query.statistic].finds
    if finds != "bounds" or not isinstance(asked, NumberColumn) or asked.step is None:
        return None
    lower, upper = table.rows[0][:2]
    if not lower or not upper:
        return None
    return FoundBounds(asked, Decimal(lower), Decimal(upper), number)


def bounds_of_account(ledger: Ledger, account: str) -> tuple[FoundBounds, ...]:
    """What the releases of an account found, the newest first; of withdrawn ones nothing.

    Raises:
        Refused: those of the ledger.
    """
    entries = ledger.history(account)
    numbers = release_numbers(one.entry for one in entries)
    withdrawn = {
        one.payload.sequence for one in entries if isinstance(one.payload, WithdrawnRelease)
    }
    looked = [one for one in entries if _looks(one) and one.entry.sequence not in withdrawn]
    return tuple(
        found
        for one in reversed(looked)
        for found in _of_release(ledger, one.entry.sequence, numbers[one.entry.sequence])
    )


def _looks(history: HistoryEntry) -> bool:
    return any(DECLARATIONS[query.statistic].finds == "bounds" for query in history.queries)


def _of_release(ledger: Ledger, sequence: int, number: int) -> Iterator[FoundBounds]:
    try:
        stored = ledger.release(sequence)
    except Refused:
        return  # History says what is damaged
    study = stored.record.study.study
    if study is None:
        return
    for query, table in zip(stored.record.queries, stored.tables, strict=True):
        found = found_in(study.column(query.question.column), query, table, number)
        if found is not None:
            yield found
