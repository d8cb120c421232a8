# SPDX-License-Identifier: Apache-2.0
"""``ours.py FILE``: dpdesk reads the three files of a registry and answers its annual report.

Parts of a release that do not grow with the files (ledger, signature, figures that follow from
released ones) are not in it.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pandas as _loaded  # noqa: F401, what the encoder loads late is not timed

import dpdesk
from dpdesk.data.encode import encode
from dpdesk.privacy import compiler
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.run.drawing import draw_query
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.document import Study
from tests.acceptance.annual.report import STUDY
from tests.bench.size.clock import print_figures, timed


def study_of(stays: Path) -> Study:
    """The report's study, about ids with as many digits as its first has."""
    study = load_study(STUDY).study
    unit = study.unit
    if unit is None or unit.id_shape is None:
        raise ValueError("the study declares its ids")
    with stays.open(encoding="utf-8") as lines:
        next(lines)
        digits = len(next(lines).split(",")[0]) - len(unit.id_shape.prefix)
    shape = replace(unit.id_shape, shortest=digits, longest=digits)
    return replace(study, unit=replace(unit, id_shape=shape))


def main(path: str) -> None:
    """Encode, answer, and say how long each took."""
    plan, door = compiler.compile(study_of(Path(path))), OpenDPDoor()
    table, encoded = timed(lambda: encode(plan.study, Path(path).parent))
    queries, totals = {}, {}
    for query in plan.queries:
        name = query.query.id
        drawn, queries[name] = timed(lambda q=query: draw_query(plan.study, q, table, door))
        totals[name] = sum(drawn.noisy[0])
    whole = encoded + sum(queries.values())
    print_figures(
        whole, encoded=encoded, queries=queries, totals=totals, version=dpdesk.__version__
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
