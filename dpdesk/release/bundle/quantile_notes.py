# SPDX-License-Identifier: Apache-2.0
"""What is said of quantiles: how they are drawn, and which groups are too small for their ranks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from dpdesk.catalogue import Template
from dpdesk.privacy.noise.noise import Noise
from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.usable import Possible, is_half
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.readable import cell_writer, group_text
from dpdesk.release.record.values import ReleasedQuery
from dpdesk.study.model.conditions import Condition
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Grouping
from dpdesk.study.model.queries import Query
from dpdesk.study.model.statistics import DECLARATIONS, Statistic
from dpdesk.study.model.unit import Unit
from dpdesk.study.text.number_text import PLUS_MINUS
from dpdesk.study.text.titles import joined, title

OFF_COUNTS: Final[Template] = (
    "All quantiles are read from the same noisy counts, so more of them cost no accuracy."
)
BOTH: Final[Template] = "Both quartiles are read from the same noisy counts."
CHOSEN: Final[Template] = (
    "Each quantile is chosen by itself, so more of them make each less accurate."
)
_SMALL: Final[Template] = (
    "Too noisy to use: {groups}. By “{title}”, the rank may be off by half of such a group or more."
)
_SMALL_WHOLE: Final[Template] = (
    "Too noisy to use: by “{title}” ({figure}), the rank may be off by half of all or more."
)
_GROUP: Final[Template] = "“{group}” ({figure})"
_OTHERS: Final[Template] = "{n} others"
_MOST_NAMED: Final = 10

_Counts = dict[tuple[str, ...], tuple[str, str]]
_Rows = tuple[tuple[Grouping, ...], frozenset[Condition], int | None, str]
"""By which groups, under which conditions, how many of a person in a group, and what is counted."""


def quantile_way(statistic: Statistic, noise: Noise, words: ReleaseWords) -> str:
    """One sentence; empty where a statistic is always drawn one way.

    Args:
        statistic: what is asked.
        noise: of the query's first draw.
    """
    if not DECLARATIONS[statistic].reads_counts:
        return ""
    if not DECLARATIONS[statistic].can_ask_more:
        return words.say(BOTH) if noise.is_additive else ""
    return words.say(OFF_COUNTS if noise.is_additive else CHOSEN)


@dataclass(frozen=True)
class SmallGroups:
    """Groups of which a rank may be off by half of the rows, or more: any value may be its own.

    Attributes:
        title: of the query that counts the same groups in the same release.
        counted: figure and margin of each such group, by its labels.
    """

    title: str = ""
    counted: Mapping[tuple[str, ...], tuple[str, str]] = field(default_factory=dict)

    def said(self, words: ReleaseWords) -> str:
        """Which ones, in one sentence or two; empty without any."""
        if not self.counted:
            return ""
        write = cell_writer("number", words)
        shown = {
            group: f"{write(count)} {PLUS_MINUS} {write(margin)}"
            for group, (count, margin) in self.counted.items()
        }
        if () in shown:
            return words.say(_SMALL_WHOLE, title=self.title, figure=shown[()])
        named = [
            words.say(_GROUP, group=", ".join(group_text(one, words) for one in group), figure=said)
            for group, said in shown.items()
        ]
        if len(named) > _MOST_NAMED:
            others = words.say(_OTHERS, n=words.number(str(len(named) - _MOST_NAMED)))
            named = [*named[:_MOST_NAMED], others]
        return words.say(_SMALL, title=self.title, groups=joined(named, words.language))


NONE_SMALL: Final = SmallGroups()


def small_groups(
    study: Study | None,
    queries: Sequence[ReleasedQuery],
    tables: Sequence[Table],
    words: ReleaseWords,
) -> dict[str, SmallGroups]:
    """The groups that are too small for the ranks of queries, by these queries' ids.

    Another query of the release has to count the same rows by the same groups, or more rows, or all
    of them: post-processing of what both published. Its count has noise, so that a group may be
    named, or not, by accident.

    Args:
        study: as released; ``None`` where nobody can read it.
        queries: of the release.
        tables: one for each, in the same order.
        words: in whose language a query without a title is called.
    """
    if study is None:
        return {}
    counts, found = dict[_Rows, tuple[str, _Counts]](), dict[str, SmallGroups]()
    asked = [
        (DECLARATIONS[query.statistic], one, _rows_of(one, query, study.unit), table)
        for query, table in zip(queries, tables, strict=True)
        if (one := study.query(query.id)) is not None
    ]
    for about, one, rows, table in asked:
        if about.counts_all and (counted := _counts(one, table)):
            counts.setdefault(rows, (title(study, one, words.language), counted))
    for about, one, rows, table in asked:
        counting = _count_of(rows, counts) if about.chooses == "rank" else None
        if counting is None:
            continue
        called, counted = counting
        small = {
            group: counted[group]
            for labels, off in _ranks(one, table)
            for group in (labels, ())
            if group in counted and is_half(off, Possible(0, Fraction(counted[group][0])))
        }
        found[one.id] = SmallGroups(called, small) if small else NONE_SMALL
    return found


def _count_of(
    rows: _Rows, counts: Mapping[_Rows, tuple[str, _Counts]]
) -> tuple[str, _Counts] | None:
    """The nearest count of these rows or of more: no group of these is larger than it is there.

    By the same groups it says most, else it is that of all; fewer conditions are more rows.
    """
    if rows in counts:
        return counts[rows]
    by, where, most, counted = rows
    for groups in (by, ()):
        for (other, conditions, limit, about), found in counts.items():
            is_of_more = conditions <= where and limit in (None, most)
            if (other, about) == (groups, counted) and is_of_more:
                return found
    return None


def _rows_of(asked: Query, query: ReleasedQuery, unit: Unit | None) -> _Rows:
    """What is equal of queries about the same rows, or people, of the same groups."""
    counts_people = DECLARATIONS[query.statistic].unit == "people"
    is_one = unit is not None and unit.max_rows == 1
    counted = "people" if counts_people or is_one else query.question.subject
    return asked.by, frozenset(asked.where), asked.rows_per_group, counted


def _counts(asked: Query, table: Table) -> _Counts:
    """Count and margin of each group; none where a table counts in finer groups."""
    depth, roles = len(asked.by), [column.role for column in table.columns]
    if roles[depth : depth + 2] != ["value", "half-width"]:
        return {}
    return {row[:depth]: (row[depth], row[depth + 1]) for row in table.rows}


def _ranks(asked: Query, table: Table) -> Iterator[tuple[tuple[str, ...], Fraction]]:
    """By how many rows each line's rank may be off; not where sorting left that unknown."""
    at = [column.role for column in table.columns].index("score-bound")
    for row in table.rows:
        if row[at]:
            yield row[: len(asked.by)], Fraction(row[at])
