# SPDX-License-Identifier: Apache-2.0
"""Codes and their names in cells: a code counts first, and both kinds of file read the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpdesk.data.aggregation.aggregate import measure
from dpdesk.data.encode import encode
from dpdesk.data.encoding import cell_parser as cell_parsers
from dpdesk.data.encoding.cell_parser import cell_parser
from dpdesk.data.encoding.missing_and_invalid import MISSING, UNKNOWN, missing_code
from dpdesk.data.encoding.table import EncodedTable
from dpdesk.exact import Exact
from dpdesk.study.model.aggregate_spec import AggregateSpec
from dpdesk.study.model.columns import CategoryColumn, Replace, value_labels
from dpdesk.study.model.conditions import IsIn, IsNotIn
from dpdesk.study.model.document import Study
from dpdesk.study.model.text_folding import folded, tidy
from dpdesk.study.model.unit import DataSource
from tests.release.studies import STUDY
from tests.strategies import category_columns

Opened = Callable[[Exact], list[int]]

SEX = CategoryColumn("sex", ("1", "2", "\u00c4"), labels=("Female", "Ma\u0308nnlich", "3"))


def code(column: CategoryColumn, text: str, missing: tuple[str, ...] = ()) -> int:
    return cell_parser(column, missing, ".")(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 0), ("Female", 0), (" Female ", 0), ("\ufeffFemale", 0), ("female", UNKNOWN),
        ("2", 1), ("M\u00e4nnlich", 1), ("Ma\u0308nnlich", 1), ("A\u0308", 2), ("3", 2),
        ("1 = Female", UNKNOWN), ("1.0", UNKNOWN), ("01", UNKNOWN), ("", MISSING), ("?", MISSING),
    ],
)  # fmt: skip
def test_a_cell_is_a_code_or_a_name(text: str, expected: int) -> None:
    assert code(SEX, text, missing=("?",)) == expected


def test_a_code_comes_before_any_name() -> None:
    """Such labels are refused; what is read is a rule even so."""
    turned = CategoryColumn("a", ("1", "2"), labels=("2", "1"))
    assert [code(turned, text) for text in ("1", "2")] == [0, 1]
    shifted = CategoryColumn("a", ("0", "1", "2"), labels=("1", "2", "3"))
    assert [code(shifted, text) for text in ("0", "1", "2", "3")] == [0, 1, 2, 2]


def test_a_marker_for_missing_comes_before_a_name() -> None:
    column = CategoryColumn("a", ("1", "9"), labels=("yes", "NA"), missing_values=("NA",))
    assert [code(column, text) for text in ("9", "NA")] == [1, MISSING]


def test_labels_that_do_not_fit_name_no_cell() -> None:
    for labels in (("Female",), ("Female", "Male", "Other")):
        column = CategoryColumn("a", ("1", "2"), labels=labels, unknown="category")
        texts = ("1", "2", "Female", "Male", "Other")
        assert [code(column, text) for text in texts] == [0, 1, 2, 2, 2]


def test_rules_count_in_the_groups_they_counted_in_without_names() -> None:
    rules = replace(SEX, unknown=Replace("2"), missing="category")
    assert (code(rules, "x"), missing_code(rules)) == (1, 3)
    assert (code(replace(rules, unknown="category"), "x")) == 3
    assert missing_code(replace(rules, missing=Replace("1"))) == 0


@given(category_columns(), st.text(max_size=6))
@example(CategoryColumn("a", ("1", "2"), labels=("=1+1", "2")), "=1+1")
def test_every_value_and_every_name_is_its_group(column: CategoryColumn, text: str) -> None:
    parse = cell_parser(column, (), ".")
    for index, (value, label) in enumerate(zip(column.values, value_labels(column), strict=True)):
        assert parse(value) == parse(label) == index
    known = {tidy(name) for name in (*column.values, *value_labels(column))}
    unnamed = cell_parser(replace(column, labels=()), (), ".")
    if tidy(text) not in known:
        assert parse(text) == unnamed(text) or column.unknown == "category"


_texts = st.lists(st.text(max_size=3) | st.sampled_from(["1", "2", " 1", ""]), max_size=4)


@given(_texts.map(tuple), _texts.map(tuple), st.text(max_size=3) | st.sampled_from("12"))
def test_no_declaration_and_no_cell_raise(
    values: tuple[str, ...], labels: tuple[str, ...], text: str
) -> None:
    column = CategoryColumn("a", values, labels=labels, unknown="category", missing="category")
    assert code(column, text) in (MISSING, *range(len(values) + 1))


CODED = ("1", "2", "2", "x", "", "1", "2", "1", "2", "2")
NAMED = ("Female", "Male", " Male", "x", "", "Female", "Male", "Female", "Male", "Male")
MIXED = (*CODED[:5], *NAMED[5:])


def by_sex(**rules: Any) -> Study:
    column = CategoryColumn("sex", ("1", "2"), labels=("Female", "Male"), **rules)
    return replace(STUDY, columns=(STUDY.columns[0], column))


def encoded(folder: Path, study: Study, sexes: tuple[str, ...]) -> EncodedTable:
    rows = "".join(f"p{number},{number % 9 + 1},{sex}\n" for number, sex in enumerate(sexes))
    (folder / "stays.csv").write_text("id,days,sex\n" + rows, encoding="utf-8")
    return encode(study, folder)


@pytest.mark.parametrize("sexes", [CODED, NAMED, MIXED])
def test_codes_and_names_give_the_same_table(
    tmp_path: Path, opened: Opened, sexes: tuple[str, ...]
) -> None:
    study = by_sex(unknown="category", missing="category")
    table = encoded(tmp_path, study, sexes)
    assert opened(measure(table, study, AggregateSpec("rows", by=("sex",)))) == [3, 5, 1, 1]


@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        (IsIn("sex", ("2",)), 5),
        (IsIn("sex", ("Male",)), 5),
        (IsIn("sex", ("Male", "2", "1")), 8),
        (IsNotIn("sex", ("2",)), 4),
        (IsNotIn("sex", ("Female", "(other)")), 5),
    ],
)
def test_a_condition_means_its_group_by_code_and_by_name(
    tmp_path: Path, opened: Opened, condition: IsIn | IsNotIn, rows: int
) -> None:
    study = by_sex(unknown="category")
    table = encoded(tmp_path, study, CODED)
    asked = AggregateSpec("rows", where=(condition,))
    assert opened(measure(table, study, asked)) == [rows]


def test_other_names_move_no_code(tmp_path: Path) -> None:
    study = by_sex()
    turned = replace(study.columns[1], labels=("Male", "Female"))
    for declared in (study, replace(study, columns=(study.columns[0], turned))):
        codes = encoded(tmp_path, declared, CODED).column("sex").codes
        assert codes.tolist() == [0, 1, 1, UNKNOWN, MISSING, 0, 1, 0, 1, 1]


def test_different_texts_are_folded_once_each_not_cell_by_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def counted(text: str) -> str:
        seen.append(text)
        return folded(text)

    monkeypatch.setattr(cell_parsers, "folded", counted)
    cells = ("Male", "FEMALE", "male ", "?")
    lines = [cells[row % 4] for row in range(40_000)]
    (tmp_path / "a.csv").write_text("sex\n" + "\n".join(lines) + "\n", encoding="utf-8")
    column = CategoryColumn("sex", ("male", "female"), compare="folded")
    study = Study(data=DataSource("a.csv"), columns=(column,))
    codes = encode(study, tmp_path).column("sex").codes
    assert codes.tolist() == [0, 1, 0, UNKNOWN] * 10_000
    assert len(seen) < 20
