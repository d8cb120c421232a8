# SPDX-License-Identifier: Apache-2.0
"""What is said through the pipes means the same at both ends."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, fields
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.files.statistical.described_variables import DescribedVariable
from dpdesk.data.files.workbook.sheet_look import SheetLook
from dpdesk.data.reader_process.frames import Broken
from dpdesk.data.reader_process.isolated_workbook import look_from
from dpdesk.data.reader_process.labels import labels_from
from dpdesk.data.reader_process.messages import (
    code_from,
    code_to,
    from_json,
    labels_to,
    look_to,
    problems_from,
    problems_to,
    source_from,
    to_json,
)
from dpdesk.study.model.unit import FORMATS, DataSource, Thousands
from dpdesk.study.problem import Problem

# Names of files may hold half of a pair, as Python stands for bytes that are no text.
texts = st.text(st.characters(), max_size=8)
SOURCES = st.builds(
    DataSource,
    path=texts,
    format=st.sampled_from(FORMATS),
    missing=st.lists(texts, max_size=3).map(tuple),
    separator=texts,
    decimal=st.sampled_from([".", ","]),
    encoding=texts,
    extract=texts,
    sheet=texts,
    header_row=st.none() | st.integers(0, 9),
    thousands=st.sampled_from(get_args(Thousands)),
    quotes=st.booleans(),
    catalogue=texts,
)
CODES = st.one_of(texts, st.integers(), st.floats())


@given(SOURCES)
def test_a_source_means_the_same_there(source: DataSource) -> None:
    assert source_from(from_json(to_json(asdict(source)))) == source


def test_all_of_a_source_is_sent() -> None:
    assert set(asdict(DataSource())) == {field.name for field in fields(DataSource)}


@given(CODES)
def test_a_labelled_value_keeps_its_type(value: Any) -> None:
    back = code_from(from_json(to_json(code_to(value))))
    assert type(back) is type(value)
    assert back == value or (math.isnan(back) and math.isnan(value))


@pytest.mark.parametrize("said", [None, [], [1], {}, {"float": "1e3"}, {"float": ["nan"]}])
def test_what_is_no_labelled_value(said: Any) -> None:
    with pytest.raises(Broken):
        code_from(said)


pairs = st.lists(st.tuples(CODES.filter(lambda c: c == c), texts), max_size=3).map(tuple)
ends = st.floats(allow_nan=False) | texts


@given(
    st.builds(
        DescribedVariable,
        *[texts] * 4,
        labels=pairs,
        missing=st.lists(st.tuples(ends, ends), max_size=3).map(tuple),
    )
)
def test_a_variable_is_described_alike(variable: DescribedVariable) -> None:
    assert labels_from(from_json(to_json(labels_to([variable])))) == (variable,)


@given(st.lists(texts).map(tuple), st.lists(st.lists(texts, max_size=3).map(tuple)).map(tuple))
def test_a_look_shows_the_same(names: tuple[str, ...], top: tuple[tuple[str, ...], ...]) -> None:
    problems = (Problem("$.data.sheet", "sheet-absent", {"name": "Ä"}),)
    for look in (SheetLook(names, top, names), SheetLook(names, top, (), problems)):
        assert look_from(from_json(to_json(look_to(look)))) == look


def test_problems_are_the_same_there() -> None:
    problems = (Problem("$", "a-b"), Problem("$.data.sheet", "sheet-absent", {"name": "\ud800"}))
    assert problems_from(from_json(to_json(problems_to(problems)))) == problems


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@given(JSON)
def test_any_answer_is_what_was_asked_for_or_broken(said: Any) -> None:
    for check in (problems_from, labels_from, look_from, code_from):
        try:
            check(json.loads(json.dumps(said)))
        except Broken as broken:
            assert broken.args == ()


def test_a_number_of_endless_digits_is_no_answer() -> None:
    with pytest.raises(Broken):
        from_json(b"1" * 100_000)
