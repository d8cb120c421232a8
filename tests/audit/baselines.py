# SPDX-License-Identifier: Apache-2.0
"""A Table 1 in the proofs: what its queries cost together, and over which rows they are.

Two proofs of its own, on a table in which wards and stays are missing:

* its queries' shares add up to its price, whatever it is and however small, in both measures;
* what is drawn of all groups together is, without noise, the sum of what is drawn of each group:
  rows that are in no column would be in *Overall* alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.privacy.compiler import compile
from dpdesk.study.model.amount import Epsilon, Rho
from dpdesk.study.model.baseline.declared import BaselineTable, Characteristic
from dpdesk.study.model.baseline.expansion import with_baseline_queries
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.audit.pairs import ADD_REMOVE, CHANGE_ONE, COLUMNS, EPSILON, Attack, row
from tests.audit.tables import FILE, Rows
from tests.audit.worlds import Neighbours, run_plan
from tests.doors import Call, RecordingDoor

COUNTS = (Characteristic("sex"), Characteristic("ok"))
ALL = (
    *COUNTS,
    Characteristic("stay", missing=True),
    Characteristic("stay", "median"),
    Characteristic("stay", edges=(Decimal(3), Decimal(6))),
)
ALL_ADDED = tuple(one for one in ALL if one.summary != "median")
"""Those that are answered by adding noise, of which an attack weighs every number."""

WARDLESS = tuple(row(str(i), str(i % 11) if i % 5 else "", "ABC?"[i % 4]) for i in range(1, 40))


def baseline_study(
    unit: Unit,
    characteristics: Sequence[Characteristic] = ALL,
    by: tuple[str, ...] = ("ward",),
    price: Epsilon | Rho = EPSILON,
) -> Study:
    """A study of one Table 1 over the made-up table."""
    budget: dict[str, Any] = {price.measure: type(price).of(100)}
    table = BaselineTable("table-1", by, tuple(characteristics), expected=9).at_share(price)
    return with_baseline_queries(
        Study(
            title="Table 1",
            data=DataSource(FILE, missing=("?",), extract="made up"),
            unit=unit,
            budget=Budget("audit", **budget),
            columns=COLUMNS,
            baseline_tables=(table,),
        )
    )


def baseline_worlds() -> Iterator[tuple[str, Neighbours]]:
    """One person with many rows comes, or moves from one column to others."""
    three, changed = replace(ADD_REMOVE, max_rows=3), replace(CHANGE_ONE, max_rows=3, people=39)
    mine = tuple(row("77", stay, ward) for stay in ("10", "") for ward in "ABC")
    for by in ((), ("ward",)):
        for name, unit, without in (
            ("comes", three, WARDLESS),
            ("moves", changed, (*WARDLESS[1:], *3 * (row("77", "0", "A", ok="no"),))),
        ):
            others = WARDLESS if unit is three else WARDLESS[1:]
            with_person = (*others, *mine)
            yield (
                f"Table 1 by {len(by)}: one {name}",
                Neighbours(baseline_study(unit, by=by), without, with_person),
            )


def baseline_attack(characteristics: Sequence[Characteristic], folder: Path) -> Attack:
    """An attack on all that is drawn for a table at once, whose price is the claim."""
    study = baseline_study(ADD_REMOVE, characteristics)
    crowd = tuple(row(str(i), "0") for i in range(20, 60))
    worlds = [_exact(study, rows, folder) for rows in (crowd, (*crowd, row("7", "10")))]
    return Attack(list(zip(*worlds, strict=True)))


def _exact(study: Study, rows: Rows, folder: Path) -> list[Call]:
    door = RecordingDoor()
    run_plan(study, compile(study), folder, rows, door)
    return door.calls


def baseline_findings(folder: Path) -> Iterator[str]:
    """See the head of the module."""
    for by in ((), ("ward",)):
        for price in (Epsilon(13), Epsilon(9_973), Epsilon.of(3), Rho(13), Rho.of("0.7")):
            study = baseline_study(ADD_REMOVE, by=by, price=price)
            total = compile(study).total
            if total != price:
                yield f"a table at {price} costs {total}"
    study = baseline_study(replace(ADD_REMOVE, max_rows=3))
    drawn = _exact(study, WARDLESS, folder)
    names = [query.id for query in study.queries]
    exact = {name: np.array(call.exact) for name, call in zip(_named(study), drawn, strict=True)}
    for query in study.queries:
        if not _is_overall_mean(query):
            continue
        of_groups, of_all = exact[query.id.removesuffix("-all")], exact[query.id]
        if (of_groups.reshape(-1, len(of_all)).sum(axis=0) != of_all).any():
            yield f"{query.id} is not the sum of its groups"
    if not any(map(_is_overall_mean, study.queries)) or len(set(names)) < len(names):
        yield "nothing is asked of all groups together"


def _named(study: Study) -> Iterator[str]:
    """The query of each draw."""
    for query in compile(study).queries:
        yield from [query.query.id] * len(query.parts)


def _is_overall_mean(query: Query) -> bool:
    part = query.component
    return part is not None and part.is_overall and part.figures == "moments"
