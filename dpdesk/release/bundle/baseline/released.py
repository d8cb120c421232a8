# SPDX-License-Identifier: Apache-2.0
"""The Table 1s of a release: from its record to their layout, words and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.baseline.documents import documents, file_names
from dpdesk.release.bundle.baseline.layout import Answered, BaselineLayout, layouts
from dpdesk.release.bundle.baseline.printed import PrintedTable, printed
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.record.reprice import RepricedStudy, consistent_in
from dpdesk.release.record.table_names import baseline_names
from dpdesk.release.record.values import ReleasedQuery, ReleaseRecord
from dpdesk.study.model.document import Study


def baseline_file_names(record: ReleaseRecord) -> set[str]:
    """The names of the files of a release's Table 1s, whether or not they can be made."""
    study = record.study.study
    names = {} if study is None else baseline_names(study)
    return {file for name in names.values() for file in file_names(name)}


def released_layouts(record: ReleaseRecord, tables: Sequence[Table]) -> tuple[BaselineLayout, ...]:
    """The Table 1s of a release; none where its plans cannot be made.

    Args:
        tables: one for each query, in the same order.
    """
    study = record.study.study
    if study is None or not study.baseline_tables:
        return ()
    plans = RepricedStudy(record.study).plans
    if plans is None:
        return ()
    consistent = consistent_in(record.queries, plans)
    pairs = zip(record.queries, tables, strict=True)
    answers = {
        query.id: Answered(plans[query.id], table, query.drawn.noisy, consistent.get(query.id))
        for query, table in pairs
    }
    return layouts(study, answers)


@dataclass(frozen=True)
class ReleasedBaseline:
    """A Table 1 of a release.

    Attributes:
        layout: its figures.
        printed: the same in the release's language.
    """

    layout: BaselineLayout
    printed: PrintedTable

    @cached_property
    def files(self) -> dict[str, bytes]:
        """Its files, by name."""
        return documents(self.layout, self.printed)


def is_in_baseline(
    study: Study | None, query: ReleasedQuery, baselines: Sequence[ReleasedBaseline]
) -> bool:
    """Whether a query's figures are among those of one of these tables."""
    asked = None if study is None else study.query(query.id)
    component = None if asked is None else asked.component
    return component is not None and component.table in {one.printed.id for one in baselines}


def released_baselines(
    record: ReleaseRecord, tables: Sequence[Table], words: ReleaseWords
) -> tuple[ReleasedBaseline, ...]:
    """The Table 1s of a release in a language; arguments as above."""
    study, found = record.study.study, released_layouts(record, tables)
    if study is None:
        return ()
    return tuple(ReleasedBaseline(one, printed(study, one, words)) for one in found)
