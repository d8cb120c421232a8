# SPDX-License-Identifier: Apache-2.0
"""A bundle's files made again from what its manifest says was drawn.

A table is a pure function of the study and of what the noise door gave, so whoever checks a bundle
can compute it anew: a table that was altered before it was signed is found out. Bundles of
format 1 do not say what was drawn in one place; of theirs the rows are counted.
"""

from __future__ import annotations

from collections.abc import Mapping

import dpdesk
from dpdesk.catalogue import read_catalogue
from dpdesk.data.encoding.missing_and_invalid import missing_markers
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table, table
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.csv_format import csv_bytes
from dpdesk.release.drawn import Drawn, is_of_plan
from dpdesk.release.record.values import FORMAT, ReleasedQuery, ReleaseRecord, SignedRelease
from dpdesk.release.reprice import RepricedStudy
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused


def rebuilt_tables(record: ReleaseRecord, repriced: RepricedStudy) -> dict[str, Table] | None:
    """Every table by the id of its query; ``None`` where they cannot be made.

    Args:
        record: of format 2 or later, its claim checked before.
        repriced: its study, in the format in which the tables are to be made.
    """
    study, plans = record.study.study, repriced.plans
    if study is None or plans is None or _are_twins_unlike(record, plans):
        return None
    tables = {}
    for query in record.queries:
        rebuilt = _rebuilt(study, plans[query.id], query)
        if rebuilt is None:
            return None
        tables[query.id] = rebuilt
    return tables


def _rebuilt(study: Study, plan: QueryPlan, query: ReleasedQuery) -> Table | None:
    drawn = query.drawn
    if drawn is None or not is_of_plan(drawn, plan) or not _is_findable(study, plan, query, drawn):
        return None
    try:
        return table(study, plan, drawn.noisy, drawn.found)
    except (ValueError, ArithmeticError, IndexError, TypeError):
        return None  # a stranger's numbers may fit in no table


def too_noisy_lines(record: ReleaseRecord) -> int | None:
    """How many lines this version would mark as too noisy to use in tables that have no marks.

    Whoever tells a release in an older format leaves the marks out. Format 1 does not say what
    was drawn: ``None``, as for a format that has marks of its own.

    Args:
        record: its tables were made again before.
    """
    if record.format in (1, FORMAT):
        return None
    tables = rebuilt_tables(record, RepricedStudy(record.study, FORMAT)) or {}
    return sum(_too_noisy(found) for found in tables.values())


def _too_noisy(table: Table) -> int:
    marks = [place for place, column in enumerate(table.columns) if column.role == "mark"]
    return sum(row[place] == YES for place in marks for row in table.rows)


def _are_twins_unlike(record: ReleaseRecord, plans: Mapping[str, QueryPlan]) -> bool:
    """Whether two queries that ask the same, paid for once, were answered by two draws."""
    first: dict[str, Drawn | None] = {}
    return any(
        first.setdefault(plans[query.id].canonical, query.drawn) != query.drawn
        for query in record.queries
    )


def _is_findable(study: Study, plan: QueryPlan, query: ReleasedQuery, drawn: Drawn) -> bool:
    """Whether texts of the data reach the stated threshold, and none means that it is missing."""
    least = query.draws[0].noise.threshold
    if least is None or plan.column is None:
        return True
    markers = missing_markers(plan.column, study.data.missing if study.data else ())
    return min(drawn.noisy[0], default=least) >= least and markers.isdisjoint(drawn.found)


def table_bytes(table: Table, edition: int) -> bytes | None:
    """A table's file in an edition of the bundle; ``None`` where a figure is none."""
    try:
        return csv_bytes(table, edition)
    except Refused:
        return None


def is_own_version(release: SignedRelease) -> bool:
    """Whether this very version, with its translations, can make a bundle's report again too."""
    record, language = release.record, release.form.language
    is_own = record.software.dpdesk == dpdesk.__version__ and record.format == FORMAT
    return is_own and read_catalogue(language).language == language
