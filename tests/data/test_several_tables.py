# SPDX-License-Identifier: Apache-2.0
"""Several tables from file to codes, beside a reader that goes through one person's rows."""

from __future__ import annotations

import csv
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.missing_and_invalid import MISSING
from dpdesk.data.encoding.table import EncodedTable, check_public_count
from dpdesk.study.model.columns import (
    CategoryColumn,
    Column,
    DateColumn,
    NumberColumn,
    Replace,
    YesNoColumn,
)
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import BesideRow, FileLabel, OfCase, OfPerson, TimeBetween
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, IdShape, Unit
from dpdesk.study.problem import Refused
from tests.data.workbooks import write_workbook

FIRST = date(2020, 1, 1)
WARDS, SEXES = ("A", "B"), ("F", "M")


def number(name: str, made: Any = None, upper: int = 100, **more: Any) -> NumberColumn:
    return NumberColumn(name, Decimal(0), Decimal(upper), Decimal(1), made_from=made, **more)


def days(name: str, **more: Any) -> DateColumn:
    return DateColumn(name, FIRST, date(2020, 1, 30), **more)


COLUMNS: tuple[Column, ...] = (
    CategoryColumn("ward", WARDS),
    days("day"),
    CategoryColumn("year", ("one", "two"), made_from=FileLabel()),
    CategoryColumn("sex", SEXES, table="patients"),
    days("born", table="patients"),
    number("value", table="labs"),
    days("taken", table="labs", in_file="day"),
    number("labs of stay", OfCase("count", table="labs")),
    number("first of stay", OfCase("first", "value", "taken", table="labs")),
    number("most of stay", OfCase("largest", "value", table="labs")),
    number("labs", OfPerson("count", table="labs"), 1_000),
    number("all values", OfPerson("sum", "value", table="labs"), 10_000),
    number("stays", OfPerson("count")),
    YesNoColumn(
        "ever in A", ("yes",), ("no",), made_from=OfPerson("any", where=(IsIn("ward", ("A",)),))
    ),
    number("age", TimeBetween(("born", "day"))),
    number("lab before", BesideRow("previous", "taken", "value")),
    number("most before", OfPerson("largest", "lab before", table="labs")),
)
UNIT = Unit("pid", 1_000, case="case")
STUDY = Study(
    data=DataSource("one.csv", label="one", more=(DataSource("two.csv", label="two"),)),
    unit=UNIT,
    tables=(
        FurtherTable(
            "patients", DataSource("patients.csv"), "id", rows="one-per-person", keep="smallest"
        ),
        FurtherTable("labs", DataSource("labs.parquet", "parquet"), "patient", "stay no"),
    ),
    columns=COLUMNS,
    queries=(Query("people", of="people"),),
)
LONG = "a case number of many signs"
CASES = ("7", "07", "9", LONG.upper(), "")
Cells = dict[str, str]


def written(folder: Path, name: str, rows: Sequence[Cells], header: Sequence[str]) -> None:
    with (folder / name).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, header)
        writer.writeheader()
        writer.writerows(rows)


def write_all(folder: Path, tables: dict[str, list[Cells]]) -> None:
    """Each file of the study."""
    for name in ("one", "two"):
        written(folder, f"{name}.csv", tables[name], ("pid", "case", "ward", "day"))
    written(folder, "patients.csv", tables["patients"], ("sex", "id", "born"))
    header = ("patient", "stay no", "value", "day")
    columns = {key: pa.array([row[key] for row in tables["labs"]], pa.string()) for key in header}
    pq.write_table(pa.table(columns), folder / "labs.parquet")


def made_up(dice: random.Random, ids: Sequence[str], most: int = 8) -> dict[str, list[Cells]]:
    def day() -> str:
        return dice.choice(["", *((FIRST + timedelta(n)).isoformat() for n in range(5))])

    def rows(make: Any) -> list[Cells]:
        return [make(dice.choice(ids)) for _ in range(dice.randint(0, most))]

    def stay(one: str) -> Cells:
        case = dice.choice(["7", "8", LONG, ""])
        return {"pid": one, "case": case, "ward": dice.choice([*WARDS, ""]), "day": day()}

    def lab(one: str) -> Cells:
        value, case = dice.choice(["", "1", "2", "99"]), dice.choice(CASES)
        return {"patient": one, "stay no": case, "value": value, "day": day()}

    return {
        "one": rows(stay),
        "two": rows(stay),
        "patients": rows(lambda one: {"id": one, "sex": dice.choice([*SEXES, ""]), "born": day()}),
        "labs": rows(lab),
    }


# --- a reader of one person's rows ----------------------------------------------------------------


