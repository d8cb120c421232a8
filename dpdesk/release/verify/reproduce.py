# SPDX-License-Identifier: Apache-2.0
"""A bundle's files made again from what its manifest says was drawn.

A table is a pure function of the study and of what the noise door gave, so anyone who checks a
bundle can compute it again: a figure that was altered before it was signed is found out, in every
file, whatever wrote it. Another version may write other files, or account in another way, so what
of its bundle does not come out again is no fault, but is not relied on either; in a language that
this program does not have it makes the tables alone.
"""

from __future__ import annotations

from collections.abc import Mapping

import dpdesk
from dpdesk.catalogue import read_catalogue
from dpdesk.data.encoding.missing_and_invalid import missing_markers
from dpdesk.privacy.noise.door import library_version
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import Table
from dpdesk.release.bundle.compared_text import compared_files
from dpdesk.release.bundle.csv_format import csv_bytes, derived_files
from dpdesk.release.bundle.signed_bundle import files_of
from dpdesk.release.record.drawn import Drawn, is_of_plan
from dpdesk.release.record.reprice import RepricedStudy, tables_of
from dpdesk.release.record.values import (
    ReleasedQuery,
    ReleaseRecord,
    SignedRelease,
    SoftwareVersions,
)
from dpdesk.study.model.document import Study


def rebuilt_tables(record: ReleaseRecord, repriced: RepricedStudy) -> dict[str, Table] | None:
    """Every table by the id of its query; ``None`` where they cannot be made.

    Args:
        record: its claim checked before.
        repriced: its study, in the format in which the tables are to be made.
    """
    study, plans = record.study.study, repriced.plans
    if study is None or plans is None or _are_twins_unlike(record, plans):
        return None
    if not all(_could_be_drawn(study, plans[query.id], query) for query in record.queries):
        return None
    return {one.id: one for one in tables_of(study, record.queries, plans)}


def _could_be_drawn(study: Study, plan: QueryPlan, query: ReleasedQuery) -> bool:
    """Whether the door could have given this out: every such table can be made."""
    return is_of_plan(query.drawn, plan) and _is_findable(study, plan, query, query.drawn)


def _are_twins_unlike(record: ReleaseRecord, plans: Mapping[str, QueryPlan]) -> bool:
    """Whether two queries that ask the same, paid for once, were answered by two draws."""
    first: dict[str, Drawn | None] = {}
    return any(
        first.setdefault(plans[query.id].canonical, query.drawn) != query.drawn
        for query in record.queries
    )


def _is_findable(study: Study, plan: QueryPlan, query: ReleasedQuery, drawn: Drawn) -> bool:
    """Whether texts of the data reach the stated threshold, and none means that it is missing."""
    least = query.draws[0].noise.threshold if query.draws else None
    if least is None or plan.column is None:
        return True
    markers = missing_markers(plan.column, study.missing_of(plan.column))
    return min(drawn.noisy[0], default=least) >= least and markers.isdisjoint(drawn.found)


def made_files(release: SignedRelease, tables: Mapping[str, Table]) -> dict[str, bytes]:
    """The files that tables belong into: where this program lacks their language, tables alone.

    Args:
        tables: one for each query, by its id and in the same order.
    """
    if speaks(release):
        return files_of(release, list(tables.values()))
    record, made = release.record, {}
    for one in record.queries:
        made[f"results/{one.name}.csv"] = csv_bytes(tables[one.id])
    made |= derived_files(record, [tables[one.id] for one in record.queries])
    return made | compared_files(record.queries, list(tables.values()))


def is_known(software: SoftwareVersions) -> bool:
    """Whether these versions are this program's own, whose every byte it makes again."""
    return (software.dpdesk, software.opendp) == (dpdesk.__version__, library_version())


def speaks(release: SignedRelease) -> bool:
    """Whether there are sentences here in the language of a bundle's texts."""
    language = release.form.language
    return read_catalogue(language).language == language
