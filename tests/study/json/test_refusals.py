# SPDX-License-Identifier: Apache-2.0
"""Bytes that are no study, and where it says so: one problem for one mistake."""

from collections.abc import Mapping
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.study import limits
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import canonical, study_to_members
from dpdesk.study.model.dates import DATE_FORMS
from dpdesk.study.model.document import Study
from dpdesk.study.model.statistics import STATISTICS
from dpdesk.study.problem import Problem, Refused
from dpdesk.texts.problems import sentence
from tests.strategies import drafts

ROWS = "$.queries[0].where[0]"
PERIOD = "$.queries[0].by[0].period"


class Case(NamedTuple):
    """What is written, and the one problem that it must give."""

    written: str
    path: str
    code: str
    params: Mapping[str, str] = {}


def study(members: str) -> str:
    return f'{{"dpdesk": 1, {members}}}'


def column(members: str) -> str:
    return study(f'"columns": [{{"name": "a", {members}}}]')


def number(members: str) -> str:
    return column(f'"kind": "number", {members}')


def day(members: str) -> str:
    return column(f'"kind": "date", {members}')


def query(members: str) -> str:
    return study(f'"queries": [{{"id": "q", {members}}}]')


def condition(members: str) -> str:
    return query(f'"where": [{{{members}}}]')


ODD_DAYS = ("20200101", "true", '"2020-1-1"', '"20200101"', '"2020-01-01 "', '"2020-01-01\\n"')
ODD_DAYS += ('"2020-13-01"', '"0000-01-01"', '"2020-01-01T00:00"', '"\uff12020-01-01"', "[]")

NOT_JSON = [
    Case("", "$", "study-file-empty"),
    Case("{", "$", "json-invalid", {"line": "1", "column": "2"}),
    Case('{\n "dpdesk": 1,\n}', "$", "json-invalid"),
    Case("{'dpdesk': 1}", "$", "json-invalid", {"line": "1", "column": "2"}),
    Case('{"dpdesk": 1} {}', "$", "json-invalid", {"line": "1", "column": "15"}),
    Case('\ufeff\ufeff{"dpdesk": 1}', "$", "json-invalid", {"line": "1", "column": "1"}),
    Case('{"title": "a\nb"}', "$", "json-invalid", {"line": "1", "column": "13"}),
    Case('{"dpdesk": 01}', "$", "json-invalid", {"line": "1", "column": "13"}),
    Case(study('"title": NaN'), "$", "json-number"),
    Case(number('"upper": Infinity'), "$", "json-number"),
    Case(number('"lower": -Infinity'), "$", "json-number"),
    Case(number('"upper": 1e99999999999999999999'), "$", "json-number"),
    Case(number(f'"upper": {"9" * 5_000}'), "$", "json-number"),
    Case(number(f'"upper": 0.{"0" * 5_000}1'), "$", "json-number"),
    Case('{"dpdesk": 1, "dpdesk": 1}', "$", "json-duplicate-key", {"key": "dpdesk"}),
    Case(number('"upper": 1, "upper": 2'), "$", "json-duplicate-key", {"key": "upper"}),
    Case('{"\\u001b[2J": 1, "\\u001b[2J": 2}', "$", "json-duplicate-key", {"key": "\ufffd[2J"}),
    Case("[" * 9 + "]" * 9, "$", "json-too-deep"),
    Case("[" * 100_000, "$", "json-too-deep"),
    Case('{"a":' * 100_000, "$", "json-too-deep"),
]

NOT_A_STUDY = [
    Case("[]", "$", "type-object"),
    Case("null", "$", "type-object"),
    Case('"dpdesk"', "$", "type-object"),
    Case("patient_id,age\n1,54\n", "$", "not-a-study"),
    Case("{}", "$.dpdesk", "not-a-study"),
    Case('{"dpdesk": "1"}', "$.dpdesk", "not-a-study"),
    Case('{"dpdesk": true}', "$.dpdesk", "not-a-study"),
    Case('{"dpdesk": 0}', "$.dpdesk", "not-a-study"),
    Case('{"dpdesk": 1.0}', "$.dpdesk", "not-a-study"),
    Case('{"dpdesk": 2, "x": 1}', "$.dpdesk", "study-too-new", {"found": "2", "known": "1"}),
]

