# SPDX-License-Identifier: Apache-2.0
"""Public numbers: what is published without noise is the same for every file that may be released.

Queries of each kind are asked of all files of three rows, of two people or nobody. Where nothing is
drawn for a query, what would be measured for it in each file is the published number, or the file
is refused: then two neighbours never have different answers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.privacy.compiler import compile_query
from dpdesk.privacy.plan import QueryPlan
from dpdesk.privacy.published_tables import table
from dpdesk.release.run import reading
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CATEGORY, CategoryColumn, Replace
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from dpdesk.study.problem import Refused
from tests.audit.tables import FILE
from tests.doors import RecordingDoor

PEOPLE = 2
UNIT = Unit("id", 1, "change-one", people=PEOPLE)
REST = Replace("A")


def _column(name: str, *values: str, **rules: Any) -> CategoryColumn:
    return CategoryColumn(name, values, in_file="ward", **{"missing": REST, **rules})


COLUMNS = (
    _column("whole", "A", unknown=REST),
    _column("half", "A", "B", unknown=REST),
    _column("drops", "A"),
    _column("others", "A", unknown=CATEGORY),
)
"""One group for every row, two, one that drops what is no A, and one with a group for that."""
ASKED: dict[str, dict[str, Any]] = {
    "rows": {},
    "people": {"statistic": "count-people"},
    "rows of people": {"of": "people"},
    "one group": {"by": ("whole",)},
    "one group of people": {"by": ("whole",), "statistic": "count-people"},
    "two groups": {"by": ("half",)},
    "one of one and two": {"by": ("whole", "half")},
    "a rule that drops": {"by": ("drops",)},
    "a group of others": {"by": ("others",)},
    "a condition": {"where": (IsIn("half", ("B",)),)},
    "by rows": {"statistic": "rows-per-person", "top_code": 2},
}
UNITS: dict[str, dict[str, Any]] = {
    "one row": {},
    "two rows": {"max_rows": 2},
    "add-remove": {"neighbours": "add-remove", "people": None},
    "without an id": {"without_id": "one-person"},
}
FILES = tuple(
    combinations_with_replacement(
        [f"{who},{cell}" for who in ("p", "q", "") for cell in ("A", "B", "")], 3
    )
)


def study_of(unit: str) -> Study:
    """Every query that can be asked of such a unit."""
    queries = (
        Query(name.replace(" ", "-")).having(**members, epsilon=Epsilon.of(1))
        for name, members in ASKED.items()
    )
    return Study(
        data=DataSource(FILE, extract="made up"),
        unit=replace(UNIT, **UNITS[unit]),
        budget=Budget("wards", Epsilon.of(50)),
        columns=COLUMNS,
        queries=tuple(queries),
    )


def public_findings(folder: Path) -> Iterator[str]:
    """See the head of the module."""
    for unit in UNITS:
        study = study_of(unit)
        plans = [plan for query in study.queries if (plan := _plan(study, query)) is not None]
        public = [plan for plan in plans if not plan.parts]
        for rows in FILES if public else ():
            (folder / FILE).write_text("\n".join(("id,ward", *rows, "")), encoding="utf-8")
            yield from _differing(study, unit, public, folder)


def _plan(study: Study, query: Query) -> QueryPlan | None:
    try:
        return compile_query(study, query)
    except Refused:
        return None


def _differing(study: Study, unit: str, public: list[QueryPlan], folder: Path) -> Iterator[str]:
    """Published numbers that a file does not have, although it may be released."""
    encoded = encode(study, folder)
    try:
        reading.check_public_count(encoded, study)
    except Refused:
        return
    for plan in public:
        query = next(one for one in study.queries if one.id == plan.query.id)
        # Where how many people there are is secret, the same is measured, for noise.
        of = replace(study.unit or UNIT, neighbours="add-remove", people=None)
        (part,) = compile_query(replace(study, unit=of), query).parts
        door = RecordingDoor()
        door.draw(query.id, measure(encoded, study, part.measure), part.noise, part.sensitivity)
        ((exact,),) = (call.exact for call in door.calls)
        ((published, *_),) = (row[len(plan.by) :] for row in table(study, plan, ()).rows)
        if exact != int(published):
            yield f"{unit}, {query.id}: {published} published, {exact} in a file"
