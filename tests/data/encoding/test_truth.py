# SPDX-License-Identifier: Apache-2.0
"""Truth values of typed files, in columns of declared texts."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dpdesk.data.encode import encode
from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.missing_and_invalid import MISSING, UNKNOWN
from dpdesk.data.encoding.truth import FALSE_WORDS, TRUE_WORDS
from dpdesk.study.model.columns import CategoryColumn, Column, YesNoColumn
from dpdesk.study.model.document import Study
from dpdesk.study.model.text_folding import folded
from dpdesk.study.model.unit import DataSource, Unit

CELLS = [True, False, None, True]


def yes_no(yes: str, no: str) -> YesNoColumn:
    return YesNoColumn("x", tuple(yes.split("|")), tuple(no.split("|")))


def parquet(folder: Path) -> DataSource:
    pq.write_table(pa.table({"x": pa.array(CELLS)}), folder / "t.parquet")
    return DataSource("t.parquet", "parquet")


def encoded(folder: Path) -> DataSource:
    column = pa.array(CELLS).dictionary_encode()
    pq.write_table(pa.table({"x": column}), folder / "t.parquet")
    return DataSource("t.parquet", "parquet")


def workbook(folder: Path) -> DataSource:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = "Sheet"
    book.active.append(["x", "y"])
    for cell in CELLS:
        book.active.append([cell, "always here"])
    book.save(folder / "t.xlsx")
    return DataSource("t.xlsx", "excel", sheet="Sheet", header_row=1)


def csv(folder: Path) -> DataSource:
    lines = ["x,y", *("" if cell is None else str(cell) for cell in CELLS)]
    (folder / "t.csv").write_text("".join(line + ",\n" for line in lines), encoding="utf-8")
    return DataSource("t.csv")


def codes(column: Column, source: DataSource, folder: Path) -> list[int]:
    table = encode(Study(data=source, unit=Unit(), columns=(column,)), folder)
    return list(table.column("x").codes.tolist())


@pytest.mark.parametrize("write", [parquet, encoded, workbook])
@pytest.mark.parametrize(
    "words", ["1:0", "Yes:No", "yes|Y|1:no|N|0", "TRUE:FALSE", "true:false", "ja:nein", "sí:no"]
)
@pytest.mark.parametrize("compare", ["exact", "folded"])
def test_truth_values_are_the_declared_words(
    write: object, words: str, compare: str, tmp_path: Path
) -> None:
    yes, no = words.split(":")
    column = YesNoColumn("x", tuple(yes.split("|")), tuple(no.split("|")), compare=compare)  # type: ignore[arg-type]
    source = write(tmp_path)  # type: ignore[operator]
    assert codes(column, source, tmp_path) == [1, 0, MISSING, 1]


@pytest.mark.parametrize("write", [parquet, workbook])
def test_they_are_values_of_a_category_and_its_names(write: object, tmp_path: Path) -> None:
    source = write(tmp_path)  # type: ignore[operator]
    assert codes(CategoryColumn("x", ("1", "0", "9")), source, tmp_path) == [0, 1, MISSING, 0]
    named = CategoryColumn("x", ("a", "b"), labels=("No", "Yes"))
    assert codes(named, source, tmp_path) == [1, 0, MISSING, 1]


def test_texts_of_a_csv_file_stay_texts(tmp_path: Path) -> None:
    source = csv(tmp_path)
    assert codes(yes_no("1", "0"), source, tmp_path) == [UNKNOWN, UNKNOWN, MISSING, UNKNOWN]
    assert codes(yes_no("True", "False"), source, tmp_path) == [1, 0, MISSING, 1]


def read(column: Column, text: str, missing: tuple[str, ...] = ()) -> int:
    return cell_parser(column, missing, ".", typed=True)(text)


def test_what_was_declared_for_the_cell_itself_is_never_outvoted() -> None:
    turned = yes_no("False|1", "True|0")
    assert (read(turned, "True"), read(turned, "False")) == (0, 1)
    half = yes_no("True|0", "1|no")
    assert (read(half, "True"), read(half, "False")) == (1, UNKNOWN)
    assert read(yes_no("1", "0"), "True", missing=("True",)) == MISSING


@pytest.mark.parametrize("words", ["M:F", "1:2", "female:male", "1|no:0", "1:yes", "0|1:x"])
def test_they_are_unknown_where_the_words_do_not_say_both_in_one_way(words: str) -> None:
    column = yes_no(*words.split(":"))
    assert (read(column, "True"), read(column, "False")) == (UNKNOWN, UNKNOWN)


def test_a_marker_for_missing_cells_that_is_a_word_counts() -> None:
    column = yes_no("1", "2")
    assert (read(column, "True", ("0",)), read(column, "False", ("0",))) == (1, MISSING)


def test_other_cells_mean_what_they_meant() -> None:
    column = yes_no("1", "0")
    assert [read(column, text) for text in ("1", "0", "yes", "TRUE", "2")] == [
        *(1, 0),
        *[UNKNOWN] * 3,
    ]


def test_no_word_says_both() -> None:
    assert not TRUE_WORDS & FALSE_WORDS
    assert all(folded(word) == word for word in TRUE_WORDS | FALSE_WORDS)