MEMBERS = [
    Case(study('"titel": "a"'), "$.titel", "unknown-member"),
    Case(study('"\\u202ea\\ud800": 1'), "$.\ufffda\ufffd", "unknown-member"),
    Case(study(f'"{"x" * 90}": 1'), "$." + "x" * 60, "unknown-member"),
    Case(study('"data": {"rows": 4}'), "$.data.rows", "unknown-member"),
    Case(study('"unit": {"k": 4}'), "$.unit.k", "unknown-member"),
    Case(study('"budget": {"delta": 0}'), "$.budget.delta", "unknown-member"),
    Case(number('"values": ["a"]'), "$.columns[0].values", "unknown-member"),
    Case(column('"kind": "yes-no", "values": []'), "$.columns[0].values", "unknown-member"),
    Case(query('"group": "a"'), "$.queries[0].group", "unknown-member"),
    Case(condition('"column": "a", "in": [], "or": 1'), f"{ROWS}.or", "unknown-member"),
    Case(number('"missing": {"replace": 1, "x": 2}'), "$.columns[0].missing.x", "unknown-member"),
    Case(study('"columns": [{"kind": "number"}]'), "$.columns[0].name", "missing-member"),
    Case(column('"lower": 1, "upper": 2'), "$.columns[0].kind", "missing-member"),
    Case(study('"queries": [{}]'), "$.queries[0].id", "missing-member"),
    Case(condition('"in": ["a"]'), f"{ROWS}.column", "missing-member"),
    Case(study('"data": []'), "$.data", "type-object"),
    Case(study('"unit": "patient"'), "$.unit", "type-object"),
    Case(study('"budget": 1'), "$.budget", "type-object"),
    Case(study('"columns": [1]'), "$.columns[0]", "type-object"),
    Case(study('"queries": ["count"]'), "$.queries[0]", "type-object"),
    Case(condition('"column": "a", "in": ["b"]}, [1'), "$", "json-invalid"),
    Case(query('"where": [null]'), f"{ROWS}", "type-object"),
    Case(study('"columns": {}'), "$.columns", "type-list"),
    Case(study('"queries": "all"'), "$.queries", "type-list"),
    Case(study('"data": {"missing": "?"}'), "$.data.missing", "type-list"),
    Case(query('"where": {}'), "$.queries[0].where", "type-list"),
    Case(study('"data": {"missing": [1]}'), "$.data.missing[0]", "type-text"),
    Case(query('"by": ["a", null]'), "$.queries[0].by[1]", "type-text"),
    Case(study('"title": 7'), "$.title", "type-text"),
    Case(study('"title": false'), "$.title", "type-text"),
    Case(study('"data": {"path": ["a.csv"]}'), "$.data.path", "type-text"),
    Case(number('"lower": "1"'), "$.columns[0].lower", "type-number"),
    Case(number('"step": true'), "$.columns[0].step", "type-number"),
    Case(number('"upper": [1]'), "$.columns[0].upper", "type-number"),
    Case(study('"budget": {"epsilon": "1"}'), "$.budget.epsilon", "type-number"),
    Case(study('"unit": {"max_rows": 1.5}'), "$.unit.max_rows", "type-whole"),
    Case(study('"unit": {"max_rows": true}'), "$.unit.max_rows", "type-whole"),
    Case(study('"unit": {"people": "many"}'), "$.unit.people", "type-whole"),
    Case(query('"expected": 1e-1'), "$.queries[0].expected", "type-whole"),
    Case(study('"unit": {"leading_zeros": 1}'), "$.unit.leading_zeros", "type-flag"),
    Case(condition('"column": "a", "missing": "yes"'), f"{ROWS}.missing", "type-flag"),
    Case(condition('"column": "a", "between": [1]'), f"{ROWS}.between", "type-pair"),
    Case(condition('"column": "a", "between": [1, "2"]'), f"{ROWS}.between", "type-pair"),
    Case(condition('"column": "a", "between": [1, true]'), f"{ROWS}.between", "type-pair"),
    Case(condition('"column": "a", "between": {"a": 1}'), f"{ROWS}.between", "type-pair"),
    *(Case(day(f'"first": {odd}'), "$.columns[0].first", "type-date") for odd in ODD_DAYS),
    Case(day('"last": "2021-02-29"'), "$.columns[0].last", "type-date"),
    Case(day('"lower": 1'), "$.columns[0].lower", "unknown-member"),
    Case(day('"outside": {"replace": null}'), "$.columns[0].outside.replace", "type-constant"),
    Case(condition('"column": "a", "from": "2020-01-01"'), f"{ROWS}.to", "missing-member"),
    Case(condition('"column": "a", "to": "2020-01-01"'), f"{ROWS}.from", "missing-member"),
    Case(
        condition('"column": "a", "from": "2020-01-01", "to": "31.12.2020"'),
        f"{ROWS}.to",
        "type-date",
    ),
    Case(condition('"column": "a", "from": "2020-01-01", "in": []'), ROWS, "condition-kind"),
    Case(condition('"column": "a"'), ROWS, "condition-kind"),
    Case(condition('"column": "a", "in": null'), ROWS, "condition-kind"),
    Case(condition('"column": "a", "in": ["b"], "missing": true'), ROWS, "condition-kind"),
    Case(number('"missing": {"replace": []}'), "$.columns[0].missing.replace", "type-constant"),
    Case(number('"missing": {"replace": true}'), "$.columns[0].missing.replace", "type-constant"),
    Case(number('"missing": {}'), "$.columns[0].missing.replace", "type-constant"),
]

