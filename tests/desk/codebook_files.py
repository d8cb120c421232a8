# SPDX-License-Identifier: Apache-2.0
"""Made-up codebooks and a study without its data file, for tests and pictures of the dialog."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyreadstat

from dpdesk.study.model.columns import CategoryColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.unit import Budget, DataSource, Unit
from tests.data.codebook.written import redcap

STUDY = Study(
    title="Registry",
    data=DataSource("registry.csv"),
    unit=Unit("record_id", 1, "add-remove"),
    budget=Budget("registry"),
    columns=(
        NumberColumn(
            "age", Decimal(18), Decimal(100), Decimal(1), label="years", basis="study protocol"
        ),
        CategoryColumn("ward", ("A", "B"), basis="ward list"),
    ),
)
DICTIONARY = redcap(
    "age,,text,Age at admission,,,integer,0,120,",
    'sex,,radio,Sex,"1, Male | 2, Female | 9, Unknown",,,,,',
    "smoker,,yesno,Smoker,,,,,,",
    "birthday,,text,Date of birth,,,date_ymd,1900-01-01,2025-12-31,y",
    "hba1c,,text,HbA1c (%),,,number,3,20,",
    'drugs,,checkbox,Drugs,"1, Insulin | 2, Metformin",,,,,',
    "remarks,,notes,Remarks,,,,,,",
    "visit,,text,Day of the visit,,,date_ymd,2023-01-01,2025-12-31,",
)
"""A record id and what is asked of a patient; ``age`` differs from the study, ``birthday``
names a person.
"""


def write_dictionary(folder: Path, text: str = DICTIONARY) -> Path:
    """A REDCap data dictionary."""
    path = folder / "dictionary.csv"
    path.write_text(text, encoding="utf-8")
    return path


def long_dictionary(count: int) -> str:
    """A dictionary of so many variables of every kind, some with a note."""
    kinds = (
        "text,Laboratory value {0} (mg/dl),,,number,0,{0}",
        'radio,Finding {0},"0, None | 1, Mild | 2, Moderate | 3, Severe | 9, Not done",,,,',
        "yesno,Complication {0},,,,,",
        "text,Day of event {0},,,date_dmy,,",
        "notes,Remarks {0},,,,,",
    )
    rows = [f"v{i:04d},," + kinds[i % len(kinds)].format(i + 1) + "," for i in range(count)]
    return redcap(*rows)


def write_package(folder: Path) -> Path:
    """A Data Package that describes two tables, neither of which is named as the data is."""
    resources = [
        {
            "name": name,
            "path": f"{name}-2025.csv",
            "schema": {"fields": [{"name": field, "type": "boolean"}]},
        }
        for name, field in (("visits", "seen"), ("labs", "fasting"))
    ]
    path = folder / "datapackage.json"
    path.write_text(json.dumps({"resources": resources}), encoding="utf-8")
    return path


def write_sav(path: Path) -> Path:
    """An SPSS file with labels, values and one row."""
    frame = pd.DataFrame({"record_id": ["p1"], "sex": [1.0], "age": [44.0]})
    pyreadstat.write_sav(
        frame,
        path,
        column_labels={"sex": "Sex of the patient", "age": "Age (years)"},
        variable_value_labels={"sex": {1: "Male", 2: "Female"}},
    )
    return path
