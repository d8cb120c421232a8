# SPDX-License-Identifier: Apache-2.0
"""Codebooks that are broken or mean harm: one clear problem, or one member left undeclared."""

from __future__ import annotations

import os
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.data.codebook.diff import accept, diff
from dpdesk.data.codebook.entry import MAX_CODEBOOK_BYTES
from dpdesk.data.codebook.read import read_codebook
from dpdesk.study.json.study_reader import study_from_bytes
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.limits import MAX_CODEBOOK_VARIABLES
from dpdesk.study.model.document import Study
from dpdesk.study.problem import Refused
from dpdesk.texts.problems import SENTENCES, located
from tests.data.codebook.written import CONTEXT, book, notes, redcap, refusal, said

FIELD = {"name": "a", "type": "integer"}
PLAIN = "name,type,min,max,step,values\n"


def made(name: str, of: object, kind: object = "number") -> dict[str, object]:
    return {"name": name, "kind": kind, "from": {"part": "year", "of": of}}


def derived(listed: object) -> dict[str, object]:
    return {"fields": [FIELD], "dpdesk": {"derived": listed}}


REFUSED = [
    (b"", "$", "codebook-unknown"),
    (b"\x89PNG\r\n\x1a\n\0\0", "$", "codebook-unknown"),
    (b"PK\x03\x04 a workbook", "$", "codebook-workbook"),
    (b"PAR1 rows", "$", "codebook-workbook"),
    (b"\xff\xfe\x00", "$", "codebook-unknown"),
    ("{" * 40, "$", "codebook-too-deep"),
    ('{"fields": [', "$", "json-invalid"),
    ('{"fields": [], "fields": []}', "$", "json-duplicate-key"),
    ('{"fields": [{"name": "a", "n": NaN}]}', "$", "json-number"),
    ('{"fields": [{"name": "a", "n": ' + "9" * 61 + "}]}", "$", "json-number"),
    ("[]", "$", "codebook-unknown"),
    ("{}", "$", "codebook-unknown"),
    ({"fields": []}, "$", "codebook-says-nothing"),
    ({"fields": {}}, "$.fields", "type-list"),
    ({"fields": [1]}, "$.fields[0]", "type-object"),
    ({"fields": [{"type": "integer"}]}, "$.fields[0]", "codebook-name-missing"),
    ({"fields": [{"name": 1}]}, "$.fields[0].name", "type-text"),
    ({"fields": [{"name": "a\u202e"}]}, "$.fields[0]", "codebook-name-invalid"),
    ('{"fields": [{"name": "\\ud800"}]}', "$.fields[0].name", "text-invisible"),
    ({"fields": [{"name": "x" * 301}]}, "$.fields[0]", "codebook-name-invalid"),
    ({"fields": [FIELD, FIELD]}, "$.fields[1]", "codebook-name-twice"),
    ({"fields": [{**FIELD, "constraints": []}]}, "$.fields[0].constraints", "type-object"),
    (
        {"fields": [{**FIELD, "constraints": {"enum": [{}]}}]},
        "$.fields[0].constraints.enum[0]",
        "type-text",
    ),
    ({"fields": [{**FIELD, "categories": 1}]}, "$.fields[0].categories", "type-list"),
    ({"schema": "https://example.org/schema.json"}, "$.schema", "codebook-elsewhere"),
    ({"resources": [{"name": "a", "schema": "../x"}]}, "$.resources[0].schema",
     "codebook-elsewhere"),
    ({"resources": []}, "$", "codebook-says-nothing"),
    (derived(7), "$.dpdesk.derived", "type-list"),
    (derived([7, 8]), "$.dpdesk.derived[0]", "type-object"),
    (derived([{"name": "b"}]), "$.dpdesk.derived[0].kind", "missing-member"),
    (derived([made("b", "a", kind=7)]), "$.dpdesk.derived[0].kind", "not-a-choice"),
    (derived([made("b", 7)]), "$.dpdesk.derived[0].from.of", "type-text"),
    (derived([{**made("b", "a"), "from": {"eval": "1"}}]), "$.dpdesk.derived[0].from",
     "step-kind"),
    (derived([made(" ", "a")]), "$.dpdesk.derived[0]", "codebook-name-missing"),
    (derived([made("a", "b")]), "$.dpdesk.derived[0]", "codebook-name-twice"),
    (derived([{"name": "b", "kind": "date"}]), "$.dpdesk.derived[0]", "codebook-column-of-file"),
    (derived([made("b", "c"), made("c", "b")]), "$.dpdesk.derived[0].from", "step-circle"),
    (derived([made(f"c{i}", f"c{i + 1}") for i in range(5000)]), "$.dpdesk.derived",
     "list-too-long"),
    ({"@context": CONTEXT, "tableSchema": "x.json"}, "$.tableSchema", "codebook-elsewhere"),
    ({"@context": CONTEXT, "tables": [{"tableSchema": 7}]}, "$.tables[0].tableSchema",
     "type-object"),
    (PLAIN, "$", "codebook-says-nothing"),
    (PLAIN + "a,integer,0,1,,\na,integer,0,1,,\n", "line 3", "codebook-name-twice"),
    (PLAIN + ",integer,0,1,,\n", "line 2", "codebook-name-missing"),
    (PLAIN + 'a,integer,0,1,,"' + "x" * 200_000, "line 2", "codebook-table-malformed"),
    (PLAIN + "a,integer,0,1,," + "x" * 100_001, "line 2", "codebook-table-malformed"),
    (PLAIN + "a" + "," * 1_001 + "\n", "line 2", "codebook-table-malformed"),
    (redcap("a\u200b,,text,A,,,integer,,,"), "line 3", "codebook-name-invalid"),
    (redcap(",,text,A,,,integer,,,"), "line 3", "codebook-name-missing"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "path", "code"), REFUSED)
