# SPDX-License-Identifier: Apache-2.0
"""The queries of a release with their charts and totals: what report and workbook are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpdesk.privacy.published_tables import Table
from dpdesk.privacy.reconcile.cross_totals import AddingTable
from dpdesk.release.bundle.quantile_notes import NONE_SMALL, small_groups
from dpdesk.release.bundle.readable import for_people
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.report.query_chart import Charted
from dpdesk.release.record.reprice import RepricedStudy, consistent_in


def charted_queries(text: ReleaseText, tables: Sequence[Table]) -> tuple[Charted, ...]:
    """One for each query of a release, in the same order.

    Args:
        tables: one for each query, in the same order.
    """
    record, words = text.release.record, text.words
    study, queries = record.study.study, record.queries
    small = small_groups(study, queries, tables, words)
    return tuple(
        Charted(
            for_people(table, study, query, words),
            query,
            words,
            study,
            adding,
            small=small.get(query.id, NONE_SMALL),
        )
        for table, query, adding in zip(tables, queries, _adding(text, tables), strict=True)
    )


def _adding(text: ReleaseText, tables: Sequence[Table]) -> Iterator[AddingTable | None]:
    """Each table with what its totals follow from; ``None`` where its plan cannot be made."""
    record = text.release.record
    plans = RepricedStudy(record.study).plans or {}
    is_consistent = any(table.others for table in tables)
    consistent = consistent_in(record.queries, plans) if plans and is_consistent else {}
    for table, query in zip(tables, record.queries, strict=True):
        plan = plans.get(query.id)
        places = [at for at, column in enumerate(table.columns) if column.role == "value"]
        if plan is None or len(places) != 1:
            yield None
        else:
            published = tuple(row[places[0]] for row in table.rows)
            yield AddingTable(plan, query.drawn.noisy, published, consistent.get(query.id))