def place(cell: str, values: Sequence[str]) -> int:
    return values.index(cell) if cell else MISSING


def day_of(cell: str) -> int:
    return (date.fromisoformat(cell) - FIRST).days if cell else MISSING


def whole(cell: str) -> int:
    return int(cell) if cell else MISSING


def case_of(cell: str) -> str:
    return cell.lower().lstrip("0")


def smallest(codes: Sequence[int]) -> int:
    return min((code for code in codes if code >= 0), default=MISSING)


def largest(codes: Sequence[int]) -> int:
    return max(codes, default=MISSING)


def before(labs: list[Cells]) -> list[int]:
    """The value of the lab before each one."""
    order = sorted(
        (row for row in labs if row["day"]), key=lambda row: (row["day"], whole(row["value"]))
    )
    return [whole(row["value"]) for row in order[:-1]]


def person_codes(tables: dict[str, list[Cells]], one: str) -> dict[str, int]:
    """What all of a person's rows say."""
    mine = {
        name: [row for row in rows if one in (row.get("pid"), row.get("id"), row.get("patient"))]
        for name, rows in tables.items()
    }
    stays, labs = mine["one"] + mine["two"], mine["labs"]
    values = [whole(row["value"]) for row in labs if row["value"]]
    return {
        "sex": smallest([place(row["sex"], SEXES) for row in mine["patients"]]),
        "born": smallest([day_of(row["born"]) for row in mine["patients"]]),
        "labs": len(labs),
        "all values": sum(values) if values else MISSING,
        "stays": len(stays),
        "ever in A": int(any(row["ward"] == "A" for row in stays)),
        "most before": largest(before(labs)),
    }


def expected(tables: dict[str, list[Cells]]) -> tuple[Counter[Any], Counter[Any]]:
    """The rows of the main table, and those of the table of people."""
    everybody = {r["pid"] for r in tables["one"] + tables["two"]}
    everybody |= {r["id"] for r in tables["patients"]} | {r["patient"] for r in tables["labs"]}
    people = {one: person_codes(tables, one) for one in everybody - {""}}
    nobody = dict.fromkeys(person_codes(tables, "no such person"), MISSING)
    rows = []
    for label, file in enumerate(("one", "two")):
        for row in tables[file]:
            own = people.get(row["pid"], nobody)
            day = day_of(row["day"])
            age = MISSING if day < 0 or own["born"] < 0 else max(day - own["born"], 0)
            codes = {"ward": place(row["ward"], WARDS), "day": day, "year": label, "age": age}
            rows.append(codes | of_case(tables, row) | own)
    return Counter(map(frozen, rows)), Counter(map(frozen, people.values()))


def of_case(tables: dict[str, list[Cells]], row: Cells) -> dict[str, int]:
    if not row["pid"] or not row["case"]:
        return dict.fromkeys(("labs of stay", "first of stay", "most of stay"), MISSING)
    labs = [
        lab
        for lab in tables["labs"]
        if lab["patient"] == row["pid"] and case_of(lab["stay no"]) == case_of(row["case"])
    ]
    ordered = sorted((r["day"], whole(r["value"])) for r in labs if r["day"] and r["value"])
    return {
        "labs of stay": len(labs),
        "first of stay": ordered[0][1] if ordered else MISSING,
        "most of stay": largest([whole(r["value"]) for r in labs]),
    }


def frozen(codes: dict[str, int]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(codes.items()))


def rows_of(table: EncodedTable, study: Study, home: tuple[str, ...]) -> Counter[Any]:
    names = [c.name for c in study.columns if study.homes[c.name] in home]
    codes = {name: table.column(name).codes.tolist() for name in names}
    return Counter(frozen({n: codes[n][at] for n in names}) for at in range(len(table.persons())))


def test_each_row_is_what_its_persons_rows_in_all_tables_say(tmp_path: Path) -> None:
    dice = random.Random(35)
    for _ in range(60):
        tables = made_up(dice, ("1", "2", "3", "4", ""), dice.choice([3, 8, 20]))
        write_all(tmp_path, tables)
        table = encode(STUDY, tmp_path)
        with_id = {f: [r for r in tables[f] if r["pid"]] for f in ("one", "two")}
        # Rows without an id are in no query of rows.
        rows, people = expected({**tables, **with_id})
        assert rows_of(table, STUDY, ("", "(people)")) == rows, tables
        assert rows_of(table.of_people(), STUDY, ("(people)",)) == people, tables
        assert table.people() == sum(people.values())
        keys = table.keys()
        assert keys is not None
        assert len(keys) == table.people()


# --- files of one table ---------------------------------------------------------------------------


