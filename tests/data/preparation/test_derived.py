# SPDX-License-Identifier: Apache-2.0
"""Derived columns of a file: from its cells to codes, beside pandas, in any order of rows."""

from __future__ import annotations

import random
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpdesk.data.encode import encode
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import Between
from dpdesk.study.model.document import Study
from dpdesk.study.model.steps.step import (
    Arithmetic,
    BesideRow,
    CodePrefix,
    DatePart,
    Holds,
    Operand,
    RecodeEntry,
    TimeBetween,
)
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused

ROWS = 4_000
BORN = DateColumn("born", date(1900, 1, 1), date(2024, 12, 31))
ADMITTED = DateColumn("admitted", date(2020, 1, 1), date(2024, 12, 31))
LEFT = DateColumn("left", date(2020, 1, 1), date(2025, 12, 31))
WEIGHT = NumberColumn("weight", Decimal(0), Decimal(300), Decimal("0.1"))
HEIGHT = NumberColumn("height", Decimal("0.5"), Decimal("2.5"), Decimal("0.01"))
STAY = NumberColumn(
    "stay", Decimal(0), Decimal(60), Decimal(1), made_from=TimeBetween(("admitted", "left"))
)
AGE = NumberColumn(
    "age",
    Decimal(0),
    Decimal(110),
    Decimal(1),
    made_from=TimeBetween(("born", "admitted"), "years"),
)
BMI = NumberColumn(
    "bmi",
    Decimal(10),
    Decimal(60),
    Decimal("0.1"),
    made_from=Arithmetic("divide", (Operand("weight"), Operand("height", 2))),
)
CHAPTER = CategoryColumn(
    "chapter",
    ("IX", "II", "none"),
    unknown=Replace("none"),
    made_from=CodePrefix(
        "diag", (RecodeEntry("IX", ("I00-I99",)), RecodeEntry("II", ("C00-D48",)))
    ),
)
OLD = YesNoColumn(
    "old",
    ("yes",),
    ("no",),
    made_from=Holds((Between("age", Decimal(65), Decimal(110)), Between("stay", 1, 60))),  # type: ignore[arg-type]
)
MONTH = CategoryColumn(
    "month", tuple(map(str, range(1, 13))), made_from=DatePart("month", "admitted")
)
COLUMNS: tuple[Column, ...] = (
    *(OLD, BMI, AGE, BORN, ADMITTED, LEFT, WEIGHT, HEIGHT, STAY, CHAPTER, MONTH),
)
"""Derived ones before what they are made of: the order of declaration does not matter."""

STUDY = Study(data=DataSource("stays.csv"), unit=Unit("pid", 3), columns=COLUMNS)


def made_up() -> pd.DataFrame:
    dice = random.Random(5)
    admitted = [date(2020, 1, 1) + timedelta(dice.randrange(1_800)) for _ in range(ROWS)]
    codes = ["I21.0", "i10", "C50.9", "D48*", "D49", "A17.0\u2020", "I", "", "9", "I99.9"]
    return pd.DataFrame(
        {
            "pid": [dice.randrange(ROWS) for _ in range(ROWS)],
            "born": [date(1905, 1, 1) + timedelta(dice.randrange(40_000)) for _ in range(ROWS)],
            "admitted": admitted,
            "left": [day + timedelta(dice.randrange(70)) for day in admitted],
            "weight": [f"{dice.randrange(400, 1500) / 10:.1f}" for _ in range(ROWS)],
            "height": [f"{dice.randrange(140, 210) / 100:.2f}" for _ in range(ROWS)],
            "diag": dice.choices(codes, k=ROWS),
        }
    )


def codes_of(study: Study, folder: Path) -> dict[str, list[int]]:
    table = encode(study, folder)
    return {column.name: table.column(column.name).codes.tolist() for column in study.columns}


def test_every_derived_cell_is_what_pandas_says(tmp_path: Path) -> None:
    frame = made_up()
    frame.to_csv(tmp_path / "stays.csv", index=False)
    alone = Study(data=STUDY.data, unit=Unit(), columns=COLUMNS)
    found = codes_of(alone, tmp_path)
    born, admitted, left = (pd.to_datetime(frame[name]) for name in ("born", "admitted", "left"))
    stay = (left - admitted).dt.days.clip(0, 60)
    assert found["stay"] == stay.tolist()
    before = (admitted.dt.month * 100 + admitted.dt.day) < (born.dt.month * 100 + born.dt.day)
    age = admitted.dt.year - born.dt.year - before
    assert found["age"] == age.clip(0, 110).tolist()
    bmi = frame["weight"].astype(float) / frame["height"].astype(float) ** 2
    assert np.abs(np.array(found["bmi"]) / 10 + 10 - bmi.clip(10, 60)).max() <= 0.05 + 1e-9
    old = (age >= 65) & (stay >= 1)
    assert found["old"] == old.astype(int).tolist()
    assert found["month"] == (admitted.dt.month - 1).tolist()
    first = frame["diag"].str.upper().str[:3]
    chapter = np.where((first >= "I00") & (first <= "I99"), 0, 2)
    chapter = np.where((first >= "C00") & (first <= "D48"), 1, chapter)
    assert found["chapter"] == np.where(frame["diag"] == "", -1, chapter).tolist()