VALUES = [
    Case(query('"delta": 0'), "$.queries[0].delta", "delta-not-positive"),
    Case(query('"delta": -1e-9'), "$.queries[0].delta", "delta-not-positive"),
    Case(query('"delta": 1'), "$.queries[0].delta", "query-delta-too-large"),
    Case(query('"delta": 1e-19'), "$.queries[0].delta", "delta-too-fine"),
    Case(query('"delta": "1e-9"'), "$.queries[0].delta", "type-number"),
    Case(
        column('"kind": "numeric", "lower": 1'),
        "$.columns[0].kind",
        "not-a-choice",
        {"choices": "number, category, yes-no, date"},
    ),
    Case(
        study('"data": {"format": "xlsx"}'),
        "$.data.format",
        "not-a-choice",
        {"choices": "csv, excel, parquet, spss, stata, sas"},
    ),
    Case(study('"data": {"decimal": ";"}'), "$.data.decimal", "not-a-choice", {"choices": "., ,"}),
    Case(
        study('"unit": {"neighbours": ["add-remove"]}'),
        "$.unit.neighbours",
        "not-a-choice",
        {"choices": "add-remove, change-one"},
    ),
    Case(
        study('"unit": {"without_id": "keep"}'),
        "$.unit.without_id",
        "not-a-choice",
        {"choices": "drop, one-person"},
    ),
    Case(
        number('"missing": "category"'),
        "$.columns[0].missing",
        "not-a-choice",
        {"choices": "drop"},
    ),
    Case(day('"missing": "category"'), "$.columns[0].missing", "not-a-choice"),
    Case(day('"outside": "category"'), "$.columns[0].outside", "not-a-choice"),
    Case(
        day('"format": "DD.MM.YY"'),
        "$.columns[0].format",
        "date-format-short-year",
        {"choices": "D.M.YY, D/M/YY, M/D/YY, D-M-YY, M-D-YY, YYMMDD, D MMM YY"},
    ),
    Case(day('"format": "%d/%m/%y"'), "$.columns[0].format", "date-format-short-year"),
    Case(
        day('"format": "DD-MM-YYYY"'),
        "$.columns[0].format",
        "date-format-unknown",
        {"choices": ", ".join(DATE_FORMS)},
    ),
    Case(day('"format": 8'), "$.columns[0].format", "date-format-unknown"),
    Case(
        number('"outside": 0'), "$.columns[0].outside", "not-a-choice", {"choices": "clamp, drop"}
    ),
    Case(
        query('"statistic": "mode"'),
        "$.queries[0].statistic",
        "not-a-choice",
        {"choices": ", ".join(STATISTICS)},
    ),
    Case(query('"noise": "uniform"'), "$.queries[0].noise", "not-a-choice"),
    Case(
        query('"score": "best"'),
        "$.queries[0].score",
        "score-without-sensitivity",
        {"score": "best", "choices": "value-times-count, closest-to-target"},
    ),
    Case(query('"score": ["best"]'), "$.queries[0].score", "type-text"),
    Case(query('"rho": -1'), "$.queries[0].rho", "epsilon-not-positive"),
    Case(query('"rho": 101'), "$.queries[0].rho", "epsilon-too-large"),
    Case(query('"quantiles": 0.5'), "$.queries[0].quantiles", "type-list"),
    Case(query('"quantiles": ["0.5"]'), "$.queries[0].quantiles[0]", "type-number"),
    Case(query('"by": "sex"'), "$.queries[0].by", "type-list"),
    Case(query('"by": [5]'), "$.queries[0].by[0]", "type-text"),
    Case(query('"by": [{"edges": [1]}]'), "$.queries[0].by[0].column", "missing-member"),
    Case(query('"by": [{"period": "year"}]'), "$.queries[0].by[0].column", "missing-member"),
    Case(query('"by": [{"column": "a"}]'), "$.queries[0].by[0]", "grouping-kind"),
    Case(query('"by": [{"column": "a", "period": null}]'), "$.queries[0].by[0]", "grouping-kind"),
    Case(
        query('"by": [{"column": "a", "period": "year", "edges": [1]}]'),
        "$.queries[0].by[0]",
        "grouping-kind",
    ),
    Case(
        query('"by": [{"column": "a", "period": "week"}]'),
        PERIOD,
        "not-a-choice",
        {"choices": "year, quarter, month, weekday"},
    ),
    Case(query('"by": [{"column": "a", "period": 1}]'), PERIOD, "not-a-choice"),
    Case(
        query('"by": [{"column": "a", "edges": [], "width": 5}]'),
        "$.queries[0].by[0].width",
        "unknown-member",
    ),
    Case(study('"title": "a\\u200bb"'), "$.title", "text-invisible"),
    Case(study('"title": "\\u202eevil"'), "$.title", "text-invisible"),
    Case(study('"title": "a\\u0000"'), "$.title", "text-invisible"),
    Case(study('"title": "a\\nb"'), "$.title", "text-invisible"),
    Case(study('"title": "\\ud83d"'), "$.title", "text-invisible"),
    Case(study('"title": "a\\u3164"'), "$.title", "text-invisible"),
    Case(study('"data": {"separator": "\\u0001"}'), "$.data.separator", "text-invisible"),
    Case(
        column('"kind": "category", "values": ["a", "b\\u00ad"]'),
        "$.columns[0].values[1]",
        "text-invisible",
    ),
    Case(study(f'"title": "{"x" * 301}"'), "$.title", "text-too-long", {"most": "300"}),
    Case(
        column(f'"kind": "category", "values": [{",".join(["1"] * 5_001)}]'),
        "$.columns[0].values",
        "list-too-long",
        {"most": "5000"},
    ),
    Case(
        study(f'"columns": [{",".join(["1"] * 1_001)}]'),
        "$.columns",
        "list-too-long",
        {"most": "1000"},
    ),
    Case(
        study(f'"queries": [{",".join(["1"] * 201)}]'),
        "$.queries",
        "list-too-long",
        {"most": "200"},
    ),
]

