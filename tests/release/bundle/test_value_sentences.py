# SPDX-License-Identifier: Apache-2.0
"""How derived columns are made, as the plan, the report and README.txt say it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.bundle.release_text import ReleaseText
from dpdesk.release.bundle.signed_bundle import MANIFEST
from dpdesk.release.bundle.value_sentences import rule_sentences, value_sentences
from dpdesk.release.record.parse import parse_signed
from dpdesk.release.record.released_study import ReleasedStudy, public_study
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between, IsMissing
from dpdesk.study.model.document import Study
from dpdesk.study.model.groupings import Periods
from dpdesk.study.model.parameters import ColumnParameters, PropertyParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import (
    BesideRow,
    CodePrefix,
    OfCase,
    OfPerson,
    RecodeEntry,
    TimeBetween,
)
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, IdShape, Unit
from tests.release.bundles import bundle

ADMITTED = DateColumn("admitted", date(2024, 1, 1), date(2024, 12, 31), title="Admission")
LEFT = DateColumn("left", date(2024, 1, 1), date(2025, 12, 31), title="Discharge")
BEFORE = replace(LEFT, name="before", title="", made_from=BesideRow("previous", "admitted", "left"))
SINCE = NumberColumn(
    "since",
    Decimal(0),
    Decimal(366),
    Decimal(1),
    label="days",
    made_from=TimeBetween(("before", "admitted")),
)
EVER = YesNoColumn(
    "ever",
    ("yes",),
    ("no",),
    title="Ever readmitted",
    made_from=OfPerson("any", where=(Between("since", Decimal(0), Decimal(30)),)),
)
COLUMNS: tuple[Column, ...] = (ADMITTED, LEFT, BEFORE, SINCE, EVER)
STUDY = Study(
    unit=Unit(
        "pid",
        2,
        row_name="stay",
        row_names="stays",
        person_name="patient",
        person_names="patients",
    ),
    columns=COLUMNS,
    queries=(Query("q", by=("ever",), of="people"),),
)
LABS = FurtherTable("labs", DataSource("labs.csv"), "pid")
PATIENTS = replace(LABS, name="patients", rows="one-per-person")
SEEN = (
    "A value of a patient’s rows uses at most 10,000 of them, in the order of their content. Rows "
    "without an ID have no such value and add to none."
)


def test_a_recipe_is_said_with_all_that_it_is_made_of() -> None:
    assert value_sentences(STUDY) == (
        "before: Discharge of the same patient’s stay before, by Admission.",
        "since: days from before to Admission, from 0 to 366 days, in steps of 1.",
        "Ever readmitted: whether any of the stays of a patient meets: since from 0 to 30.",
        SEEN,
        "Results of derived columns are rounded to the nearest of their steps, halves away from "
        "zero.",
    )


@pytest.mark.parametrize(
    ("study", "more"),
    [
        (replace(STUDY, queries=(Query("q"),)), ""),
        (STUDY, " and all stays in values of one patient"),
        (
            replace(
                STUDY,
                queries=(Query("q"),),
                tables=(LABS, replace(LABS, name="patients", rows="one-per-person")),
            ),
            ", all rows in labs and one row in patients",
        ),
    ],
)
def test_whom_a_release_protects_names_all_rows_that_count(study: Study, more: str) -> None:
    signed = parse_signed(json.loads(unpack(bundle())[MANIFEST])["predicate"])
    record = replace(signed.record, study=ReleasedStudy(public_study(study)))
    said = ReleaseText(
        replace(signed, record=replace(record, claim=replace(record.claim, max_rows=2)))
    )
    assert said.secret == f"whether one patient with up to 2 stays{more} is in the data at all"


def test_what_no_query_uses_is_not_said() -> None:
    asked = replace(STUDY, queries=(Query("q"),))
    assert value_sentences(asked) == ()
    of_rows = replace(SINCE, made_from=TimeBetween(("admitted", "left")))
    study = replace(STUDY, columns=(ADMITTED, LEFT, of_rows), queries=(Query("q", by=("since",)),))
    assert SEEN not in value_sentences(study)


def test_zeros_that_are_filled_up_are_said() -> None:
    """A code of 8 is 008 then: another recipe, and another figure."""
    step = CodePrefix("diag", (RecodeEntry("I", ("001-139",)),), digits=3)
    column = CategoryColumn("chapter", ("I",), made_from=step)
    study = replace(STUDY, columns=(column,), queries=(Query("q", by=("chapter",)),))
    assert value_sentences(study) == (
        "chapter: diag by the beginning of its codes, several in one cell as unknown, numbers "
        "filled up with zeros to 3 digits: "
        "001-139 as I.",
    )


def test_what_becomes_of_other_numbers_and_of_missing_values_is_said() -> None:
    """Of a column that is only asked whether it has a value, nobody is left out."""
    stay = NumberColumn("stay", Decimal(0), Decimal(60), Decimal(1), outside="clamp", label="days")
    died = DateColumn("died", date(2024, 1, 1), date(2025, 12, 31))
    has = PropertyParameters((IsMissing("died", False),))
    queries = (Query("q", "share", has), Query("r", "mean", ColumnParameters("stay")))
    study = Study(columns=(stay, died), queries=queries)
    bounded = "Numbers beyond these bounds count as the nearest of them: stay 0 to 60 days."
    left_out = "Rows without a value in a column that a query asks about are left out of it: {}."
    assert rule_sentences(study) == (bounded, left_out.format("stay"))
    assert rule_sentences(replace(study, queries=queries[:1])) == ()
    grouped = replace(queries[1], by=(Periods("died", "year"),))
    named = rule_sentences(replace(study, queries=(queries[0], grouped)))
    assert named[-1] == left_out.format("stay; died")


def test_every_step_is_said_in_german() -> None:
    said = value_sentences(STUDY, ReleaseWords.of("de"))
    assert (
        said[1] == "since: Tage von before bis Admission, von 0 bis 366 days, in Schritten von 1."
    )
    assert "10.000" in said[3]


def test_over_what_tables_meet_and_what_an_id_looks_like() -> None:
    """Of tables that a query uses alone; of the shape of ids whatever is asked."""
    day = replace(ADMITTED, name="taken", title="Day of the sample", table="labs")
    born = replace(ADMITTED, name="born", title="Birth", table="patients")
    value = NumberColumn("value", Decimal(0), Decimal(9), Decimal(1), title="HbA1c", table="labs")
    of_person = OfPerson("first", "value", "taken", table="labs")
    first = replace(value, name="first", title="First HbA1c", table="", made_from=of_person)
    of_case = OfCase("mean", "value", table="labs")
    of_stay = replace(first, name="mean", title="Of the stay", made_from=of_case)
    patients = FurtherTable("patients", DataSource("p.csv"), "id", rows="one-per-person")
    labs = FurtherTable("labs", DataSource("l.csv"), "id", case="stay")
    asked = [
        Query("a", by=(Periods("born", "year"),)),
        Query("b", of="people").having(statistic="mean", column="first"),
        Query("c").having(statistic="mean", column="mean"),
    ]
    unit = replace(STUDY.unit or Unit(), case="stay", id_shape=IdShape("P", longest=6))
    study = replace(
        STUDY,
        unit=unit,
        tables=(replace(patients, keep="last", by="born"), labs),
        columns=(day, born, value, first, of_stay),
        queries=tuple(asked),
    )
    kept = (
        "Birth: of the table patients, one value for each patient; of several rows of one patient "
        "the value of the latest Birth counts."
    )
    meets = (
        "Rows of the table labs belong to those stays that have the same person ID and the same "
        "case number."
    )
    together = (
        "Each ID in any table is one patient; all rows with it, in all tables, are protected "
        "together."
    )
    said = value_sentences(study)
    assert said[:6] == (
        "First HbA1c: first HbA1c of a patient, by Day of the sample, from 0 to 9, in steps of 1.",
        "Of the stay: mean of HbA1c of a stay, from 0 to 9, in steps of 1.",
        together,
        kept,
        meets,
        "An ID is “P” and 1 to 6 digits; any other cell is no ID.",
    )
    # Its case number is of no use to a value of a person.
    over_people = replace(study, queries=(asked[1],))
    assert "Rows of the table labs belong to those stays of the same patient." in value_sentences(
        over_people
    )
    shape = replace(unit, id_shape=IdShape("", "any", 36, 36))
    alone = value_sentences(replace(study, unit=shape, queries=(Query("d"),)))
    assert alone == (together, "An ID is 36 characters; any other cell is no ID.")
