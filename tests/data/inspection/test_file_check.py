# SPDX-License-Identifier: Apache-2.0
"""What a check says of a file: coarse words of its lines, ids and columns, and hardly a line."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import openpyxl
import pandas as pd
import pyreadstat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dpdesk.data.inspection.file_check import check_file
from dpdesk.data.inspection.finding import Finding, Weight
from dpdesk.data.inspection.recognise import recognise
from dpdesk.data.progress import Cancelled, CancelToken
from dpdesk.study.model.columns import CategoryColumn, Column, DateColumn, NumberColumn, YesNoColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.steps.step import CodePrefix, DatePart, RecodeEntry
from dpdesk.study.model.unit import DataSource, Unit
from dpdesk.study.problem import Refused
from dpdesk.texts import findings
from dpdesk.texts.findings import SENTENCES
from dpdesk.texts.problems import SENTENCES as PROBLEMS

STAY = NumberColumn("stay", Decimal(0), Decimal(10), Decimal(1))
DAY = DateColumn("day", date(2020, 1, 1), date(2020, 12, 31), "MM/DD/YYYY")
SEX = CategoryColumn("sex", ("male", "female"))
ILL = YesNoColumn("ill", ("yes",), ("no",))
HEART = RecodeEntry("heart", ("390-459",))
CHAPTER = CategoryColumn("chapter", ("heart",), made_from=CodePrefix("diag", (HEART,), digits=3))


def study_of(column: Column, **data: object) -> Study:
    """A study that asks of one column, whatever its kind."""
    query = Query("q", "count", where=(IsIn(column.name, ("x",)),))
    source = DataSource("table.csv", missing=("?",), **data)  # type: ignore[arg-type]
    return Study(data=source, unit=Unit(), columns=(column,), queries=(query,))


def found(folder: Path, column: Column, cells: list[str], **data: object) -> list[Finding]:
    """What is said of a column that holds these cells."""
    lines = [column.header or "", *(f'"{cell}"' for cell in cells)]
    (folder / "table.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(check_file(study_of(column, **data), folder))


@pytest.mark.parametrize(
    ("good", "bad", "amount", "line"),
    [
        (100, 0, "nearly-all", None),
        (95, 5, "nearly-all", None),
        (94, 6, "some", None),
        (5, 95, "some", None),
        (4, 96, "hardly-any", 6),
        (1, 99, "hardly-any", 3),
        (0, 100, "none", 2),
    ],
)
@pytest.mark.parametrize(
    ("column", "yes", "no"),
    [
        (STAY, "7", "seven"),
        (STAY, "1e0", "1,5,6"),
        (DAY, "06/04/2020", "2020-06-04"),
        (SEX, "male", "M"),
        (ILL, "no", "N"),
        (CHAPTER, "410.01", "I21.0"),
        (CHAPTER, "428", "V45"),
    ],
)
def test_columns_have_four_words_and_no_list_has_a_line(
    tmp_path: Path,
    column: Column,
    yes: str,
    no: str,
    good: int,
    bad: int,
    amount: str,
    line: int | None,
) -> None:
    said = found(tmp_path, column, [yes] * good + [no] * bad)[0]
    code = {"stay": "numbers", "day": "days", "chapter": "codes"}.get(column.name, "listed")
    shown = line if code in ("numbers", "days") else None
    assert said == Finding(code, amount, column.name, line=shown)  # type: ignore[arg-type]


@pytest.mark.parametrize("column", [STAY, DAY, SEX, ILL, CHAPTER])
def test_of_no_rows_nothing_is_said_of_columns(tmp_path: Path, column: Column) -> None:
    """ "No cell is a number" would hold of them as well as "nearly all cells are"."""
    assert found(tmp_path, column, []) == [Finding("rows-none")]


@pytest.mark.parametrize(
    ("several", "amount"), [(2, None), (10, "some"), (80, "many"), (100, "many")]
)
def test_several_codes_in_a_cell_are_said(tmp_path: Path, several: int, amount: str | None) -> None:
    cells = ["410; 250"] * several + ["410"] * (100 - several)
    said = [one for one in found(tmp_path, CHAPTER, cells) if one.code == "codes-several"]
    assert [one.amount for one in said] == ([amount] if amount else [])


def test_nothing_else_is_said_of_codes_and_nothing_of_their_markers(tmp_path: Path) -> None:
    cells = ["V45"] * 100 + ["410"] + ["?"] * 100
    assert found(tmp_path, CHAPTER, cells) == [Finding("codes", "hardly-any", "chapter")]


def test_of_other_derived_columns_what_they_are_made_of_is_checked(tmp_path: Path) -> None:
    made = NumberColumn("year", Decimal(2020), Decimal(2020), Decimal(1))
    year = replace(made, made_from=DatePart("year", "day"))
    study = replace(study_of(year), columns=(DAY, year))
    (tmp_path / "table.csv").write_text("day\n01/02/2020\n", encoding="utf-8")
    assert check_file(study, tmp_path) == (Finding("days", "nearly-all", "day"),)


def test_the_whole_list_counts_not_each_of_its_values(tmp_path: Path) -> None:
    assert found(tmp_path, SEX, ["male"] * 100) == [Finding("listed", "nearly-all", "sex")]


def test_a_typo_in_one_of_ten_values_is_some(tmp_path: Path) -> None:
    wards = CategoryColumn("ward", (*(f"ward {n}" for n in range(9)), "wrad 9"))
    cells = [f"ward {n % 10}" for n in range(200)]
    assert found(tmp_path, wards, cells) == [Finding("listed", "some", "ward")]


def amounts(said: list[Finding]) -> list[str]:
    """The code and the word of each finding."""
    return [
        finding.code
        if finding.code.startswith("seen-")
        else f"{finding.code} {finding.amount}".strip()
        for finding in said
    ]


def test_missing_cells_count_neither_way(tmp_path: Path) -> None:
    empty = ["", "?", " ? "] * 200
    assert amounts(found(tmp_path, STAY, [*empty, "3"])) == ["numbers nearly-all"]
    (said,) = found(tmp_path, STAY, [*empty, "x"])
    assert said == Finding("numbers", "none", "stay", line=602)
    marked = replace(STAY, missing_values=("99",))
    assert amounts(found(tmp_path, marked, ["99.0", "x"])) == ["numbers none"]


@pytest.mark.parametrize(
    ("inside", "outside", "word"), [(100, 0, ""), (96, 4, ""), (95, 5, "some"), (50, 50, "many")]
)
@pytest.mark.parametrize("rule", ["clamp", "drop"])
def test_what_lies_outside_bounds_and_period_is_some_or_many(
    tmp_path: Path, inside: int, outside: int, word: str, rule: str
) -> None:
    stay, day = replace(STAY, outside=rule), replace(DAY, outside=rule)  # type: ignore[arg-type]
    said = found(tmp_path, stay, ["3"] * inside + ["99"] * outside)
    assert amounts(said) == ["numbers nearly-all", *([f"outside-bounds {word}"] if word else [])]
    said = found(tmp_path, day, ["06/04/2020"] * inside + ["06/04/2021"] * outside)
    assert amounts(said) == ["days nearly-all", *([f"outside-period {word}"] if word else [])]


@pytest.mark.parametrize(
    ("on", "between", "word"), [(100, 0, ""), (96, 4, ""), (95, 5, "some"), (50, 50, "many")]
)
@pytest.mark.parametrize(
    ("whole", "half", "data"),
    [
        ("3", "0.7", {}),
        ("3.00", "3.3000000000000000000", {}),
        ("3,0", "0,05", {"decimal": ",", "separator": ";"}),
        ("3e0", "70E-2", {}),
    ],
)
def test_numbers_between_the_steps_are_some_or_many(
    tmp_path: Path, on: int, between: int, word: str, whole: str, half: str, data: dict[str, object]
) -> None:
    """Ages with decimals, rounded to whole years without a word: 1,273 for 2,108 below one."""
    wide = replace(STAY, upper=Decimal(10**8))
    said = found(tmp_path, wide, [whole] * on + [half] * between, **data)
    assert amounts(said) == ["numbers nearly-all", *([f"between-steps {word}"] if word else [])]
    assert [one.weight for one in said[1:]] == ([Weight.NOTED] if word else [])


@pytest.mark.parametrize(("upper", "weight"), [(1000, Weight.SERIOUS), (1001, Weight.NOTED)])
def test_rounding_to_fine_steps_stands_in_nobodys_way(
    tmp_path: Path, upper: int, weight: Weight
) -> None:
    """Costs in cents that are declared in whole euros are rounded by next to nothing."""
    stay = replace(STAY, lower=Decimal(0), upper=Decimal(upper))
    (_read, between) = found(tmp_path, stay, ["3.4"] * 30)
    assert (between.code, between.amount, between.weight) == ("between-steps", "many", weight)


TENTHS = NumberColumn("stay", Decimal(0), Decimal(100), Decimal("0.1"))
COMPUTED = [n * 0.1 for n in range(1001)]
"""Some of them are stored as 0.30000000000000004 and the like."""


def _parquet(path: Path, cells: list[float]) -> None:
    pd.DataFrame({"stay": cells}).to_parquet(path)


def _singles(path: Path, cells: list[float]) -> None:
    pd.DataFrame({"stay": pd.Series(cells, dtype="float32")}).to_parquet(path)


def _workbook(path: Path, cells: list[float]) -> None:
    pd.DataFrame({"stay": cells}).to_excel(path, index=False)


def _stata(path: Path, cells: list[float]) -> None:
    pd.DataFrame({"stay": pd.Series(cells, dtype="float32")}).to_stata(path, write_index=False)


def _spss(path: Path, cells: list[float]) -> None:
    pyreadstat.write_sav(pd.DataFrame({"stay": cells}), str(path))


def _text(path: Path, cells: list[float]) -> None:
    pd.DataFrame({"stay": cells}).to_csv(path, index=False)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("t.csv", _text),
        ("t.parquet", _parquet),
        ("t.parquet", _singles),
        ("t.xlsx", _workbook),
        ("t.dta", _stata),
        ("t.sav", _spss),
    ],
)
def test_a_tenth_as_a_binary_file_has_it_is_on_its_step_and_a_twentieth_is_not(
    tmp_path: Path, name: str, write: Callable[[Path, list[float]], None]
) -> None:
    assert 0.30000000000000004 in COMPUTED
    for cells, word in ((COMPUTED, ""), ([n + 0.05 for n in range(100)], "many")):
        write(tmp_path / name, cells)
        study = replace(study_of(TENTHS), data=recognise(tmp_path / name))
        said = [one for one in check_file(study, tmp_path) if one.code == "between-steps"]
        assert said == ([Finding("between-steps", word, "stay")] if word else [])  # type: ignore[arg-type]


@pytest.mark.parametrize("upper", [10, 10**6, 10**10, 10**14])
def test_how_wide_the_bounds_are_does_not_matter(tmp_path: Path, upper: int) -> None:
    cents = replace(STAY, upper=Decimal(upper), step=Decimal("0.01"))
    said = found(tmp_path, cents, ["1.25", "1.255", "1.26"])
    assert amounts(said) == ["numbers nearly-all", "between-steps some"]
    assert amounts(found(tmp_path, cents, ["1.25", "1", "0"])) == ["numbers nearly-all"]


def test_bounds_that_are_incomplete_do_not_matter(tmp_path: Path) -> None:
    unbounded = replace(STAY, lower=None, upper=None)
    incomplete = (unbounded, NumberColumn("stay"), replace(STAY, upper=None, step=None))
    odd = (replace(STAY, step=Decimal(3)), replace(STAY, lower=Decimal(11)))
    for column in (*incomplete, *odd):
        assert amounts(found(tmp_path, column, ["1", "2"])) == ["numbers nearly-all"]
    for period in (replace(DAY, first=None, last=None), replace(DAY, last=date(2019, 1, 1))):
        assert amounts(found(tmp_path, period, ["12/31/1999"])) == ["days nearly-all"]


def test_case_decides_where_it_is_declared_to(tmp_path: Path) -> None:
    folded = replace(SEX, compare="folded")
    assert amounts(found(tmp_path, SEX, ["MALE"])) == ["listed none"]
    assert amounts(found(tmp_path, folded, ["MALE"])) == ["listed nearly-all"]
    assert amounts(found(tmp_path, folded, ["M"])) == ["listed none"]


def test_the_line_is_that_of_the_file(tmp_path: Path) -> None:
    """Blank lines and titles above the header count as lines, though they are no rows."""
    text = "Title\n\nname,stay\nx,\n\n \nx,?\nx,seven\nx,eight\n"
    (tmp_path / "table.csv").write_text(text, encoding="utf-8")
    (said,) = check_file(study_of(STAY, header_row=3), tmp_path)
    assert said.line == 8


def test_a_line_far_down_is_found(tmp_path: Path) -> None:
    rows = [""] * 300_000 + ["x"]
    assert found(tmp_path, STAY, rows)[0].line == 300_002


def test_a_file_without_lines_has_rows(tmp_path: Path) -> None:
    pd.DataFrame({"stay": ["", "1", *["x"] * 30]}).to_parquet(tmp_path / "table.parquet")
    study = study_of(STAY)
    study = replace(study, data=DataSource("table.parquet", "parquet"))
    assert check_file(study, tmp_path) == (Finding("numbers", "hardly-any", "stay", row=3),)


def test_a_workbook_is_checked_too(tmp_path: Path) -> None:
    pd.DataFrame({"sex": ["M"] * 9, "stay": range(9)}).to_excel(tmp_path / "a.xlsx", index=False)
    study = replace(study_of(SEX), data=DataSource("a.xlsx", "excel", sheet="Sheet1", header_row=1))
    assert check_file(study, tmp_path) == (Finding("listed", "none", "sex"),)


def test_only_used_columns_are_looked_at(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text("stay,sex\nx,x\n", encoding="utf-8")
    study = replace(study_of(SEX), columns=(STAY, SEX))
    assert [said.column for said in check_file(study, tmp_path)] == ["sex"]
    looked_for = (Query("q", "categories-found", CategoriesFoundParameters("sex")),)
    open_study = replace(study, columns=(CategoryColumn("sex"),), queries=looked_for)
    assert check_file(open_study, tmp_path) == ()


def test_progress_is_reported_and_a_cancel_is_heeded(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    found(tmp_path, STAY, ["1"])
    check_file(study_of(STAY), tmp_path, lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == (tmp_path / "table.csv").stat().st_size
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        check_file(study_of(STAY), tmp_path, cancel=token)


def test_what_a_release_refuses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        check_file(study_of(STAY), tmp_path)
    assert refused.value.problems[0].code == "data-file-missing"
    (tmp_path / "table.csv").write_text("other\n1\n", encoding="utf-8")
    with pytest.raises(Refused) as refused:
        check_file(study_of(STAY), tmp_path)
    assert refused.value.problems[0].code == "data-column-absent"


WORDS = {"", "nearly-all", "most", "many", "some", "few", "hardly-any", "none"}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(
    cells=st.lists(st.text(st.characters(codec="utf-8"), max_size=6)),
    column=st.sampled_from([STAY, DAY, SEX, ILL]),
)
def test_whatever_the_cells_hold_nothing_but_words_and_a_line_comes_out(
    tmp_path: Path, cells: list[str], column: Column
) -> None:
    for said in found(tmp_path, column, cells):
        held = {f.name: getattr(said, f.name) for f in fields(said)}
        declared = {"fine_steps", "table", "file"}
        words_and_places = {"code", "amount", "column", "line", "row", "source", "account"}
        assert held.keys() == words_and_places | declared
        assert (
            said.source == said.account == ""
            and said.amount in WORDS
            and said.column in ("", column.name)
        )
        assert f"{said.code}-{said.amount}" in SENTENCES or said.code in SENTENCES | PROBLEMS
        if said.line is not None:
            assert said.code in ("numbers", "days") and said.amount in ("hardly-any", "none")


# --- lines and ids ------------------------------------------------------------------------------

PEOPLE = replace(study_of(STAY), unit=Unit("pid"))


def of_file(folder: Path, content: str | bytes, **data: object) -> list[str]:
    """What is said of a file of lines, but of its columns."""
    raw = content.encode() if isinstance(content, str) else content
    (folder / "table.csv").write_bytes(raw)
    study = replace(PEOPLE, data=DataSource("table.csv", **data))  # type: ignore[arg-type]
    said = check_file(study, folder)
    return amounts([f for f in said if f.code not in ("numbers", "listed", "days")])


GOOD = "pid,stay\n" + "".join(f"p{n},{n % 9}\n" for n in range(100))


def altered(count: int, change: Callable[[str], str]) -> str:
    """The good file with some of its lines changed."""
    head, *rows = GOOD.splitlines()
    return "\n".join([head, *map(change, rows[:count]), *rows[count:]]) + "\n"


def test_of_a_file_that_is_as_declared_nothing_is_said(tmp_path: Path) -> None:
    assert of_file(tmp_path, GOOD) == []
    assert of_file(tmp_path, altered(100, lambda row: f"{row},")) == [], "an empty cell at the end"


@pytest.mark.parametrize(("count", "word"), [(1, "few"), (20, "some"), (60, "most")])
@pytest.mark.parametrize(
    ("code", "change"),
    [
        ("rows-wider", lambda row: f"{row},1,2"),
        ("rows-narrower", lambda row: row.split(",")[0]),
        ("lines-open", lambda row: f'{row}"'.replace(",", ',"')[:-1]),
        ("lone-cr", lambda row: f"{row}\r"[::-1].replace(",", "\r,", 1)[::-1]),
    ],
)
def test_lines_that_are_not_as_the_header_says(
    tmp_path: Path, code: str, change: Callable[[str], str], count: int, word: str
) -> None:
    assert f"{code} {word}" in of_file(tmp_path, altered(count, change))


def test_row_names_of_r_are_named_first(tmp_path: Path) -> None:
    named = "".join(f'"{n}","p{n}",{n % 9}\n' for n in range(1, 100))
    assert of_file(tmp_path, '"pid","stay"\n' + named)[0] == "row-names"
    assert of_file(tmp_path, '"pid","stay"\n' + named, row_names=True) == []


def test_ids_that_are_filled_down_are_not_missing(tmp_path: Path) -> None:
    merged = "pid,stay\n" + "".join(f"{'' if n % 3 else n},{n % 9}\n" for n in range(99))
    assert of_file(tmp_path, merged) == ["ids-missing most"]
    assert of_file(tmp_path, merged, fill_down=True) == []
    marked = merged.replace("\n,", "\n?,")
    assert of_file(tmp_path, marked, fill_down=True, missing=("?",)) == ["ids-missing most"]


def test_formulas_that_were_never_calculated_are_named(tmp_path: Path) -> None:
    def said(formula: str) -> list[str]:
        book = openpyxl.Workbook()
        for row in (["pid", "stay"], ["p1", formula], ["p2", 3]):
            book.active.append(row)
        book.save(tmp_path / "t.xlsx")
        source = DataSource("t.xlsx", "excel", sheet="Sheet", header_row=1)
        return [f.code for f in check_file(replace(PEOPLE, data=source), tmp_path)]

    assert said("=1+1")[0] == "formulas-uncalculated"
    assert "formulas-uncalculated" not in said("2")


def test_bytes_that_the_encoding_cannot_read_are_said_of_used_columns(tmp_path: Path) -> None:
    cp1252 = GOOD.replace("p7,", "Köln,").encode("cp1252")
    assert of_file(tmp_path, cp1252) == ["bytes-unread"]
    assert of_file(tmp_path, cp1252, encoding="cp1252") == []
    unused = GOOD.replace("stay\n", "stay,town\n", 1).replace("\np7,7", "\np7,7,Köln")
    said = of_file(tmp_path, unused.encode("cp1252"))
    assert "bytes-unread" not in said


@pytest.mark.parametrize(
    ("count", "word"), [(4, []), (5, ["ids-missing some"]), (67, ["ids-missing most"])]
)
def test_rows_without_an_id(tmp_path: Path, count: int, word: list[str]) -> None:
    assert of_file(tmp_path, altered(count, lambda row: "," + row.split(",")[1])) == word


@pytest.mark.parametrize("rows", [100, 100_000])
def test_ids_that_do_not_tell_people_apart(tmp_path: Path, rows: int) -> None:
    def ids(make: Callable[[int], str]) -> list[str]:
        return of_file(tmp_path, "pid,stay\n" + "".join(f"{make(n)},1\n" for n in range(rows)))

    assert ids(lambda n: "p1" if n % 25 else f"p{n}") == ["ids-equal"]
    assert ids(lambda n: "p1" if n % 15 else f"p{n}") == []
    assert ids(lambda n: "1.23E+11" if n % 25 else "7") == ["ids-exponent"]
    assert ids(lambda n: f"1,{n}e+12".replace(",", ".")) == ["ids-exponent"]
    assert ids(lambda n: f"{n}E+") == []


def test_a_file_that_seems_not_to_be_about_people(tmp_path: Path) -> None:
    counts = "ward,year,patients,deaths\n" + "A,2020,70,3\n" * 9
    (tmp_path / "table.csv").write_text(counts, encoding="utf-8")
    study = replace(study_of(STAY), columns=(), queries=())
    assert check_file(study, tmp_path) == (Finding("seems-aggregates"),)
    (tmp_path / "table.csv").write_text(GOOD + "pid,stay\n", encoding="utf-8")
    assert check_file(replace(PEOPLE, queries=()), tmp_path) == ()
    (tmp_path / "table.csv").write_text("pid,stay\np1,2\npid,stay\n", encoding="utf-8")
    assert check_file(replace(PEOPLE, queries=()), tmp_path) == (Finding("seems-stacked", row=3),)


def test_the_line_is_right_where_rows_run_over_several_lines(tmp_path: Path) -> None:
    """Declared line breaks are lines of the file, though they end no row."""
    (tmp_path / "table.csv").write_text('note,stay\n"a\nb",\n"c\nd",seven\n', encoding="utf-8")
    (said,) = check_file(study_of(STAY, line_breaks=True), tmp_path)
    assert said.line == 4


@pytest.mark.parametrize(("end", "declared"), [("\r\n", ""), ("\r\n", "lf"), ("\r", "cr")])
def test_the_line_is_right_whatever_ends_a_line(tmp_path: Path, end: str, declared: str) -> None:
    (tmp_path / "table.csv").write_bytes(end.join(["stay", "?", "seven", ""]).encode())
    (said,) = check_file(study_of(STAY, line_ending=declared), tmp_path)
    assert said.line == 3


def test_an_open_quotation_mark_moves_no_other_line(tmp_path: Path) -> None:
    (tmp_path / "table.csv").write_text('note,stay\n"a,?\nb,seven\n', encoding="utf-8")
    (opened, said) = check_file(study_of(STAY), tmp_path)
    assert opened == Finding("lines-open", "most")
    assert said.line == 3


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["45 y", "3y", "5 kg", "36.5 °C", "€ 5", "12 days", "7 mmol/l"], "unit"),
        (["5%", "7.5 %"], "percent"),
        (["<5", "> 90", "90+", "≤3", "unter 5", "<= 7"], "comparison"),
        (["0-4", "5 to 9", "10–14", "15 bis 19"], "range"),
        (["120/80"], "pair"),
        (["36,5", "0,75"], "decimal"),
        (["1.234.567", "1'234", "1 234", "12,345.6"], "thousands"),
        (["=A1+B1", "=SUMME(A1:A2)"], "formula"),
        (["#N/A", "#DIV/0!", "#NAME?", "#WERT!"], "error"),
        (["-   -", "NA", "n/a", ".", "--", "k. A.", "unknown", "_"], "marker"),
        (["2020-01-02", "1.2.2020"], "day"),
        (["12:30", "7:05:00", "34:00:00", "1 day, 10:00:00", "2 Tage 3:00", "PT34H"], "time"),
        (["1,234,567", "1,234.5", "1\u202f234", "1\u2019234.5", "-1 234"], "thousands"),
        (["22 3", "1,2,3"], ""),
        (["seven", "mild pain", "a 5", "x" * 100], ""),
    ],
)
def test_what_most_cells_look_like_that_are_no_numbers_is_said(
    tmp_path: Path, cells: list[str], kind: str
) -> None:
    wanted = [f"seen-{kind}"] if kind else []
    assert seen(found(tmp_path, STAY, [*cells * 20, "3"])) == wanted
    for cell in cells:
        assert seen(found(tmp_path, STAY, [cell] * 3)) == wanted, cell
    # Of what is a little, or is less than half of the cells that are none, nothing is said.
    assert seen(found(tmp_path, STAY, [*cells, *["3"] * 300])) == []
    assert seen(found(tmp_path, STAY, [*cells, *["mild pain"] * 2 * len(cells)] * 20)) == []


def seen(said: list[Finding]) -> list[str]:
    """What unread cells look like, of all that is said."""
    return [finding.code for finding in said if finding.code.startswith("seen-")]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["2020-03", "03/2020", "Mar 2020", "März 2020"], "month"),
        (["2020", "1999"], "year"),
        (["2020-W07", "2020W07", "2020-W07-3", "KW 7/2020"], "week"),
        (["43831", "43832.5"], "serial"),
        (["1577836800", "1577836800123"], "seconds"),
        (["2020001", "2020-366"], "day-of-year"),
        (["Wed 2020-01-01", "Mittwoch, 1. Januar 2020"], "weekday"),
        (["2020-31-12", "12.31.2020", "13 13 20"], "order"),
        (["2020-UN-UN", "2020-00-00", "2020-01-00", "00.03.2020", "UN-JAN-2020"], "partial"),
        (["20200100", "--.03.2020", "2020-99-99", "?/3/2020"], "partial"),
        (["00.00.0000", "0000-00-00", "99/99/9999", "99999999", "__.__.____"], "marker"),
        (["-   -", "", "unknown", "."], "marker"),
        (["yesterday", "soon"], ""),
    ],
)
def test_what_is_no_day_says_why(tmp_path: Path, cells: list[str], kind: str) -> None:
    said = found(tmp_path, DAY, cells * 20)
    assert amounts(said) == ["days none", *([f"seen-{kind}"] if kind else [])]


@pytest.mark.parametrize(
    "cells",
    [
        ["2020-01-31", "2020-02-01T10:30"],
        ["31.01.2020", "01.02.2020"],
        ["31.1.2020 10:30", "1.2.2020"],
        ["12-JAN-2020", "01JAN2020", "1. März 2020"],
        ["01JAN2020:10:30:00"],
        ["Jan 2, 2020"],
        ["01-02-2020", "31-12-2020"],
        ["31.1.20"],
        ["202001311200"],
    ],
)
def test_days_in_another_format_are_named_and_the_format_is_not(
    tmp_path: Path, cells: list[str]
) -> None:
    """A format is declared and published: what is declared is not proposed from values."""
    said = found(tmp_path, DAY, cells * 20)
    assert said == [
        Finding("days", "none", "day", line=2),
        Finding("seen-format", "none", "day"),
    ]
    shown = findings.said(said[1], study_of(DAY)) + findings.remedy(said[1])
    assert not re.search("[YMD]{2}", shown)


@pytest.mark.parametrize(
    ("cells", "code"),
    [
        (["1,234", "12,345"], "numbers-ambiguous"),
        (["1,234", "12,5"], "seen-decimal"),
        (["1,234", "1,234,567"], "seen-thousands"),
    ],
)
def test_a_mark_of_thousands_is_not_taken_for_a_decimal_one(
    tmp_path: Path, cells: list[str], code: str
) -> None:
    """Another decimal mark, the remedy for 1,234 was, which would have read 1.234."""
    said = found(tmp_path, STAY, cells * 20)
    assert [finding.code for finding in said] == ["numbers", code]


def test_two_rows_that_a_lone_carriage_return_joined_are_no_thousands(tmp_path: Path) -> None:
    ends = ("\n", "\r", "\r")
    rows = "".join(f"{n},{n % 60 + 20}{ends[n % 3]}" for n in range(100, 400))
    (tmp_path / "table.csv").write_bytes(f"pid,stay\n{rows}".encode())
    said = [finding.code for finding in check_file(study_of(STAY), tmp_path)]
    assert said[0] == "lone-cr" and "seen-thousands" not in said


@pytest.mark.parametrize("share", [1, 20, 400])
def test_hours_that_a_workbook_saves_as_days_of_1900_are_named(tmp_path: Path, share: int) -> None:
    """h:mm:ss shows 34 hours as 10:00:00, and a day of 1900 is read: no cell is dropped unsaid."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Data"
    sheet.append(["stay"])
    for row in range(2, 402):
        cell = sheet.cell(row, 1)
        cell.value = 34 / 24 if row < 2 + share else 0.0001
        cell.number_format = "h:mm:ss"
    book.save(tmp_path / "t.xlsx")
    study = study_of(STAY)
    data = DataSource("t.xlsx", "excel", sheet="Data", header_row=1)
    said = check_file(replace(study, data=data), tmp_path)
    assert said[1] == Finding("hours-as-days", column="stay")
    assert said[1].weight == Weight.SERIOUS
    assert seen(list(said)) == []


