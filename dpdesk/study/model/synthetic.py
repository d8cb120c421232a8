# SPDX-License-Identifier: Apache-2.0
"""Synthetic rows that a release carries: made up, with counts near those that it releases."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.study.model.groupings import Grouping, column_of
from dpdesk.study.model.queries import Query, Subject


@dataclass(frozen=True)
class SyntheticRows:
    """What made-up rows keep.

    Attributes:
        of: what each is: rows, or people. They keep every count of these, by one column or more and
            without conditions, and nothing else.
        none_alone_in: columns in whose combination of values no row is to be alone.
    """

    of: Subject = "rows"
    none_alone_in: tuple[str, ...] = ()

    def keeps(self, query: Query) -> bool:
        """Whether a query's counts are among those that the rows keep."""
        is_count = query.statistic == "count" and query.of == self.of
        return is_count and bool(query.by) and not query.where and not _repeats(query.by)


def _repeats(by: tuple[Grouping, ...]) -> bool:
    """Whether a column is there twice, cut in two ways."""
    return len({column_of(grouping) for grouping in by}) < len(by)
