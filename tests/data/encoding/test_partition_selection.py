# SPDX-License-Identifier: Apache-2.0
"""Texts as they stand in the file: which are categories, and whose they are."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpdesk import exact
from dpdesk.data.aggregation.aggregate import text_counts
from dpdesk.data.encode import encode
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.amount import Delta, Rho
from dpdesk.study.model.columns import CategoryColumn
from dpdesk.study.model.conditions import IsIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.parameters import CategoriesFoundParameters
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import DataSource, Unit

ASKED = Query(
    "q",
    "categories-found",
    CategoriesFoundParameters("drug", delta=Delta.of("1e-10")),
    rho=Rho.of("0.1"),
)
WARD = CategoryColumn("ward", ("A", "B"))
STUDY = Study(
    "S",
    data=DataSource("t.csv", missing=("?",)),
    unit=Unit("pid", 2),
    columns=(CategoryColumn("drug", missing_values=("none",)), WARD),
    queries=(ASKED,),
)


def counts(
    folder: Path, rows: list[str], study: Study = STUDY, asked: AggregateSpec | None = None
) -> dict[str, int]:
    """What is sealed, by text."""
    text = "pid,drug,ward\n" + "".join(f"{row}\n" for row in rows)
    (folder / "t.csv").write_bytes(text.encode("utf-8"))
    table = encode(study, folder, priorities=lambda n: np.arange(n, dtype=np.uint64))
    texts, number = exact._text_vault[id(sealed := text_counts(table, study, asked or MEASURE))]
    del sealed
    return dict(zip(texts, number.tolist(), strict=True))


MEASURE = AggregateSpec("found", "drug")


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("Aspirin", "Aspirin"),
        ("  Aspirin\t", "Aspirin"),
        ("A\u0308gypten", "\u00c4gypten"),
        ("\ufeffAspirin\u200b", "Aspirin"),
        ("aspirin", "aspirin"),
        ("=1+1", "=1+1"),
        ("(missing)", "(missing)"),
        ("7.0", "7.0"),
        ("x" * 100, "x" * 100),
        ("<b>&", "<b>&"),
    ],
)
def test_a_cell_is_tidied_as_declared_values_are(cell: str, text: str, tmp_path: Path) -> None:
    assert counts(tmp_path, [f'1,"{cell}",A']) == {text: 1}


@pytest.mark.parametrize(
    "cell",
    ["", " ", "?", "none", "x" * 101, "two\nlines", "a\x00b", "a\u202eb", "a\u200bb", "a\tb",
     "\ue000", "\ufffdx\x07", "a\u00adb"],
)  # fmt: skip
def test_a_cell_that_is_no_category_is_nobodys(cell: str, tmp_path: Path) -> None:
    data = replace(STUDY.data or DataSource(), line_breaks=True)
    study = replace(STUDY, data=data)
    assert counts(tmp_path, [f'1,"{cell}",A', "2,Aspirin,A"], study) == {"Aspirin": 1}


def test_each_person_counts_once_in_each_category(tmp_path: Path) -> None:
    rows = ["1,a,A", "1,a,A", "2,a,A", "2,b,A", "01,a,A"]
    assert counts(tmp_path, rows) == {"a": 2, "b": 1}


def test_a_person_brings_as_many_categories_as_rows_and_no_more(tmp_path: Path) -> None:
    """Of 50 texts two are left by the bound; of the other 48 not even the name is."""
    rows = [f"1,text {i},A" for i in range(50)] + ["2,b,A"]
    assert counts(tmp_path, rows) == {"text 0": 1, "text 1": 1, "b": 1}


def test_conditions_leave_texts_out(tmp_path: Path) -> None:
    asked = replace(MEASURE, where=(IsIn("ward", ("A",)),))
    assert counts(tmp_path, ["1,a,A", "2,b,B", "3,a,C"], STUDY, asked) == {"a": 1}


def test_every_row_is_a_person_without_an_id(tmp_path: Path) -> None:
    rows = ["1,a,A", "1,a,A", "1,b,A"]
    assert counts(tmp_path, rows, replace(STUDY, unit=Unit())) == {"a": 2, "b": 1}


def test_declared_values_change_nothing(tmp_path: Path) -> None:
    columns = (CategoryColumn("drug", ("a", "z"), unknown="category"), WARD)
    rows = ["1,a,A", "2,b,A"]
    assert counts(tmp_path, rows, replace(STUDY, columns=columns)) == {"a": 1, "b": 1}


def test_an_empty_table_has_no_texts(tmp_path: Path) -> None:
    assert counts(tmp_path, []) == {}


def test_what_is_kept_of_a_person_does_not_depend_on_the_order_or_on_others(tmp_path: Path) -> None:
    """All rows have one priority: the text decides, by itself."""
    mine = [f"1,text {i},A" for i in range(6)]
    others = [f"{i},text {7 - i},A" for i in range(2, 8)]

    def kept(rows: list[str]) -> set[str]:
        text = "pid,drug,ward\n" + "".join(f"{row}\n" for row in rows)
        (tmp_path / "t.csv").write_text(text)
        table = encode(STUDY, tmp_path, priorities=lambda n: np.zeros(n, np.uint64))
        texts, persons = table.texts("drug"), table.persons()
        first = persons == persons[0]
        return {texts.texts[code] for code in texts.codes[first]}

    alone = kept(mine)
    assert len(alone) == 2
    assert kept(mine[::-1]) == alone
    assert kept(mine[::-1] + others) == alone
