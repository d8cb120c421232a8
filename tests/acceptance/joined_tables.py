# SPDX-License-Identifier: Apache-2.0
"""The tables of three joined Synthea files as pandas makes them, and the files in other kinds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple

import pandas as pd

from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import FileLabel
from dpdesk.study.model.unit import DataSource
from tests.acceptance.pandas_tables import Figures, counts, in_bins, total, years_between, yes_no

VACCINES: Final = ("140", "113", "133", "20", "10", "114", "62")
LAST_OLD: Final = "2009-12-31"
"""The last day of what is in the first of two files of conditions."""


class Joined(NamedTuple):
    """Three files, all cells as text."""

    patients: pd.DataFrame
    conditions: pd.DataFrame
    immunizations: pd.DataFrame


Table = Callable[[Joined], Figures]


def read_joined(conditions: Path) -> Joined:
    def read(name: str) -> pd.DataFrame:
        path = conditions.with_name(f"{name}.csv")
        return pd.read_csv(path, dtype=str, keep_default_na=False)

    return Joined(read("patients"), read("conditions"), read("immunizations"))


def _day(texts: pd.Series[Any]) -> pd.Series[Any]:
    return pd.to_datetime(texts.str[:10], format="%Y-%m-%d")


def _of_conditions(j: Joined) -> pd.DataFrame:
    """Conditions, each with its patient's row."""
    beside = j.conditions.merge(j.patients, left_on="PATIENT", right_on="Id", how="left")
    beside["age"] = years_between(_day(beside.BIRTHDATE), _day(beside.START))
    return beside[beside.age >= 0]


def _people(j: Joined) -> pd.DataFrame:
    """Everybody who is in one of the three files, a row each."""
    ids = pd.concat([j.patients.Id, j.conditions.PATIENT, j.immunizations.PATIENT]).unique()
    people = pd.DataFrame(index=ids)
    people["GENDER"] = j.patients.set_index("Id").GENDER.reindex(ids)
    people["birth"] = _day(j.patients.set_index("Id").BIRTHDATE).reindex(ids)
    people["vaccinations"] = j.immunizations.groupby("PATIENT").size().reindex(ids, fill_value=0)
    people["conditions"] = j.conditions.groupby("PATIENT").size().reindex(ids, fill_value=0)
    influenza = j.immunizations[j.immunizations.CODE == "140"].PATIENT
    people["influenza"] = yes_no(people.index.to_series().isin(influenza))
    return people


def _bands(values: pd.Series[Any], edges: list[int]) -> pd.Series[Any]:
    names = [
        str(low) if high == low + 1 else f"{low} to {high - 1}" for low, high in pairwise(edges)
    ]
    return pd.cut(values, edges, right=False, labels=names).astype(object)


def _first_vaccine(j: Joined) -> Figures:
    """The first on the earliest day; of those of one day the first that is listed."""
    known = j.immunizations[j.immunizations.CODE.isin(VACCINES)].copy()
    known["day"], known["place"] = _day(known.DATE), known.CODE.map(VACCINES.index)
    first = known.sort_values(["PATIENT", "day", "place"]).drop_duplicates("PATIENT")
    return counts(first.CODE)


def _youngest(j: Joined) -> Figures:
    beside = j.immunizations.merge(j.patients, left_on="PATIENT", right_on="Id")
    beside["age"] = years_between(_day(beside.BIRTHDATE), _day(beside.DATE))
    return total(beside[beside.age >= 0].groupby("PATIENT").age.min().rename("age"))


def _at_visit(j: Joined, code: str | None = None) -> pd.Series[Any]:
    """Of each condition, how many immunisations its patient got at the same visit."""
    given = j.immunizations if code is None else j.immunizations[code == j.immunizations.CODE]
    found = given.groupby(["PATIENT", "ENCOUNTER"]).size().rename("given").reset_index()
    beside = j.conditions.merge(found, on=["PATIENT", "ENCOUNTER"], how="left")
    return beside.given.fillna(0).astype("int64")


JOINED: Final[dict[str, Table]] = {
    "age": lambda j: counts(
        (c := _of_conditions(j)).GENDER, _bands(c.age, [0, 5, 18, 40, 65, 80, 121])
    ),
    "age-sum": lambda j: total((c := _of_conditions(j)).age, c.GENDER),
    "everybody": lambda j: {(): total(_people(j).vaccinations.clip(1, 1))[()]},
    "vaccinations": lambda j: in_bins(_people(j).vaccinations, [0, 1, 2, 5, 10, 15, 20, 30, 61]),
    "three-tables": lambda j: counts(
        (p := _people(j)).GENDER,
        _bands(p.vaccinations, [0, 1, 10, 15, 61]),
        _bands(p.conditions, [0, 1, 5, 10, 20, 31]),
    ),
    "influenza": lambda j: counts(_people(j).influenza),
    "first-vaccine": _first_vaccine,
    "youngest": _youngest,
    "of-their-conditions": lambda j: counts(
        j.conditions.PATIENT.map(_people(j).influenza).rename("influenza")
    ),
    "at-visit": lambda j: in_bins(_at_visit(j), [0, 1, 2, 3, 21]),
    "influenza-at-visit": lambda j: counts(yes_no(_at_visit(j, "140") > 0)),
}
MIXED: Final[dict[str, Table]] = {
    **JOINED,
    "files": lambda j: counts(
        (j.conditions.START <= LAST_OLD).map({True: "until 2009", False: "from 2010"})
    ),
}


def mixed_study(study: Study) -> Study:
    """The same study of the same rows, in files of four kinds.

    The conditions are in two files, the later ones with their columns in another order.
    """
    later = DataSource("later.txt", separator="\t", label="from 2010")
    data = replace(study.data or later, path="earlier.csv", label="until 2009", more=(later,))
    patients, immunizations = study.tables
    book = DataSource("patients.xlsx", "excel", sheet="Patients", header_row=3)
    patients = replace(patients, data=book)
    immunizations = replace(immunizations, data=DataSource("immunizations.parquet", "parquet"))
    file = CategoryColumn("file", ("until 2009", "from 2010"), made_from=FileLabel())
    price = study.queries[0].epsilon
    asked = Query("files", by=("file",), epsilon=price)
    return replace(
        study,
        data=data,
        tables=(patients, immunizations),
        columns=(*study.columns, file),
        queries=(*study.queries, asked),
    )


def write_mixed(folder: Path, conditions: Path) -> None:
    """Write the files of ``mixed_study`` from the three of Synthea."""
    joined = read_joined(conditions)
    is_old = joined.conditions.START <= LAST_OLD
    joined.conditions[is_old].to_csv(folder / "earlier.csv", index=False)
    later = joined.conditions[~is_old]
    later[later.columns[::-1]].to_csv(folder / "later.txt", index=False, sep="\t")
    with pd.ExcelWriter(folder / "patients.xlsx") as book:
        joined.patients.to_excel(book, sheet_name="Patients", index=False, startrow=2)
    days = joined.immunizations.assign(DATE=pd.to_datetime(joined.immunizations.DATE))
    days.to_parquet(folder / "immunizations.parquet")
