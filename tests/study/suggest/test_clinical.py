# SPDX-License-Identifier: Apache-2.0
"""The shipped ranges are grids, stand in the sources they name, and are converted exactly."""

import csv
from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import pytest
from pandas import read_sas

from dpdesk.study.checks.column_checks import check_column
from dpdesk.study.limits import MAX_TEXT
from dpdesk.study.model.columns import NumberColumn, number_grid
from dpdesk.study.suggest.clinical import ranges, table, typical, unit_names, variables

ROWS = table("ranges.csv")
TYPICAL = table("typical.csv")
SIDES = ("lower", "upper")


def name_of(row: dict[str, str]) -> str:
    return f"{row['variable']} {row['unit']}"


def rounded(value: Fraction, step: Fraction, side: str) -> Fraction:
    """A limit on the grid, rounded outwards."""
    return (floor if side == "lower" else ceil)(value / step) * step


def factor(text: str) -> Fraction:
    first, *divisors = (Fraction(part) for part in text.split("/"))
    for divisor in divisors:
        first /= divisor
    return first


def test_there_are_enough_variables() -> None:
    assert len(ranges()) >= 120
    assert {variable.key for variable in variables()} == set(ranges())
    both = [name for name, rows in ranges().items() if len(rows) > 1]
    assert len(both) >= 60


@pytest.mark.parametrize("row", ROWS, ids=name_of)
def test_a_range_is_a_grid_that_a_column_accepts(row: dict[str, str]) -> None:
    (found,) = [r for r in ranges()[row["variable"]] if r.unit == row["unit"]]
    column = NumberColumn(
        "x", found.lower, found.upper, found.step, label=found.unit, basis=found.source
    )
    assert number_grid(column).last >= 1
    assert not list(check_column(column, "$.columns[0]"))
    assert len(found.source) <= MAX_TEXT
    assert len(found.note) <= MAX_TEXT
    assert found.unit in unit_names()


@pytest.mark.parametrize("row", TYPICAL, ids=name_of)
def test_what_is_typical_lies_within_what_can_be(row: dict[str, str]) -> None:
    found = typical()[row["variable"], row["unit"]]
    (widest,) = [r for r in ranges()[row["variable"]] if r.unit == row["unit"]]
    assert widest.lower <= found.lower < found.upper <= widest.upper
    assert found.upper - found.lower < widest.upper - widest.lower
    column = NumberColumn("x", found.lower, found.upper, found.step, basis=found.source)
    assert not list(check_column(column, "$.columns[0]"))
    assert len(found.source) <= MAX_TEXT
    assert (found.kind, widest.kind) == ("typical", "extreme")


COMMON = (
    "age",
    "heart_rate",
    "respiratory_rate",
    "systolic_pressure",
    "diastolic_pressure",
    "mean_pressure",
    "temperature",
    "height",
    "weight",
    "bmi",
    "waist",
    "length_of_stay",
    "sodium",
    "potassium",
    "chloride",
    "bicarbonate",
    "calcium",
    "magnesium",
    "phosphate",
    "glucose",
    "hba1c",
    "urea_nitrogen",
    "urea",
    "creatinine",
    "egfr",
    "bilirubin_total",
    "alt",
    "ast",
    "alkaline_phosphatase",
    "ldh",
    "cholesterol",
    "ldl",
    "haematocrit",
    "mcv",
    "platelets",
    "leukocytes",
    "lymphocytes",
    "eosinophils",
    "prothrombin_time",
    "crp",
    "esr",
    "urate",
    "tsh",
    "paco2",
)


UNSAID = {
    ("age", "months"),
    ("calcium", "mmol/L"),
    ("urate", "µmol/L"),
    ("leukocytes", "/µL"),
    ("lymphocytes", "%"),
    ("eosinophils", "%"),
}
"""Units for which no source that was read gives limits or a factor."""


@pytest.mark.parametrize("variable", COMMON)
def test_what_hospitals_measure_most_has_a_typical_range(variable: str) -> None:
    wanted = {(variable, row.unit) for row in ranges()[variable]} - UNSAID
    assert wanted <= typical().keys()


def test_a_score_has_one_range_and_it_is_all_of_it() -> None:
    assert [r.kind for r in ranges()["gcs"]] == ["scale"]
    assert {r.kind for r in ranges()["pain_vas"]} == {"scale"}


def test_no_range_stands_twice() -> None:
    assert len({name_of(row) for row in ROWS}) == len(ROWS)