def files_study(*sources: DataSource, **unit: Any) -> Study:
    first, *rest = sources
    columns = (number("n", missing=Replace(Decimal(9))), CategoryColumn("c", ("a", "b")))
    data = replace(first, more=tuple(rest))
    return Study(data=data, unit=Unit("pid", 5, **unit), columns=columns)


def texts(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")


def codes(table: EncodedTable, name: str) -> list[int]:
    found: list[int] = table.column(name).codes.tolist()
    return found


def test_each_file_is_read_as_it_says_itself(tmp_path: Path) -> None:
    texts(tmp_path, one="pid,n,c\n1,5,a\n", two="c;more;n;pid\nb;x;6;2\n")
    table = encode(
        files_study(DataSource("one.csv"), DataSource("two.csv", separator=";")), tmp_path
    )
    assert codes(table, "n") == [5, 6]
    assert codes(table, "c") == [0, 1]


def test_sheets_of_a_workbook_and_a_text_are_one_table(tmp_path: Path) -> None:
    """Ids that a sheet holds as numbers are those of the text, and dates are days."""
    first = [["pid", "day"], [1, datetime(2020, 1, 3)], [None, datetime(2020, 1, 4)]]
    second = [["note", "pid", "day"], ["x", 2.0, date(2020, 1, 5)]]
    write_workbook(tmp_path / "ward.xlsx", {"A": first, "B": second})
    texts(tmp_path, one="pid,day\n01,2020-01-07\n")
    sheets = [DataSource("ward.xlsx", "excel", sheet=name, header_row=1) for name in "AB"]
    data = replace(sheets[0], fill_down=True, more=(sheets[1], DataSource("one.csv")))
    last = days("last day", made_from=OfPerson("last", "day", "day"))
    study = Study(data=data, unit=Unit("pid", 9), columns=(days("day"), last))
    table = encode(study, tmp_path)
    assert codes(table, "day") == [2, 3, 4, 6]
    assert codes(table, "last day") == [6, 6, 4, 6]
    assert table.people() == 2


def test_a_column_that_a_file_lacks_is_missing_there(tmp_path: Path) -> None:
    texts(tmp_path, one="pid,c\n1,a\n", two="pid,n\n2,6\n")
    study = files_study(DataSource("one.csv"), DataSource("two.csv"))
    table = encode(study, tmp_path)
    assert codes(table, "n") == [MISSING, 6]
    assert table.column("n").counted().tolist() == [9, 6]
    assert codes(table, "c") == [0, MISSING]
    for lacking in ("n", "c"):
        texts(tmp_path, one="pid,k\n1,a\n", two=f"pid,{'c' if lacking == 'n' else 'n'}\n2,6\n")
        with pytest.raises(Refused) as refused:
            encode(study, tmp_path)
        assert [p.params["name"] for p in refused.value.problems] == [lacking]


def test_the_column_of_people_is_in_every_file(tmp_path: Path) -> None:
    texts(tmp_path, one="pid,n,c\n1,5,a\n", two="n,c\n6,b\n")
    with pytest.raises(Refused) as refused:
        encode(files_study(DataSource("one.csv"), DataSource("two.csv")), tmp_path)
    assert [p.path for p in refused.value.problems] == ["$.unit.person"]


def test_nobody_is_filled_down_into_the_next_file(tmp_path: Path) -> None:
    texts(tmp_path, one="pid,n,c\n1,5,a\n,6,a\n", two="pid,n,c\n,7,b\n2,8,b\n,9,b\n")
    study = files_study(DataSource("one.csv", fill_down=True), DataSource("two.csv"))
    table = encode(study, tmp_path)
    assert codes(table, "n") == [5, 6, 8, 9]
    assert table.people() == 2


def test_how_far_all_files_are_never_goes_back(tmp_path: Path) -> None:
    texts(tmp_path, one="pid,n,c\n1,5,a\n", two="pid,n,c\n2,6,b\n" * 50)
    seen: list[tuple[int, int]] = []
    study = files_study(DataSource("one.csv"), DataSource("two.csv"))
    encode(study, tmp_path, lambda done, total: seen.append((done, total)))
    size = sum((tmp_path / f"{name}.csv").stat().st_size for name in ("one", "two"))
    assert {total for _, total in seen} == {size}
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert seen[-1][0] == size


# --- who is there ---------------------------------------------------------------------------------


def people_of(folder: Path, study: Study) -> int:
    return encode(study, folder).people()


def test_the_public_number_is_that_of_the_ids_in_all_tables(tmp_path: Path) -> None:
    write_all(tmp_path, made_up(random.Random(3), ("1", "2", "3", "5")))
    dice = random.Random(1)
    tables = made_up(dice, ("1",), 2) | {"labs": [lab_of("4"), lab_of("5"), lab_of("")]}
    tables["one"] = [{"pid": "1", "case": "", "ward": "", "day": ""}]
    tables["patients"] = [{"id": "6", "sex": "F", "born": ""}]
    write_all(tmp_path, tables)
    for pools, people in (("drop", 4), ("one-person", 5)):
        unit: Any = {"neighbours": "change-one", "people": people, "without_id": pools}
        study = replace(STUDY, unit=replace(UNIT, **unit))
        check_public_count(encode(study, tmp_path), study)
        other = replace(study, unit=replace(study.unit or UNIT, people=people - 1))
        with pytest.raises(Refused):
            check_public_count(encode(other, tmp_path), other)


def lab_of(one: str) -> Cells:
    return {"patient": one, "stay no": "", "value": "1", "day": ""}


def test_ids_of_another_shape_are_none_in_any_table(tmp_path: Path) -> None:
    ids = ("P01", "p02", "P3", "Total", "P01x", " P\u06600\u200b4", "")
    tables = {
        "one": [{"pid": one, "case": "", "ward": "", "day": ""} for one in ids],
        "two": [],
        "patients": [{"id": one, "sex": "F", "born": ""} for one in (*ids, "P05")],
        "labs": [lab_of(one) for one in (*ids, "P06", "7")],
    }
    write_all(tmp_path, tables)
    shaped = replace(UNIT, id_shape=IdShape("P", "digits", 2, 3))
    table = encode(replace(STUDY, unit=shaped), tmp_path)
    # P01, P02, P04 as another script writes it, P05 and P06.
    assert table.people() == 5
    assert len(table.persons()) == 3
    assert sorted(codes(table.of_people(), "labs")) == [0, 1, 1, 1, 1]


def test_of_a_table_of_people_the_declared_row_counts(tmp_path: Path) -> None:
    """By what the rows hold, in any order; a row without a day comes last, and no cell is made."""
    rows = [("M", 3), ("F", 4), ("", 1), ("F", None)]
    tables = made_up(random.Random(2), ("1",), 0)
    tables["one"] = [{"pid": "1", "case": "", "ward": "", "day": ""}]
    tables["labs"] = [lab_of("9")]
    for keep, sex in (("smallest", 0), ("first", 1), ("last", 0)):
        further: Any = {"keep": keep, "by": None if keep == "smallest" else "born"}
        study = replace(STUDY, tables=(replace(STUDY.tables[0], **further), STUDY.tables[1]))
        for order in (rows, rows[::-1]):
            tables["patients"] = [
                {
                    "id": "1",
                    "sex": one,
                    "born": "" if at is None else (FIRST + timedelta(at)).isoformat(),
                }
                for one, at in order
            ]
            write_all(tmp_path, tables)
            assert codes(encode(study, tmp_path), "sex") == [sex]
        tables["patients"] = [{"id": "1", "sex": "M", "born": ""}]
        write_all(tmp_path, tables)
        assert codes(encode(study, tmp_path), "sex") == [1]


def test_a_cell_that_a_rule_leaves_out_is_left_out_of_people_too(tmp_path: Path) -> None:
    """A missing one is replaced, one that cannot be read is dropped: each by its own rule."""
    column = number("n", table="patients", missing=Replace(Decimal(3)))
    study = replace(STUDY, columns=(*COLUMNS[:2], replace(column, in_file="sex")))
    tables = made_up(random.Random(2), ("1",), 0)
    tables["one"] = [{"pid": one, "case": "", "ward": "", "day": ""} for one in "123"]
    tables["patients"] = [
        {"id": one, "sex": cell, "born": ""} for one, cell in (("1", "x"), ("2", ""))
    ]
    write_all(tmp_path, tables)
    found = encode(study, tmp_path).column("n").counted().tolist()
    assert found[0] < 0
    assert found[1:] == [3, 3]


def test_people_are_recognised_without_any_column(tmp_path: Path) -> None:
    """Whose the data are is asked before a release, of the ids of all tables alone."""
    further = replace(STUDY.tables[0], keep="first", by="born")
    study = replace(STUDY, tables=(further, *STUDY.tables[1:]))
    write_all(tmp_path, made_up(random.Random(4), ("1", "2", "3", ""), 20))
    whole, alone = (
        encode(one, tmp_path) for one in (study, replace(study, columns=(), queries=()))
    )
    assert (whole.keys() == alone.keys()).all()  # type: ignore[union-attr]
    assert alone.people() == 3
