# SPDX-License-Identifier: Apache-2.0
"""A bundle's files made again from what its manifest says was drawn.

A table is a pure function of the study and of what the noise door gave, so whoever checks a bundle
can compute it anew: a table that was altered before it was signed is found out. Bundles of
format 1 do not say what was drawn in one place; of theirs the rows are counted.
"""

from __future__ import annotations

from typing import Any

import dpdesk
from dpdesk.data.encoding.parse import missing_markers
from dpdesk.privacy.figures import table
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.usable import YES
from dpdesk.release.bundle.csv_tables import csv_bytes
from dpdesk.release.drawn import Drawn, read_drawn
from dpdesk.release.record import FORMAT, table_members
from dpdesk.release.reprice import priced_again, read_released_study
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused


def rebuilt_tables(predicate: dict[str, Any]) -> dict[str, dict[str, Any]] | None:
    """Every table's members by the id of its query; ``None`` where they cannot be made.

    Args:
        predicate: of format 2 or later, its claim checked before.
    """
    study = read_released_study(predicate["study"])
    plans = priced_again(study, predicate["format"]) if study is not None else None
    if study is None or plans is None or predicate["drawn"].keys() != plans.keys():
        return None
    if _are_twins_unlike(predicate["drawn"], plans):
        return None
    stated = {query["id"]: query["parts"] for query in predicate["queries"]}
    tables = {}
    for name, plan in plans.items():
        drawn = read_drawn(predicate["drawn"][name], plan)
        if drawn is None or not _is_findable(study, plan, drawn, stated[name]):
            return None
        found = _table(study, plan, drawn)
        if found is None:
            return None
        tables[name] = found
    return tables


def too_noisy_lines(predicate: dict[str, Any]) -> int | None:
    """How many lines this version would mark as too noisy to use in tables that have no marks.

    Whoever tells a release in an older format leaves the marks out. Format 1 does not say what
    was drawn: ``None``, as for a format that has marks of its own.

    Args:
        predicate: its tables were made again before.
    """
    if predicate["format"] in (1, FORMAT):
        return None
    tables = rebuilt_tables({**predicate, "format": FORMAT}) or {}
    return sum(_too_noisy(found) for found in tables.values())


def _too_noisy(members: dict[str, Any]) -> int:
    roles = [column["role"] for column in members["columns"]]
    marks = [place for place, role in enumerate(roles) if role == "mark"]
    return sum(row[place] == YES for place in marks for row in members["rows"])


def _are_twins_unlike(drawn: dict[str, Any], plans: dict[str, QueryPlan]) -> bool:
    """Whether two queries that ask the same, paid for once, were answered by two draws."""
    first: dict[str, Any] = {}
    return any(
        first.setdefault(plan.canonical, drawn[name]) != drawn[name] for name, plan in plans.items()
    )


def _is_findable(study: Study, plan: QueryPlan, drawn: Drawn, stated: list[dict[str, Any]]) -> bool:
    """Whether texts of the data reach the stated threshold, and none means that it is missing."""
    if "threshold" not in stated[0] or plan.column is None:
        return True
    least = int(stated[0]["threshold"])
    markers = missing_markers(plan.column, study.data.missing if study.data else ())
    return min(drawn.noisy[0], default=least) >= least and markers.isdisjoint(drawn.found)


def _table(study: Study, plan: QueryPlan, drawn: Drawn) -> dict[str, Any] | None:
    """A stranger's numbers may fit in no table; then there is none."""
    try:
        return table_members(table(study, plan, drawn.noisy, drawn.found))
    except (ValueError, ArithmeticError, IndexError, TypeError):
        return None


def table_bytes(members: dict[str, Any]) -> bytes | None:
    """A table's file; ``None`` where a figure is none."""
    try:
        return csv_bytes(members)
    except Refused:
        return None


def is_own_version(predicate: dict[str, Any]) -> bool:
    """Whether this very version wrote a bundle, so that its report can be made again too."""
    same = predicate["software"]["dpdesk"] == dpdesk.__version__
    return bool(same and predicate["format"] == FORMAT)
