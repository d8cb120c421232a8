# SPDX-License-Identifier: Apache-2.0
"""``ours.py FILE``: dpdesk reads and bounds the file beside the study, then answers the seven.

Parts of a release that do not grow with the file (the ledger, its signature) are not in it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import dpdesk
from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import Door, OpenDPDoor
from dpdesk.privacy.plan import Plan, QueryPlan
from dpdesk.privacy.published_tables import Noisy
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.document import Study
from tests.bench.size.clock import print_figures, timed

STUDY = Path(__file__).with_name("admissions.dpdesk")
PARQUET = ".parquet"


def study_of(path: Path) -> Study:
    """The study, about that file."""
    study = load_study(STUDY).study
    if study.data is None:
        raise ValueError("the study names its data")
    kind: Any = "parquet" if path.suffix == PARQUET else "csv"
    return replace(study, data=replace(study.data, path=str(path), format=kind))


def answer(plan: Plan, query: QueryPlan, table: EncodedTable, door: Door) -> Noisy:
    """One query's draws, as a release makes them."""
    return tuple(
        door.draw(part.name, measure(table, plan.study, part.measure), part.noise, part.sensitivity)
        for part in query.parts
    )


def exact_only(plan: Plan, query: QueryPlan, table: EncodedTable) -> None:
    """One query's exact vectors, sealed."""
    for part in query.parts:
        measure(table, plan.study, part.measure)


def main(path: str) -> None:
    """Encode, answer, and say how long each took."""
    plan, door = compiler.compile(study_of(Path(path))), OpenDPDoor()
    table, encoded = timed(lambda: encode(plan.study, Path()))
    queries, exact = {}, {}
    for query in plan.queries:
        _noisy, queries[query.query.id] = timed(lambda q=query: answer(plan, q, table, door))
    for query in plan.queries:
        _sealed, exact[query.query.id] = timed(lambda q=query: exact_only(plan, q, table))
    whole = encoded + sum(queries.values())
    print_figures(whole, encoded=encoded, queries=queries, exact=exact, version=dpdesk.__version__)


if __name__ == "__main__":
    main(*sys.argv[1:])
