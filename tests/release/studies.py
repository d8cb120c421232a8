# SPDX-License-Identifier: Apache-2.0
"""A small study with its data, for the tests of the release."""

import json
from dataclasses import replace
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from dpdesk.release.record.write import stored_members
from dpdesk.release.run import release_run as run
from dpdesk.release.run.release_run import ReleaseDone
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import ColumnParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit

TENTH = Epsilon.of("0.1")

release = partial(run.release, same_extract=True)
"""A release by somebody who knows that the file is the same as before."""


def record_of(done: ReleaseDone) -> dict[str, Any]:
    """What the ledger keeps of a release, as JSON that may be changed at will."""
    members: dict[str, Any] = json.loads(json.dumps(stored_members(done.stored)))
    return members


STUDY = Study(
    title="Stays",
    organisation="Hospital",
    data=DataSource(path="stays.csv", extract="stays.csv"),
    unit=Unit(person="id", max_rows=3),
    budget=Budget(account="registry", epsilon=Epsilon.of("1")),
    columns=(
        NumberColumn("days", lower=Decimal(1), upper=Decimal(14), step=Decimal("0.5")),
        CategoryColumn("sex", values=("f", "m")),
    ),
    queries=(
        Query("stays", "count", epsilon=TENTH),
        Query("by-sex", "count-people", by=("sex",), epsilon=TENTH),
        Query(
            "days",
            "mean",
            ColumnParameters("days"),
            by=("sex",),
            where=(Between("days", Decimal("1.5"), Decimal(10)),),
            epsilon=Epsilon.of("0.2"),
        ),
    ),
)
"""Three queries that together cost 0.4 of an account ``registry``."""


def one_query(**changes: object) -> Study:
    """The study with a single count that costs 0.1, changed as given."""
    return replace(STUDY, queries=(STUDY.queries[0].having(**changes),))


def women(query_id: str = "women") -> Query:
    """Another question."""
    return Query(query_id, "count", where=(IsIn("sex", ("f",)),), epsilon=TENTH)


def write_data(folder: Path, people: int = 40, first: int = 1000, name: str = "stays.csv") -> Path:
    """A file with two stays a person."""
    rows = [
        f"p{first + i},{1 + (i * 7 + stay) % 14},{'fm'[i % 2]}"
        for i in range(people)
        for stay in range(2)
    ]
    path = folder / name
    path.write_text("id,days,sex\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path