def test_one_problem_at_its_place(tmp_path: Path, content: object, path: str, code: str) -> None:
    problem = refusal(tmp_path, content)
    assert (problem.path, problem.code) == (path, code)
    assert located(problem).endswith((".", "values."))


def test_files_that_are_none(tmp_path: Path) -> None:
    for path, code in ((tmp_path / "no.csv", "missing"), (tmp_path, "unreadable")):
        with pytest.raises(Refused) as refused:
            read_codebook(path)
        assert refused.value.problems[0].code == f"codebook-file-{code}"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Refused):
        read_codebook(tmp_path / "pipe")


def test_limits_of_size(tmp_path: Path) -> None:
    problem = refusal(tmp_path, b"x" * (MAX_CODEBOOK_BYTES + 1))
    assert (problem.code, problem.params) == ("codebook-too-large", {"most": "16"})
    rows = "".join(f"v{i},integer,0,1,,\n" for i in range(MAX_CODEBOOK_VARIABLES + 1))
    assert refusal(tmp_path, PLAIN + rows).code == "codebook-too-many-variables"
    boxes = "|".join(f"{i},x" for i in range(MAX_CODEBOOK_VARIABLES // 2))
    many = redcap(f'a,,checkbox,A,"{boxes}",,,,,', f'b,,checkbox,B,"{boxes}",,,,,')
    assert refusal(tmp_path, many).code == "codebook-too-many-variables"
    fields = [{"name": f"v{i}"} for i in range(MAX_CODEBOOK_VARIABLES + 1)]
    assert refusal(tmp_path, {"fields": fields}).code == "codebook-too-many-variables"


def test_a_package_of_several_tables_asks_which(tmp_path: Path) -> None:
    def resource(name: str, column: str) -> dict[str, object]:
        fields = [{"name": column, "type": "integer"}]
        return {"name": name, "path": f"data/{name}.csv", "schema": {"fields": fields}}

    package = {"resources": [resource("one", "a"), resource("two", "b")]}
    problem = refusal(tmp_path, package)
    assert (problem.code, problem.params) == ("codebook-tables-several", {"names": "one, two"})
    for wanted in ("two", "data/two.csv", "two.csv"):
        found = read_codebook(tmp_path / "codebook.txt", (wanted,))
        assert [entry.name for entry in found.columns] == ["b"]


@pytest.mark.parametrize(
    ("row", "left", "code"),
    [
        ("a,integer,9,1,1,", {"step": Decimal(1)}, "upper-not-above-lower"),
        ("a,integer,1,1,1,", {"step": Decimal(1)}, "upper-not-above-lower"),
        ("a,number,0,1,0,", {"lower": Decimal(0), "upper": Decimal(1)}, "step-not-positive"),
        ("a,number,0,1,-1,", {"lower": Decimal(0), "upper": Decimal(1)}, "step-not-positive"),
        ("a,number,0,1e99,,", {"lower": Decimal(0)}, "number-too-long"),
        ("a,number,0," + "9" * 16 + ",,", {"lower": Decimal(0)}, "number-too-long"),
        ("a,number,0," + "9" * 99 + ",,", {"lower": Decimal(0)}, "codebook-bound-invalid"),
        ("a,number,nan,inf,,", {}, "codebook-bound-invalid"),
        ("a,number,0,=1+1,,", {"lower": Decimal(0)}, "codebook-bound-invalid"),
        ("a,date,2020-02-30,2021-01-01,,", None, "codebook-bound-invalid"),
        ("a,date,2022-01-01,2021-01-01,,", {}, "days-reversed"),
        ("a,date,0001-01-01,2021-01-01,,", None, "year-out-of-range"),
        ("a,category,,,,x | x", {}, "value-twice"),
        ("a,category,,,,(missing) | x", {}, "value-reserved"),
        ("a,category,,,,1=A; 2=A", {"values": ("1", "2")}, "label-twice"),
        ("a,category,,,,1=2; 2=1", {"values": ("1", "2")}, "label-is-other-value"),
        ("a,category,,,,1=A; b", {}, "codebook-values-invalid"),
        ("a,category,,,,x\u200b | y", {}, "text-invisible"),
        ("a,category,,,," + "x" * 301 + " | y", {}, "text-too-long"),
    ],
)  # fmt: skip
def test_a_slip_costs_one_member(
    tmp_path: Path, row: str, left: dict[str, object] | None, code: str
) -> None:
    found = book(tmp_path, PLAIN + row + "\nb,integer,0,1,,\n")
    kept = {key: value for key, value in said(found, "a").items() if key != "kind"}
    assert notes(found, "a") == [code]
    assert left is None or kept == left
    assert said(found, "b")["upper"] == 1
    assert code in SENTENCES


def test_too_many_values_are_left_out(tmp_path: Path) -> None:
    values = " | ".join(map(str, range(5_001)))
    found = book(tmp_path, PLAIN + f"a,category,,,,{values}\n")
    assert said(found, "a") == {"kind": "category"}
    assert notes(found, "a") == ["list-too-long"]


def test_formulas_stay_the_texts_that_they_are(tmp_path: Path) -> None:
    """A release neutralises them where a spreadsheet could run them; a study keeps them."""
    found = book(tmp_path, PLAIN + "=cmd(),category,,,,1==cmd|' /C calc'!A0; 2=+1\n")
    assert [entry.name for entry in found.columns] == ["=cmd()"]
    study = accept(Study(), diff(Study(), found, None))
    assert study_from_bytes(study_to_bytes(study)) == study


_WORDS = (
    "name",
    "type",
    "min",
    "max",
    "values",
    "a",
    "b",
    "integer",
    "1",
    "0",
    "=",
    "|",
    ",",
    ";",
    '"',
    "{",
    "}",
    "[",
    "]",
    ":",
    '"fields"',
    "ü",
    "1e9",
    "-",
)
_words = st.sampled_from(_WORDS)
_signs = st.sampled_from(["\n", "\r", "\0", "\t", "\ud7ff"])


@given(st.lists(st.one_of(_words, _signs), max_size=60).map("".join))
def test_any_text_ends_in_a_codebook_or_one_problem(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzzed"
    for start in ("", "name,type,min,max,values\n", '{"fields": [{"name": "a",'):
        path.write_bytes((start + text).encode())
        try:
            found = read_codebook(path)
        except Refused as refused:
            (problem,) = refused.problems
            assert located(problem)
        else:
            study = accept(Study(), [c for c in diff(Study(), found, None) if c.is_offered])
            assert study_from_bytes(study_to_bytes(study)) == study


@given(st.data())
def test_a_real_codebook_with_bytes_changed(
    shared_data: Path, tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    names = ("redcap/simple/dictionary.csv", "table_schema/datapackage.json")
    raw = bytearray((shared_data / data.draw(st.sampled_from(names))).read_bytes())
    for _ in range(data.draw(st.integers(1, 8))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    path = tmp_path_factory.getbasetemp() / "mutated"
    path.write_bytes(bytes(raw))
    try:
        found = read_codebook(path)
    except Refused as refused:
        assert len(refused.problems) == 1
    else:
        study = accept(Study(), [c for c in diff(Study(), found, None) if c.is_offered])
        assert study_from_bytes(study_to_bytes(study)) == study
