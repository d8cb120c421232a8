# SPDX-License-Identifier: Apache-2.0
"""From nothing to a verified bundle over three tables that are joined, by one pair of hands."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import OfPerson
from tests.x11.first_hour import ACCOUNT, Look, export_and_verify, release
from tests.x11.hands import Hands

CONDITIONS = (
    "PATIENT,ENCOUNTER,START,CODE\n"
    "p1,e1,2019-01-05,1\np1,e2,2019-06-01,2\np2,e3,2018-03-02,1\np3,e4,2017-08-09,3\n"
)
PATIENTS = (
    "Id,BIRTHDATE,GENDER\np1,1950-02-03,F\np2,1980-11-30,M\np3,2001-05-06,F\np4,1999-01-01,M\n"
)
IMMUNIZATIONS = (
    "DATE,PATIENT,ENCOUNTER,VACCINE\n2019-01-05,p1,e1,140\n2018-03-02,p2,e3,140\n"
    "2018-09-09,p4,e9,113\n"
)


@dataclass(frozen=True)
class ThreeTables:
    """The files: conditions, of which many belong to a patient, patients, and immunisations."""

    conditions: Path
    patients: Path
    immunizations: Path


def three_tables(shared: Path, folder: Path) -> ThreeTables:
    """The real files where they are, else a few made-up rows."""
    real = ThreeTables(*(shared / "synthea" / f"{n}.csv" for n in _NAMES))
    if real.conditions.is_file():
        return real
    made = ThreeTables(*(folder / f"{n}.csv" for n in _NAMES))
    for path, text in zip(
        (made.conditions, made.patients, made.immunizations),
        (CONDITIONS, PATIENTS, IMMUNIZATIONS),
        strict=True,
    ):
        path.write_text(text, encoding="utf-8")
    return made


_NAMES = ("conditions", "patients", "immunizations")
STUDY = Study(
    columns=(CategoryColumn("GENDER"), NumberColumn("Vaccinations", made_from=OfPerson("count")))
)
ASKED = (
    Query("", of="people").having(by=("GENDER",)),
    Query("", of="people").having(statistic="mean", column="Vaccinations"),
)
"""What is suggested for the two columns."""


def join_and_release(hands: Hands, files: ThreeTables, bundle: Path, look: Look) -> None:
    """Age at each condition, and immunisations of each patient, by sex, released and verified."""
    hands.press("New study from a file…")
    hands.choose_file("Choose a data file", files.conditions)
    hands.until("Continue to People", "Button")
    for path, name in ((files.patients, "patients"), (files.immunizations, "immunizations")):
        hands.press("Add a table…")
        hands.choose_file("Choose the files of further tables", path)
        hands.until("Use this table", "Button")
        look(f"1-{name}")
        hands.press("Use this table")
        hands.until("Add a table…", "Button")
    look("2-tables")
    hands.press("Continue to People")
    hands.desk.effort.leave("Data")
    hands.press("A person can have several rows")
    hands.write("Row limit per person", "30")
    hands.press("Yes, keep it secret")
    hands.press("New account…")
    hands.write("Name", ACCOUNT)
    hands.write("Who decided, and when", "Data board, 12 May")
    hands.press("Open account")
    hands.until_closed("Open a budget account")
    hands.press("Continue to Columns")
    hands.desk.effort.leave("People")
    _columns(hands, look)
    look("5-queries")
    for query in ASKED:
        hands.press(hands.spoken.query(STUDY, query), "Button")
    hands.press("Review release")
    hands.desk.effort.leave("Queries")
    release(hands, look)
    export_and_verify(hands, bundle, look)


def _columns(hands: Hands, look: Look) -> None:
    """The day of birth and the sex of a patient, and what is made of the three tables."""
    hands.choose_column("GENDER, patients")
    hands.press("Category")
    hands.write("Values", "F\nM")
    hands.press("New column…")
    hands.press("Of a person")
    hands.press("the main table ({0})")
    for key in ("Down", "Return"):
        hands.desk.key(key)
    hands.until("immunizations", "Button")
    hands.write("Name of the column", "Vaccinations")
    look("3-vaccinations")
    hands.press("Add column")
    for line in ("BIRTHDATE, patients", "START"):
        hands.choose_column(line)
        hands.press("Date")
        hands.write("First day", "1900-01-01")
        hands.write("Last day", "2020-12-31")
    look("4-columns")
    hands.press("Age at {0}")
    hands.until("Add column", "Button")
    look("4-age")
    hands.press("Add column")
    hands.press("Continue to Queries")
    hands.desk.effort.leave("Columns")