def test_marks_for_missing_are_not_blamed_on_the_format(tmp_path: Path) -> None:
    said = found(tmp_path, DAY, ["06/04/2020"] * 40 + ["-   -"] * 60)
    assert amounts(said) == ["days some", "seen-marker"]
    declared = replace(DAY, missing_values=("-   -",))
    assert amounts(found(tmp_path, declared, ["06/04/2020"] * 40 + ["-   -"] * 60)) == [
        "days nearly-all"
    ]


@pytest.mark.parametrize(
    ("column", "cells", "kind"),
    [
        (SEX, ["1", "2"], "seen-codes"),
        (ILL, ["1", "0"], "seen-codes"),
        (SEX, ["M", "F"], ""),
        (replace(SEX, values=("male", "2")), ["1", "9"], ""),
        (replace(SEX, values=("male", "female", "9")), ["1", "2"], "seen-codes"),
        (replace(SEX, values=("1", "2"), labels=("a", "b")), ["m", "woman"], "seen-names"),
        (SEX, ["NA", "-"], "seen-marker"),
    ],
)  # fmt: skip
def test_a_list_of_names_meets_codes(
    tmp_path: Path, column: Column, cells: list[str], kind: str
) -> None:
    """Groups of 0, not called too noisy, were released for label texts of a file of codes."""
    said = found(tmp_path, column, cells * 30)
    assert amounts(said) == ["listed none", *([kind] if kind else [])]