CONVERTED = [row for row in (*ROWS, *TYPICAL) if row["lower_from"].startswith("here|")]


def exact(row: dict[str, str], side: str) -> Fraction:
    """A row's limit before it is rounded: from its source, or computed from another row's."""
    if not row["factor"]:
        return Fraction(GIVEN_EXACT.get((name_of(row), side), row[side]))
    _, variable, unit, _ = row[f"{side}_from"].split("|")
    rows = TYPICAL if row in TYPICAL else ROWS
    (other,) = [r for r in rows if (r["variable"], r["unit"]) == (variable, unit)]
    return exact(other, side) * factor(row["factor"]) + Fraction(row["offset"] or 0)


GIVEN_EXACT = {("creatinine mg/dL", "upper"): "28.28"} | {
    (f"{name} 10^3/µL", "lower"): low
    for name, low in [("neutrophils", "0.01"), ("lymphocytes", "0.01"), ("eosinophils", "0.001")]
}
GIVEN_EXACT |= {("leukocytes 10^3/µL", "lower"): "0.01", ("haptoglobin mg/dL", "lower"): "0.01"}
GIVEN_EXACT |= {("tsh mIU/L", "lower"): "0.001", ("bilirubin_direct mg/dL", "lower"): "0.01"}
"""Limits that their sources give finer than the row's step."""


@pytest.mark.parametrize("row", CONVERTED, ids=name_of)
def test_the_other_unit_is_computed_and_rounded_outwards(row: dict[str, str]) -> None:
    step = Fraction(row["step"])
    for side in SIDES:
        # Only HbA1c's scale reaches below its own zero.
        wanted = max(rounded(exact(row, side), step, side), Fraction(0))
        assert Fraction(row[side]) == wanted


def test_conversions_that_everybody_knows() -> None:
    known = {r: (row["lower"], row["upper"]) for row in ROWS for r in [name_of(row)]}
    assert known["temperature °F"] == ("78.8", "113")
    assert known["glucose mmol/L"] == ("0", "111.1")
    assert known["creatinine µmol/L"] == ("8", "2500")
    assert known["haemoglobin g/L"] == ("0", "250")
    assert known["crp mg/dL"] == ("0", "54.4")


def sources(side: str) -> Iterator[tuple[dict[str, str], str, list[str]]]:
    for row in (*ROWS, *TYPICAL):
        work, *place = row[f"{side}_from"].split("|")
        yield row, work, place


def test_every_row_names_a_source_and_every_source_has_its_words() -> None:
    known = {row["source"]: row for row in table("sources.csv")}
    cited = set()
    for side in SIDES:
        for _, work, place in sources(side):
            cited.add(place[-1] if work == "here" else work)
    assert cited == set(known)
    assert all(row["said"] and row["title"] for row in known.values())


@pytest.mark.parametrize("side", SIDES)
def test_a_limit_stands_in_the_table_that_it_names(side: str, shared_data: Path) -> None:
    ohdsi, mimic = both_tables(shared_data / "plausible_ranges")
    arc = arc_table(shared_data / "isaric_arc" / "ARC.csv")
    survey = read_sas(shared_data / "nhanes_2015_16" / "BMX_I.XPT")
    checked = 0
    for row, work, place in sources(side):
        if work == "ohdsi":
            found = ohdsi[place[0], place[1], place[2]]
        elif work == "mimic":
            found = mimic[place[0], place[1]]
        elif work == "arc":
            found = arc[place[0], place[1]]
        elif work == "nhanes-bmx":
            values = survey[place[0]]
            found = str(values.min() if side == "lower" else values.max())
        else:
            continue
        wanted = rounded(Fraction(found), Fraction(row["step"]), side)
        assert Fraction(row[side]) == wanted, name_of(row)
        checked += 1
    assert checked > 95


def arc_table(path: Path) -> dict[tuple[str, str], str]:
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {(row["Variable"], side): row[side] for row in rows for side in ("Minimum", "Maximum")}


def both_tables(folder: Path) -> tuple[dict[tuple[str, ...], str], dict[tuple[str, ...], str]]:
    ohdsi, mimic = {}, {}
    with (folder / "ohdsi_dqd_measurement_ranges.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            key = row["conceptId"], row["unitConceptName"]
            ohdsi[*key, "low"] = row["plausibleValueLow"]
            ohdsi[*key, "high"] = row["plausibleValueHigh"]
    with (folder / "mimic_extract_variable_ranges.csv").open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            mimic |= {(row["LEVEL2"], column): value for column, value in row.items()}
    return ohdsi, mimic
