# SPDX-License-Identifier: Apache-2.0
"""A check of several tables: each file by itself, and whether rows find their partners."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.finding import Finding, Weight
from dpdesk.study.model.columns import CategoryColumn, DateColumn, NumberColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import OfCase
from dpdesk.study.model.tables import FurtherTable
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from dpdesk.texts.findings import SENTENCES, remedy, said, subject

SEX = CategoryColumn("sex", ("f", "m"), table="patients")
TAKEN = DateColumn("taken", date(2020, 1, 1), date(2024, 12, 31), table="labs")
VALUE = NumberColumn("value", Decimal(0), Decimal(20), Decimal(1), table="labs")
FIRST = replace(
    VALUE, name="first", table="", made_from=OfCase("first", "value", "taken", (), "labs")
)
STUDY = Study(
    data=DataSource("2023.csv", label="2023", more=(DataSource("2024.csv", label="2024"),)),
    unit=Unit("id", 3, case="case"),
    tables=(
        FurtherTable("patients", DataSource("patients.csv"), "pat", rows="one-per-person"),
        FurtherTable("labs", DataSource("labs.csv", separator=";"), "pat", case="stay"),
    ),
    columns=(SEX, TAKEN, VALUE, FIRST),
    queries=(Query("q", by=("sex",)), Query("r").having(statistic="mean", column="first")),
)


def written(folder: Path, shift: int = 0, case: str = "c") -> None:
    stays = [f"{number},c{number}" for number in range(100)]
    (folder / "2023.csv").write_text("\n".join(["id,case", *stays[:50]]) + "\n")
    (folder / "2024.csv").write_text("\n".join(["id,case", *stays[50:]]) + "\n")
    people = [f"{number + shift},f" for number in range(100)]
    (folder / "patients.csv").write_text("\n".join(["pat,sex", *people]) + "\n")
    labs = [f"{number};{case}{number};2020-01-01;5" for number in range(100)]
    (folder / "labs.csv").write_text("\n".join(["pat;stay;taken;value", *labs]) + "\n")


def met(folder: Path, study: Study = STUDY) -> list[tuple[str, str, str]]:
    found = check_file(study, folder)
    return [(one.table, one.code, one.amount) for one in found if one.code.startswith("rows-")]


def test_each_column_is_looked_at_in_its_own_file(tmp_path: Path) -> None:
    written(tmp_path)
    found = {one.column: one for one in check_file(STUDY, tmp_path)}
    assert found["sex"] == Finding("listed", "nearly-all", "sex", table="patients")
    assert found["value"] == Finding("numbers", "nearly-all", "value", table="labs")


def test_rows_that_find_their_partners_are_said_to(tmp_path: Path) -> None:
    written(tmp_path)
    assert met(tmp_path) == [
        ("patients", "rows-of-people", "nearly-all"),
        ("labs", "rows-meet", "nearly-all"),
    ]


@pytest.mark.parametrize(
    ("shift", "amount"), [(5, "nearly-all"), (50, "some"), (99, "hardly-any"), (100, "none")]
)
def test_stays_without_their_patient_are_said(tmp_path: Path, shift: int, amount: str) -> None:
    written(tmp_path, shift)
    assert met(tmp_path)[0] == ("patients", "rows-of-people", amount)


@pytest.mark.parametrize(
    ("ours", "theirs", "amount"),
    [
        ("long-{}-long", "LONG-{}-long", "nearly-all"),
        ("long-{}-long", "long-{}-tail", "none"),
        ("long-{}-long", "head-{}-long", "none"),
        ("{}" + 40 * "-", "{}" + 40 * "-", "nearly-all"),
        ("{}" + 40 * "-", "{}" + 41 * "-", "none"),
    ],
)
def test_ids_of_two_words_and_longer_meet_as_a_whole(
    tmp_path: Path, ours: str, theirs: str, amount: str
) -> None:
    """Beside a row without one and a short one, whose keys are of another kind."""
    written(tmp_path)
    stays = [f"{ours.format(100 + number)},c" for number in range(100)]
    (tmp_path / "2023.csv").write_text("\n".join(["id,case", ",c", "7,c", *stays]) + "\n")
    people = [f"{theirs.format(100 + number)},f" for number in range(100)]
    (tmp_path / "patients.csv").write_text("\n".join(["pat,sex", ",f", *people]) + "\n")
    alone = replace(STUDY, data=DataSource("2023.csv"), tables=STUDY.tables[:1], columns=(SEX,))
    alone = replace(alone, unit=Unit("id", 3), queries=STUDY.queries[:1])
    assert met(tmp_path, alone) == [("patients", "rows-of-people", amount)]


@pytest.mark.parametrize("empty", ["2023.csv", "2024.csv", "patients.csv", "labs.csv"])
def test_of_a_table_without_rows_nothing_is_said_but_that(tmp_path: Path, empty: str) -> None:
    """Each sentence about all of its rows would hold, and help nobody."""
    written(tmp_path)
    whole = set(check_file(STUDY, tmp_path))
    header = (tmp_path / empty).read_text().splitlines()[0]
    (tmp_path / empty).write_text(header + "\n")
    found = check_file(STUDY, tmp_path)
    (none,) = [one for one in found if one.code == "rows-none"]
    assert none.weight == Weight.SERIOUS and said(none, STUDY) == "It has no rows."
    about = {"2023.csv": "2023", "2024.csv": "2024"}.get(empty, empty.removesuffix(".csv"))
    assert subject(none, STUDY) == about
    if none.table:
        assert set(found) < whole | {none} and {one.table for one in found} >= {"patients", "labs"}
        assert [one for one in found if one.table == none.table] == [none]
    else:
        assert met(tmp_path)[1:] == [
            ("patients", "rows-of-people", "nearly-all"),
            ("labs", "rows-meet", "some"),
        ], "the other file has rows"


def test_of_a_main_table_without_rows_no_other_is_blamed(tmp_path: Path) -> None:
    written(tmp_path)
    for name in ("2023.csv", "2024.csv"):
        (tmp_path / name).write_text("id,case\n")
    assert met(tmp_path) == 2 * [("", "rows-none", "")]


def test_rows_without_ids_are_rows_that_meet_nobody(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "labs.csv").write_text("pat;stay;taken;value\n" + ";c;2020-01-01;5\n" * 30)
    assert met(tmp_path)[1] == ("labs", "rows-meet", "none")


def test_equal_case_numbers_of_other_people_do_not_meet(tmp_path: Path) -> None:
    written(tmp_path)
    lines = (tmp_path / "labs.csv").read_text().splitlines()
    moved = [f"{(at + 1) % 100};c{at};2020-01-01;5" for at in range(100)]
    (tmp_path / "labs.csv").write_text("\n".join([lines[0], *moved]) + "\n")
    assert met(tmp_path)[1] == ("labs", "rows-meet", "none")
    over_people = replace(STUDY.tables[1], case="")
    alone = replace(STUDY, tables=(STUDY.tables[0], over_people), columns=(SEX,))
    assert met(tmp_path, alone)[1] == ("labs", "rows-meet", "nearly-all")


def test_a_finding_names_its_table_and_its_file(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "2024.csv").write_text("id,case\n" + ",c\n" * 30)
    missing = next(one for one in check_file(STUDY, tmp_path) if one.code == "ids-missing")
    assert (missing.table, missing.file) == ("", 2)
    assert subject(missing, STUDY) == "2024, id"
    written(tmp_path, case="x")
    labs = next(one for one in check_file(STUDY, tmp_path) if one.code == "rows-meet")
    assert f"{subject(labs, STUDY)}: {said(labs, STUDY)}" == (
        "labs: none of its rows belongs to rows of the main table."
    )
    assert "case number" in remedy(labs)


def test_a_file_that_lacks_a_column_of_another_is_no_mistake(tmp_path: Path) -> None:
    """One that no file has is, and so is a file without ids."""
    written(tmp_path)
    ward = CategoryColumn("ward", ("A",))
    study = replace(STUDY, columns=(*STUDY.columns, ward), queries=(Query("q", by=("ward",)),))
    assert refused(study, tmp_path) == [("$.columns[4]", "data-column-absent")]
    (tmp_path / "2024.csv").write_text("ward,id,case\n" + "A,1,c1\n" * 20)
    found = {(one.file, one.code) for one in check_file(study, tmp_path) if one.column == "ward"}
    assert found == {(1, "column-absent"), (2, "listed")}, "and it is said"
    (tmp_path / "2024.csv").write_text("ward,case\nA,c1\n")
    assert refused(study, tmp_path) == [("$.unit.person", "data-column-absent-in")]


def test_a_table_without_its_file_is_refused_at_its_place(tmp_path: Path) -> None:
    written(tmp_path)
    (tmp_path / "labs.csv").unlink()
    assert refused(STUDY, tmp_path) == [("$.tables[1].data.path", "data-file-missing")]
    (tmp_path / "2024.csv").unlink()
    assert refused(STUDY, tmp_path) == [("$.data.more[0].path", "data-file-missing")]
    written(tmp_path)
    (tmp_path / "patients.csv").write_text("person,sex\n1,f\n")
    assert refused(STUDY, tmp_path) == [("$.tables[0].person", "data-column-absent")]


def refused(study: Study, folder: Path) -> list[tuple[str, str]]:
    with pytest.raises(Refused) as found:
        check_file(study, folder)
    return [(problem.path, problem.code) for problem in found.value.problems]


def test_each_amount_has_its_sentence() -> None:
    for code in ("rows-meet", "rows-of-people"):
        for amount in ("nearly-all", "some", "hardly-any", "none"):
            assert f"{code}-{amount}" in SENTENCES
