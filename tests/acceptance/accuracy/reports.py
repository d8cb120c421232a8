# SPDX-License-Identifier: Apache-2.0
"""The reports of two files: the squares of all margins that they state, added up by question.

``BEFORE`` is what the same lines printed at commit faa66df8, the last before noise was spent
jointly, tables were made to add up and margins followed from what was drawn: the same studies, the
same shares. ``python -m tests.acceptance.accuracy.reports``
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import load_study
from dpdesk.study.model.amount import Epsilon
from tests.release.studies import release

ROOT: Final = Path(__file__).parents[3]
SAMPLE: Final = ROOT / "resources" / "sample"
DIABETES: Final = ROOT.parent / "shared" / "data" / "diabetes130" / "diabetic_data.csv"
BENCH: Final = ROOT / "tests" / "bench" / "diabetes.dpdesk"
HOSPITAL, PATIENTS, TABLES = "sample hospital", "diabetes file", "diabetes file, overlapping tables"

BEFORE: Final[dict[str, dict[str, float]]] = {
    HOSPITAL: {
        "patients": 18000,
        "mean-stay": 4.9355,
        "stays": 50400,
        "cost": 3.78608e12,
        "back-again": 16200,
        "quarters": 388800,
    },
    PATIENTS: {
        "patients": 20250,
        "mean-stay": 30.0563,
        "back-again": 16200,
    },
    TABLES: {
        "n0": 54000,
        "n1": 18000,
        "n2": 5400,
        "n3": 9000,
        "n4": 1800,
        "n5": 2700,
        "n6": 900,
        "mean": 21.3831,
        "variance": 2548.79,
        "share": 0.0682308,
    },
}

RELEASES: Final = 5
MOST: Final = 1.1
"""Margins of means follow noisy counts, which differ in each release."""


def reports() -> Iterator[tuple[str, dict[str, Any], Path]]:
    """Each report's name, its study's members and its file."""
    yield HOSPITAL, _members(SAMPLE / "sample.dpdesk"), SAMPLE / "admissions.csv"
    if DIABETES.exists():
        yield PATIENTS, _members(BENCH), DIABETES
        yield TABLES, _overlapping(_members(BENCH)), DIABETES


def _members(study: Path) -> dict[str, Any]:
    members: dict[str, Any] = json.loads(study.read_text(encoding="utf-8"))
    return members


def _overlapping(members: dict[str, Any]) -> dict[str, Any]:
    """One visit a patient; tables by three columns, that no rule keeps a visit out of."""
    members["unit"]["max_rows"] = 1
    first = {"[0-10)": "age", "Female": "gender", "NO": "readmitted"}
    for column in members["columns"]:
        for value, name in first.items():
            if column["name"] == name:
                column["missing"] = column["unknown"] = {"replace": value}
    axes = ("age", "gender", "readmitted")
    by = (axes, axes[:2], axes[1:], *((axis,) for axis in axes), ())
    counts = [{"id": f"n{n}", "statistic": "count", "by": [*one]} for n, one in enumerate(by)]
    stay = {"column": "time_in_hospital", "by": ["age"]}
    moments = [{"id": kind, "statistic": kind, **stay} for kind in ("mean", "variance")]
    again = {"column": "readmitted", "in": ["<30"]}
    share = {"id": "share", "statistic": "share", "has": [again], "by": ["age"]}
    members["queries"] = [{**one, "epsilon": 0.1} for one in (*counts, *moments, share)]
    members["budget"]["epsilon"] = 9
    return members


def squares(members: dict[str, Any], file: Path, releases: int = RELEASES) -> dict[str, float]:
    """By question, the squared margins of a release, added up; the mean of some releases."""
    made = [_squares(members, file) for _ in range(releases)]
    return {question: sum(one[question] for one in made) / releases for question in made[0]}


def _squares(members: dict[str, Any], file: Path) -> dict[str, float]:
    with TemporaryDirectory() as name:
        folder = Path(name)
        data = {"extract": "all", **members["data"], "path": str(file)}
        (folder / "s.dpdesk").write_text(json.dumps({**members, "data": data}), encoding="utf-8")
        study = load_study(folder / "s.dpdesk").study
        ledger = Ledger.open(Home.at(folder / "home"))
        assert study.budget is not None
        ledger.new_account(study.budget.account, Epsilon.of(100))
        stored = release(study, folder, ledger, OpenDPDoor()).stored
        asked = zip(stored.record.queries, stored.tables, strict=True)
        return {query.id: _squared(table) for query, table in asked}


def _squared(table: Any) -> float:
    heads = [column.role for column in table.columns]
    at = heads.index("half-width")
    margins = [row[at] for row in table.rows]
    return float(sum(Decimal(margin) ** 2 for margin in margins if margin))


def main() -> int:
    """Print a line a question; 1 where the margins of one are wider than they were."""
    worse = False
    print(f"{'squared margins, added up':<52}{'before':>12}{'now':>12}  ratio")
    for name, members, file in reports():
        before, now = BEFORE[name], squares(members, file)
        for question, squared in now.items():
            was = before[question]
            print(_line(f"{name}, {question}", was, squared))
            worse |= squared > MOST * was
        print(_line(f"{name}, all", sum(before.values()), sum(now.values())))
        ratios = [squared / before[question] for question, squared in now.items()]
        print(f"{name + ', mean of the ratios':<76}  {sum(ratios) / len(ratios):.3f}", flush=True)
    return int(worse)


def _line(name: str, before: float, now: float) -> str:
    ratio = f"{now / before:.3f}" if before else "-"
    return f"{name:<52}{before:>12.6g}{now:>12.6g}  {ratio}"


if __name__ == "__main__":
    sys.exit(main())