TOO_LONG = ["1234567890123456", "-1234567890123456", "0.1234567890123456", "1e999", "1e31"]
TOO_LONG += ["1e-31", "-1e-999", "1e1000000", "0.10000000000000000000000000000000001"]
PLACES = [
    ('"columns": [{"name": "a", "kind": "number", "lower": %s}]', "$.columns[0].lower"),
    (
        '"columns": [{"name": "a", "kind": "number", "outside": {"replace": %s}}]',
        "$.columns[0].outside.replace",
    ),
    ('"unit": {"max_rows": %s}', "$.unit.max_rows"),
    ('"budget": {"epsilon": %s}', "$.budget.epsilon"),
    ('"queries": [{"id": "q", "expected": %s}]', "$.queries[0].expected"),
    (
        '"queries": [{"id": "q", "where": [{"column": "a", "between": [0, %s]}]}]',
        f"{ROWS}.between[1]",
    ),
]

AMOUNTS = [
    ("0", "epsilon-not-positive"),
    ("-0.5", "epsilon-not-positive"),
    ("0.0000001", "epsilon-too-fine"),
    ("1.0000001", "epsilon-too-fine"),
    ("100.000001", "epsilon-too-large"),
    ("1000000", "epsilon-too-large"),
]


def problems(raw: bytes) -> tuple[Problem, ...]:
    with pytest.raises(Refused) as refused:
        study_from_bytes(raw)
    return refused.value.problems