@pytest.mark.parametrize(
    ("cells", "is_doubtful"),
    [
        (["1.234", "999", "12.500"], True),
        (["1.234", "12.500", "0.5"], False),
        (["1.234", "1.2"], False),
        (["999"], False),
    ],
)
def test_numbers_of_the_whole_file_that_can_be_read_in_two_ways_are_said(
    tmp_path: Path, cells: list[str], is_doubtful: bool
) -> None:
    cost = NumberColumn("cost", Decimal(0), Decimal(9999), Decimal(1))
    said = amounts(found(tmp_path, cost, cells * 40))
    assert ("numbers-ambiguous" in said) == is_doubtful
    for declared in ({"by_hand": ("decimal",)}, {"by_hand": ("thousands",)}):
        assert "numbers-ambiguous" not in amounts(found(tmp_path, cost, cells, **declared))
    own = replace(cost, decimal=".")
    assert "numbers-ambiguous" not in amounts(found(tmp_path, own, cells))


def test_no_cell_is_in_what_is_said(tmp_path: Path) -> None:
    cells = ["canary 4711", "<4711", "4711 kg", "1. März 4711"]
    for column in (STAY, DAY, SEX):
        for finding in found(tmp_path, column, cells * 20):
            assert "4711" not in str(finding) and "canary" not in str(finding)


def test_where_no_header_says_how_wide_rows_are_none_is_wider_or_narrower(tmp_path: Path) -> None:
    (tmp_path / "rows.csv").write_text("1,3\n" + "2,4,5\n3\n" * 30)
    stay = NumberColumn("(column 2)", Decimal(0), Decimal(30), Decimal(1))
    study = Study(
        data=DataSource("rows.csv", header_row=0), unit=Unit("(column 1)"), columns=(stay,)
    )
    codes = {finding.code for finding in check_file(study, tmp_path)}
    assert not codes & {"rows-wider", "rows-narrower", "row-names"}