WAIT = NumberColumn(
    "wait",
    Decimal(-48),
    Decimal(96),
    Decimal("0.25"),
    made_from=TimeBetween(("arrived", "seen"), "hours"),
)
HOUR = NumberColumn(
    "hour", Decimal(0), Decimal(23), Decimal(1), made_from=DatePart("hour", "arrived")
)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_hours_are_what_pandas_says(kind: str, tmp_path: Path) -> None:
    dice = random.Random(6)
    start = pd.Timestamp("2024-03-01")
    arrived = [start + pd.Timedelta(seconds=dice.randrange(40 * 86_400)) for _ in range(2_000)]
    seen = [at + pd.Timedelta(seconds=dice.randrange(-20_000, 200_000)) for at in arrived]
    frame = pd.DataFrame({"arrived": arrived, "seen": seen})
    if kind == "csv":
        frame.to_csv(tmp_path / "f.csv", index=False)
    else:
        frame.to_parquet(tmp_path / "f.parquet")
    days = [DateColumn(name, date(2024, 2, 1), date(2024, 6, 30)) for name in frame]
    data = DataSource(f"f.{kind}", kind)  # type: ignore[arg-type]
    study = Study(data=data, unit=Unit(), columns=(*days, WAIT, HOUR))
    codes = codes_of(study, tmp_path)
    hours = (frame["seen"] - frame["arrived"]).dt.total_seconds() / 3_600
    quarters = np.sign(hours) * np.floor(np.abs(hours) * 4 + 0.5)
    assert codes["wait"] == (quarters.clip(-192, 384) + 192).astype(int).tolist()
    assert codes["hour"] == frame["arrived"].dt.hour.tolist()


def test_a_day_without_a_time_has_no_hour(tmp_path: Path) -> None:
    cells = ["2024-03-01", "2024-03-01 00:00", "2024-03-01T23:59:60Z", "2024-03-01 24:00", ""]
    lines = "".join(f"{cell},2024-03-02 01:00:00.5\n" for cell in cells)
    (tmp_path / "f.csv").write_text("arrived,seen\n" + lines)
    days = [DateColumn(n, date(2024, 2, 1), date(2024, 6, 30)) for n in ("arrived", "seen")]
    study = Study(data=DataSource("f.csv"), unit=Unit(), columns=(*days, WAIT, HOUR))
    codes = codes_of(study, tmp_path)
    assert codes["hour"] == [-1, 0, 23, -1, -1]
    assert [code if code < 0 else code / 4 - 48 for code in codes["wait"]] == [-1, 25, 1, -1, -1]


def test_no_order_of_rows_changes_what_is_kept(tmp_path: Path) -> None:
    """Ties of priorities are settled by what rows hold, derived columns included."""
    frame = made_up()
    kept = []
    for seed in (1, 2):
        frame.sample(frac=1, random_state=seed).to_csv(tmp_path / "stays.csv", index=False)
        table = encode(STUDY, tmp_path, priorities=lambda rows: np.zeros(rows, np.uint32))
        columns = [table.column(column.name).codes for column in STUDY.columns]
        kept.append(sorted(zip(*(codes.tolist() for codes in columns), strict=True)))
    assert kept[0] == kept[1]


def test_rows_that_hold_the_same_are_numbered_by_their_priorities(tmp_path: Path) -> None:
    """The limit keeps one by its priority: its number must not follow the file's order."""
    day = DateColumn("day", date(2024, 1, 1), date(2024, 12, 31))
    number = NumberColumn(
        "number", Decimal(1), Decimal(9), Decimal(1), made_from=BesideRow("number", "day")
    )
    unit = Unit("pid", max_rows=1)
    study = Study(data=DataSource("f.csv"), unit=unit, columns=(day, number))
    dice, kept = random.Random(4), set()
    lines = [("1,2024-02-03", priority) for priority in (50, 10, 30, 20, 40)]
    for _ in range(8):
        order = dice.sample(lines, len(lines))
        (tmp_path / "f.csv").write_text("pid,day\n" + "".join(f"{row}\n" for row, _ in order))
        drawn = np.array([priority for _, priority in order], np.uint64)
        table = encode(study, tmp_path, priorities=lambda _rows, drawn=drawn: drawn)  # type: ignore[misc]
        kept.add(tuple(table.column("number").codes.tolist()))
    assert kept == {(0,)}  # that of the smallest priority


def test_a_code_column_that_the_file_lacks_is_reported_at_the_step(tmp_path: Path) -> None:
    made_up().drop(columns="diag").to_csv(tmp_path / "stays.csv", index=False)
    with pytest.raises(Refused) as refused:
        encode(STUDY, tmp_path)
    assert [(p.path, p.code) for p in refused.value.problems] == [
        ("$.columns[9].from.codes", "data-column-absent")
    ]
