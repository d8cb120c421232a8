# SPDX-License-Identifier: Apache-2.0
"""What each of the shared files holds, found with other programs than dpdesk's readers.

Rows, people and codes of the text files come from the standard library's reader, those of SAS
transport files from pandas' own. Short files are written down as their makers describe them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from dpdesk.data.encoding.missing_and_invalid import MISSING, OUTSIDE, UNKNOWN
from dpdesk.data.inspection.about import SeemsKind
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn


@dataclass(frozen=True)
class Table:
    """A file that loads.

    Attributes:
        width: how many columns.
        rows: how many rows below the header.
        person: the column that tells people apart, if one does.
        people: how many people that are.
        columns: declarations, with the codes of the first rows where they are written down here.
        missing: texts that mean "missing".
        seems: what it seems to be instead of rows about people, and where a second header is.
        other: which other program reads it too, for all codes of all rows.
        line_breaks: whether cells hold line breaks, which its custodian would declare.
    """

    width: int
    rows: int
    person: str | None = None
    people: int = 0
    columns: tuple[Column, ...] = ()
    codes: Mapping[str, list[int]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    seems: tuple[SeemsKind, int | None] | None = None
    other: str = ""
    line_breaks: bool = False


@dataclass(frozen=True)
class Refusal:
    """A file that is refused, and what its sentence tells to do."""

    code: str
    advice: str


def number(name: str, lower: int, upper: int, step: str = "1") -> NumberColumn:
    return NumberColumn(name, Decimal(lower), Decimal(upper), Decimal(step))


def category(name: str, *values: str) -> CategoryColumn:
    return CategoryColumn(name, values)


def day(name: str, first: int, last: int) -> DateColumn:
    return DateColumn(name, date(first, 1, 1), date(last, 12, 31))


def days(first: int, *texts: str) -> list[int]:
    """Days after the first of January of a year."""
    return [(date.fromisoformat(text) - date(first, 1, 1)).days for text in texts]


def codebook(width: int, rows: int) -> Table:
    return Table(width, rows, seems=(SeemsKind.CODEBOOK, None), other="csv")


CATALOGUE = Refusal("data-file-catalogue", "choose the SAS file itself")
FIRST_FIVE = {
    "mychar": [0, 1, 2, UNKNOWN, UNKNOWN],
    # Tenths above -1000.
    "mynum": [10_011, 10_012, 0, 9_986, 20_000],
    "mydate": [*days(1800, "2018-05-06", "1880-05-06", "1960-01-01"), OUTSIDE, MISSING],
    "dtime": [*days(1800, "2018-05-06", "1880-05-06", "1960-01-01"), OUTSIDE, MISSING],
    "mylabl": [0, 1, 0, 1, 0],
    "myord": [0, 1, 2, 0, 0],
    "mytime": [0, UNKNOWN, 1, UNKNOWN, MISSING],
}


def sample(rows: int = 5, capitals: bool = False, tail: int = 0) -> Table:
    """The five rows that pyreadstat's testers saved in every format, perhaps many times."""
    columns = (
        category("mychar", "a", "b", "c"),
        number("mynum", -1000, 1000, "0.1"),
        day("mydate", 1800, 2020),
        day("dtime", 1800, 2020),
        category("mylabl", "1", "2"),
        category("myord", "1", "2", "3"),
        category("mytime", "10:10:10", "00:00:00"),
    )
    times = (rows - tail) // 5
    codes = {name: codes * times for name, codes in FIRST_FIVE.items()}
    if tail:
        # Missing by the user's declaration; the text "Z" is one more value.
        codes = {name: [*codes[name], MISSING, MISSING] for name in codes}
        codes["mychar"][5] = UNKNOWN
    if capitals:
        columns = tuple(type(c)(**{**c.__dict__, "name": c.name.upper()}) for c in columns)
        codes = {name.upper(): codes[name] for name in codes}
    return Table(7, rows, columns=columns, codes=codes)


LABELLED = Table(
    3,
    3,
    "ID",
    3,
    (category("SEXA", "1", "2"), category("SEXB", "1", "2")),
    {"SEXA": [0, 1, 0], "SEXB": [0, 1, 0]},
)
ALL_MISSING = Table(
    9,
    1,
    columns=(*(number(f"var{n}", 0, 9) for n in range(1, 9)), number("var9", 0, 9)),
    codes={**{f"var{n}": [MISSING] for n in range(1, 9)}, "var9": [1]},
)
TO_TEN = range(10)
MOMENTS = Table(
    9,
    19,
    columns=(
        day("dates", 1950, 2050),
        day("string_dates", 1950, 2050),
        day("dt", 1950, 2050),
        day("string_dt", 1950, 2050),
        category("times", "23:59:59", "00:00:00", "00:00:01"),
        category("string_times", "23:59:59", "00:00:00", "00:00:01"),
        number("seconds", -100_000, 100_000),
        number("missings", 1, 19),
    ),
    codes={
        "dates": days(1950, "1959-12-30", *["1959-12-31"] * 3, *["1960-01-01"] * 2),
        "times": [0, 1, 2, 0, 1, 2],
        "seconds": [13_599, 13_600, 13_601, 99_999, 100_000, 100_001],
        "missings": [0, MISSING, 2, 3, MISSING, 5],
    },
)