def short(case: Case) -> str:
    return f"{case.code}: {case.written[:60]!r}"


@pytest.mark.parametrize("case", [*NOT_JSON, *NOT_A_STUDY, *MEMBERS, *VALUES], ids=short)
def test_one_mistake_gives_one_problem_at_its_place(case: Case) -> None:
    found = problems(case.written.encode("utf-8"))
    assert [(p.path, p.code) for p in found] == [(case.path, case.code)]
    if case.params:
        assert found[0].params == case.params
    assert sentence(found[0]).isprintable()


@pytest.mark.parametrize(("members", "path"), PLACES)
@pytest.mark.parametrize("text", TOO_LONG)
def test_a_number_that_a_file_cannot_hold_is_named_at_its_place(
    members: str, path: str, text: str
) -> None:
    found = problems(study(members % text).encode())
    assert [(p.path, p.code, p.params) for p in found] == [
        (path, "number-too-long", {"most": "15"})
    ]


@pytest.mark.parametrize(("text", "code"), AMOUNTS)
@pytest.mark.parametrize("place", ['"budget": {"epsilon": %s}', '"queries": [{"id": "q", %s}]'])
def test_an_amount_that_cannot_be_spent_is_refused(place: str, text: str, code: str) -> None:
    written = text if "budget" in place else f'"epsilon": {text}'
    found = problems(study(place % written).encode())
    assert [p.code for p in found] == [code]
    assert found[0].path.endswith(".epsilon")


@pytest.mark.parametrize(
    "raw", [b"\xff\xfe{\x00}\x00", b'{"title": "\xe4"}', b"\x00\xff", b"PK\x03\x04\xfe"]
)
def test_what_is_not_utf_8_is_no_text(raw: bytes) -> None:
    assert [(p.path, p.code) for p in problems(raw)] == [("$", "json-not-text")]


def test_a_file_beyond_the_limit_is_not_parsed() -> None:
    raw = b'{"dpdesk": 1}' + b" " * limits.MAX_STUDY_BYTES
    assert [p.code for p in problems(raw)] == ["json-too-large"]
    assert study_from_bytes(raw[: limits.MAX_STUDY_BYTES]) == Study()


def test_every_mistake_is_reported_at_once() -> None:
    raw = b"""{"dpdesk": 1, "title": 5, "extra": 1, "unit": {"max_rows": "3"},
      "columns": [{"name": "a", "kind": "number", "lower": "x"}, 5, {"kind": "category"}],
      "queries": [{"statistic": "mode"}]}"""
    assert [(p.path, p.code) for p in problems(raw)] == [
        ("$.title", "type-text"),
        ("$.unit.max_rows", "type-whole"),
        ("$.columns[0].lower", "type-number"),
        ("$.columns[1]", "type-object"),
        ("$.columns[2].name", "missing-member"),
        ("$.queries[0].id", "missing-member"),
        ("$.queries[0].statistic", "not-a-choice"),
        ("$.extra", "unknown-member"),
    ]


def test_brackets_in_texts_are_no_depth() -> None:
    raw = study(f'"title": "{"[" * 200}\\"{"{" * 50}"').encode()
    assert study_from_bytes(raw).title == "[" * 200 + '"' + "{" * 50


@given(st.binary(max_size=80))
def test_no_bytes_do_anything_but_read_or_refuse(raw: bytes) -> None:
    with pytest.raises(Refused):
        study_from_bytes(raw)


@given(drafts(), st.data())
def test_a_damaged_file_is_read_or_refused(study: Study, data: st.DataObject) -> None:
    text = canonical(study_to_members(study))
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 5)))
    damaged = text[:start] + data.draw(st.text(max_size=3)) + text[end:]
    try:
        again = study_from_bytes(damaged.encode("utf-8"))
    except Refused as refused:
        assert refused.problems
    else:
        assert isinstance(again, Study)
