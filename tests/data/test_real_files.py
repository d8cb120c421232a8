# SPDX-License-Identifier: Apache-2.0
"""Real files, against totals that the standard library's own reader counts."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.opened import read_header, sample_rows
from dpdesk.exact import Exact
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import Between, IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import DataSource, Unit

Opened = Callable[[Exact], list[int]]
AGES = tuple(f"[{age}-{age + 10})" for age in range(0, 100, 10))


def records(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        yield from csv.DictReader(file)


def diabetes(max_rows: int) -> Study:
    columns = (
        NumberColumn("time_in_hospital", Decimal(1), Decimal(14), Decimal(1)),
        CategoryColumn("age", AGES),
        CategoryColumn("gender", ("Female", "Male")),
        YesNoColumn("readmitted", ("<30",), (">30", "NO")),
        CategoryColumn("weight", ("[75-100)",), missing="category", unknown="category"),
        CategoryColumn("A1Cresult", ("None", ">7", ">8", "Norm")),
    )
    source = DataSource("diabetes130/diabetic_data.csv", missing=("?",))
    return Study(data=source, unit=Unit("patient_nbr", max_rows), columns=columns)


def test_the_diabetes_file_has_its_known_totals(shared_data: Path, opened: Opened) -> None:
    study = diabetes(max_rows=40)
    rows = list(records(shared_data / "diabetes130" / "diabetic_data.csv"))
    table = encode(study, shared_data)
    assert opened(measure(table, study, AggregateSpec("rows"))) == [101_766] == [len(rows)]
    assert opened(measure(table, study, AggregateSpec("people"))) == [71_518]
    ages = Counter(row["age"] for row in rows)
    assert opened(measure(table, study, AggregateSpec("rows", by=("age",)))) == [
        ages[a] for a in AGES
    ]
    days = sum(int(row["time_in_hospital"]) for row in rows)
    stays = AggregateSpec("sum", "time_in_hospital", offset=1)
    assert opened(measure(table, study, stays)) == [days] == [447_362]
    early = Counter(row["gender"] for row in rows if row["readmitted"] == "<30")
    asked = AggregateSpec("rows", by=("gender",), where=(IsIn("readmitted", ("<30",)),))
    assert opened(measure(table, study, asked)) == [early["Female"], early["Male"]]
    long = AggregateSpec("people", where=(Between("time_in_hospital", Decimal(13), Decimal(14)),))
    people = {row["patient_nbr"] for row in rows if int(row["time_in_hospital"]) >= 13}
    assert opened(measure(table, study, long)) == [len(people)]


def test_a_question_mark_is_missing_and_none_is_a_value(shared_data: Path, opened: Opened) -> None:
    study = diabetes(max_rows=40)
    table = encode(study, shared_data)
    rows = list(records(shared_data / "diabetes130" / "diabetic_data.csv"))
    weights = Counter(row["weight"] for row in rows)
    here = weights["[75-100)"], len(rows) - weights["[75-100)"] - weights["?"], weights["?"]
    assert tuple(opened(measure(table, study, AggregateSpec("rows", by=("weight",))))) == here
    tests = Counter(row["A1Cresult"] for row in rows)
    values = [tests[value] for value in ("None", ">7", ">8", "Norm")]
    assert opened(measure(table, study, AggregateSpec("rows", by=("A1Cresult",)))) == values


@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.in_turn(2)
def test_the_bound_keeps_the_people_and_cuts_their_rows(
    k: int, shared_data: Path, opened: Opened
) -> None:
    study = diabetes(max_rows=k)
    table = encode(study, shared_data)
    rows = records(shared_data / "diabetes130" / "diabetic_data.csv")
    each = Counter(row["patient_nbr"] for row in rows)
    assert max(each.values()) == 40
    kept = sum(min(k, count) for count in each.values())
    assert opened(measure(table, study, AggregateSpec("rows"))) == [kept]
    assert opened(measure(table, study, AggregateSpec("people"))) == [71_518]


def test_absurd_values_in_the_covid_file_are_clamped(shared_data: Path, opened: Opened) -> None:
    source = DataSource("covid_testing/covid_testing_deid.csv", missing=("NA",))
    hours = NumberColumn("col_rec_tat", Decimal(0), Decimal(48), Decimal("0.1"))
    study = Study(data=source, unit=Unit("subject_id", 20), columns=(hours,))
    table = encode(study, shared_data)
    path = shared_data / source.path
    cells = [row["col_rec_tat"] for row in records(path) if row["col_rec_tat"] not in ("", "NA")]
    assert max(Decimal(cell) for cell in cells) > 10_000
    grid = [round(min(max(Decimal(cell), Decimal(0)), Decimal(48)) * 10) for cell in cells]
    assert opened(measure(table, study, AggregateSpec("sum", "col_rec_tat"))) == [sum(grid)]
    assert opened(measure(table, study, AggregateSpec("people"))) == [12_344]


def test_letters_and_digits_tell_synthetic_patients_apart(
    shared_data: Path, opened: Opened
) -> None:
    source = DataSource("synthea/conditions.csv")
    study = Study(data=source, unit=Unit("PATIENT", 1000))
    table = encode(study, shared_data)
    patients = [row["PATIENT"] for row in records(shared_data / source.path)]
    assert opened(measure(table, study, AggregateSpec("rows"))) == [len(patients)]
    assert opened(measure(table, study, AggregateSpec("people"))) == [len(set(patients))]


def test_every_csv_file_is_read_as_the_standard_library_reads_it(shared_data: Path) -> None:
    paths = [p for p in sorted(shared_data.rglob("*.csv")) if p.stat().st_size < 5_000_000]
    assert len(paths) > 8
    for path in paths:
        source = replace(recognise(path), line_breaks=True)
        with path.open(encoding=source.encoding.replace("utf-8", "utf-8-sig"), newline="") as file:
            reader = csv.reader(file, delimiter=source.separator)
            header, *rows = [row for row in reader if "".join(row).strip() or len(row) > 1]
        assert list(read_header(source, Path())) == [" ".join(name.split()) for name in header]
        ours = sample_rows(source, Path(), 10**9)
        assert len(ours) == len(rows), path.name
        plain = [[" ".join(cell.split()) for cell in row] for row in rows]
        assert [[" ".join(cell.split()) for cell in row] for row in ours] == plain