HOLDINGS: dict[str, Table | Refusal] = {
    "covid_testing/covid_testing_code_book.csv": codebook(5, 18),
    "covid_testing/covid_testing_deid.csv": Table(
        17,
        15_524,
        "subject_id",
        12_344,
        (
            number("pan_day", 1, 107),
            number("age", 0, 100, "0.1"),
            number("ct_result", 14, 45, "0.01"),
            number("rec_ver_tat", 0, 24, "0.5"),
            category("result", "positive", "negative", "invalid"),
            category("patient_class", "inpatient", "emergency", "observation"),
        ),
        missing=("NA",),
        other="csv",
    ),
    "diabetes130/IDs_mapping.csv": Table(2, 67, seems=(SeemsKind.STACKED, 11), other="csv"),
    "diabetes130/diabetic_data.csv": Table(
        50,
        101_766,
        "patient_nbr",
        71_518,
        (number("num_medications", 1, 60), category("race", "Caucasian", "Asian", "Hispanic")),
        missing=("?",),
        other="csv",
    ),
    "isaric_arc/ARC.csv": codebook(35, 1_757),
    "nhanes_2015_16/BMX_I.XPT": Table(
        26,
        9_544,
        "SEQN",
        9_544,
        (number("BMXWT", 0, 200, "0.1"), number("BMXHT", 50, 200), number("BMIHEAD", 0, 9)),
        {"BMXWT": [948, 904, 834, 1098, 552, 644], "BMIHEAD": [MISSING] * 6},
        other="xport",
    ),
    "nhanes_2015_16/DEMO_I.XPT": Table(
        47,
        9_971,
        "SEQN",
        9_971,
        (number("RIDAGEYR", 0, 79), number("RIDAGEMN", 0, 24), number("DMQMILIZ", 1, 2)),
        {"RIDAGEYR": [62, 53, 78, 56, 42, 72], "DMQMILIZ": [1, 1, 0, 1, 1, 1]},
        ("7", "9"),
        other="xport",
    ),
    "plausible_ranges/mimic_extract_variable_ranges.csv": codebook(7, 47),
    "plausible_ranges/ohdsi_dqd_measurement_ranges.csv": codebook(6, 915),
    "redcap/clinical-trial-1/data.csv": Table(
        13,
        500,
        "record_id",
        500,
        (
            number("height", 150, 180, "0.1"),
            number("weight", 40, 150, "5"),
            category("race", "1", "3", "4", "5"),
            YesNoColumn("gender", ("1",), ("0",)),
            day("dob", 1930, 1989),
        ),
        other="csv",
    ),
    "redcap/clinical-trial-1/dictionary.csv": codebook(18, 12),
    "redcap/simple/data.csv": Table(
        24,
        5,
        "record_id",
        5,
        (
            # The two mice are smaller than the dictionary's 130 cm.
            number("height", 130, 215),
            number("bmi", 10, 60, "0.1"),
            category("address", "342 Elm\nDuncanville TX, 75116"),
            YesNoColumn("sex", ("TRUE",), ("FALSE",)),
            day("dob", 1930, 2010),
        ),
        {"height": [0, 0, 50, 35, 63], "address": [UNKNOWN, UNKNOWN, UNKNOWN, 0, UNKNOWN]},
        other="csv",
        line_breaks=True,
    ),
    "redcap/simple/dictionary.csv": codebook(18, 16),
    "statfiles/basic/date_test.sas7bdat": Table(
        9,
        20,
        "patno",
        20,
        (day("dtc1", 1970, 2060), day("dtc2", 1970, 2060), day("dt1", 1970, 2060)),
        {
            "dtc1": days(1970, "2022-01-01", "2023-01-01", "2024-01-01", "2024-12-31"),
            "dtc2": days(1970, "1970-11-14", "1970-12-14", "1971-01-13", "1971-02-12"),
            "dt1": days(1970, *["2020-12-09"] * 4),
        },
        other="sas7bdat",
    ),
    "statfiles/basic/dates.sas7bdat": Table(
        3,
        50,
        columns=(day("date", 1700, 2300), day("dtime", 1800, 2100)),
        codes={
            "date": days(1700, "2061-04-15", "1723-04-21", "1803-02-18", "1735-05-03"),
            "dtime": [*days(1800, "2061-04-15"), OUTSIDE, *days(1800, "1803-02-18"), OUTSIDE],
        },
    ),
    "statfiles/basic/dates_xpt.sas7bdat": MOMENTS,
    "statfiles/basic/dates_xpt_v8.xpt": MOMENTS,
    "statfiles/basic/hebrews.sav": Table(
        1, 99, columns=(number("ותק_ב", 0, 30),), codes={"ותק_ב": [30, 30, 15, 30, 28, 0]}
    ),
    "statfiles/basic/ordered_category.sav": Table(
        1, 4, columns=(category("Col1", "1", "2", "3"),), codes={"Col1": [0, 1, 2, 1]}
    ),
    "statfiles/basic/sample.dta": sample(),
    "statfiles/basic/sample.por": sample(capitals=True),
    "statfiles/basic/sample.sas7bdat": sample(),
    "statfiles/basic/sample.sav": sample(),
    "statfiles/basic/sample.xpt": sample(capitals=True),
    "statfiles/basic/sample.zsav": sample(),
    "statfiles/basic/sample_bincompressed.sas7bdat": sample(),
    "statfiles/basic/sample_large.sav": sample(485),
    "statfiles/basic/sample_missing.sav": sample(7, tail=2),
    "statfiles/basic/sas.xpt5": Table(
        1, 10, "I", 10, (number("I", 1, 10),), {"I": list(TO_TEN)}, other="xport"
    ),
    "statfiles/basic/sas.xpt8": Table(1, 10, "i", 10, (number("i", 1, 10),), {"i": list(TO_TEN)}),
    "statfiles/basic/tegulu.sav": Table(
        2,
        1,
        "record",
        1,
        (number("record", 0, 300), category("Q16br9oe_Q24br9oe", "నేను గతంలో వాడిన బ")),
        {"record": [210], "Q16br9oe_Q24br9oe": [0]},
    ),
    "statfiles/basic/test_file_label_linux.sas7bdat": LABELLED,
    "statfiles/basic/test_file_label_win.sas7bdat": LABELLED,
    "statfiles/basic/test_width.sav": Table(
        4,
        5,
        "ResponseId",
        5,
        (number("Duration__in_seconds_", 0, 2_500, "10"), category("Finished", "1", "2")),
        # 2,611 is clamped.
        {"Duration__in_seconds_": [94, 88, 201, 250, 96], "Finished": [1] * 5},
    ),
    "statfiles/missing_data/missing_char.sav": Table(
        1, 2, columns=(category("mychar", "a"),), codes={"mychar": [MISSING, 0]}
    ),
    "statfiles/missing_data/missing_formats.sas7bcat": CATALOGUE,
    "statfiles/missing_data/missing_test.dta": ALL_MISSING,
    "statfiles/missing_data/missing_test.sas7bdat": ALL_MISSING,
    "statfiles/missing_data/missing_test.sav": Table(
        1, 2, columns=(number("var1", 0, 9),), codes={"var1": [MISSING, 2]}
    ),
    "statfiles/multiple_response/simple_alltypes.sav": Table(
        12,
        6,
        columns=(
            number("x", 1, 4),
            day("y", 1900, 2000),
            number("z", 0, 5, "0.5"),
            category("str", "red", "green", "NA"),
            YesNoColumn("bool1", ("1",), ("0",)),
            category("ca_subvar_3", "a", "b", "c", "d"),
        ),
        codes={
            "x": [0, 1, 2, 3, MISSING, 3],
            "y": [*days(1900, "2000-01-01", "2000-01-02", "1950-12-24"), OUTSIDE, -1, -1],
            "z": [MISSING, MISSING, 2, MISSING, 6, MISSING],
            "str": [0, 1, UNKNOWN, 2, MISSING, UNKNOWN],
            "bool1": [1, 1, 0, 0, MISSING, 1],
            "ca_subvar_3": [1, 2, 3, 1, 3, 3],
        },
    ),
    "statfiles/sas_catalog/test_data_linux.sas7bdat": LABELLED,
    "statfiles/sas_catalog/test_data_win.sas7bdat": LABELLED,
    "statfiles/sas_catalog/test_formats_linux.sas7bcat": CATALOGUE,
    "statfiles/sas_catalog/test_formats_win.sas7bcat": CATALOGUE,
    "statfiles/ínternátionál/sample.sas7bdat": sample(),
    "table_schema/datapackage.json": Refusal("data-file-json", "save it as CSV"),
    "synthea/conditions.csv": Table(
        6,
        8_376,
        "PATIENT",
        1_152,
        (
            day("START", 1950, 2020),
            day("STOP", 1950, 2020),
            category("CODE", "444814009", "195662009", "10509002"),
        ),
        other="csv",
    ),
    "synthea/immunizations.csv": Table(
        6,
        15_478,
        "PATIENT",
        1_169,
        (number("BASE_COST", 0, 140), category("CODE", "140", "113")),
        other="csv",
    ),
    "synthea/patients.csv": Table(
        25,
        1_171,
        "Id",
        1_171,
        (
            day("BIRTHDATE", 1920, 2019),
            number("HEALTHCARE_EXPENSES", 0, 1_000_000, "1000"),
            category("ZIP", "01013", "02143"),
            YesNoColumn("GENDER", ("F",), ("M",)),
        ),
        other="csv",
    ),
}

DOCUMENTS = (
    "README.md",
    "registry/deployments-schema.yaml",
    "registry/example-healthkit.yaml",
    "statfiles/LICENSE",
)
"""Texts that are no tables."""
