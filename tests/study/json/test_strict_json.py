# SPDX-License-Identifier: Apache-2.0
"""Strict JSON: each guard is shown by a study that is right but for what it guards against.

``tests/release/verify/test_manifest_json.py`` shows the guards of a manifest's narrower rules.
"""

import json
import tracemalloc
from dataclasses import replace
from decimal import Decimal
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.verify.manifest_json import RULES as MANIFEST
from dpdesk.study.json import strict_json
from dpdesk.study.json.strict_json import STUDY, JsonRules, parse_json
from dpdesk.study.json.study_writer import study_to_bytes
from dpdesk.study.problem import Refused
from tests.release.studies import STUDY as STAYS

RULES = (STUDY, MANIFEST)
RIGHT = study_to_bytes(STAYS)


class StudyFlaw(NamedTuple):
    """One thing that is wrong with a study's bytes.

    Attributes:
        code: how it is refused.
        document: the study with that flaw.
        module_name: what refuses it; empty where one of the rules does.
        other: what stands in its place in a reader that lets it pass, or the other rules.
    """

    code: str
    document: bytes
    module_name: str
    other: Any


def _note(value: bytes) -> bytes:
    """The study with one more member."""
    return RIGHT.rstrip()[:-1] + b', "note": ' + value + b"}"


FLAWS = [
    StudyFlaw("json-duplicate-key", _note(b'1, "note": 1'), "_unique", dict),
    StudyFlaw("json-number", _note(b"NaN"), "no_number", float),
    StudyFlaw("json-number", _note(b"-Infinity"), "no_number", float),
    StudyFlaw("json-number", _note(b"9" * 61), "", {"whole": int}),
    StudyFlaw("json-number", _note(b"0." + b"0" * 60 + b"1"), "", {"fraction": Decimal}),
    StudyFlaw("json-too-deep", _note(b"[" * 8 + b"]" * 8), "", {"depth": 9}),
    StudyFlaw("json-too-large", RIGHT + b" " * STUDY.size, "", {"size": 10**9}),
    StudyFlaw("json-not-text", _note('"\u00e4"'.encode("latin-1")), "", {"encoding": "latin-1"}),
]


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: f"{flaw.code} {flaw.document[-20:]!r}")
def test_a_flaw_is_refused_and_by_its_guard_alone(
    flaw: StudyFlaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Refused) as refused:
        parse_json(flaw.document)
    assert [problem.code for problem in refused.value.problems] == [flaw.code]
    rules = STUDY if flaw.module_name else replace(STUDY, **flaw.other)
    if flaw.module_name:
        monkeypatch.setattr(strict_json, flaw.module_name, flaw.other)
    assert (
        parse_json(flaw.document, rules).items() >= json.loads(RIGHT, parse_float=Decimal).items()
    )


@pytest.mark.parametrize(
    ("document", "value"),
    [
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        ('{"\u00e4": "\U0001f600["}'.encode(), {"\u00e4": "\U0001f600["}),
        (rb'{"a": "\ud800"}', {"a": "\ud800"}),
        (b"[0.10, 1e3, " + b"9" * 60 + b"]", [Decimal("0.1"), Decimal(1000), int("9" * 60)]),
    ],
)
def test_a_study_may_hold_what_a_manifest_may_not(document: bytes, value: object) -> None:
    assert parse_json(document) == value
    with pytest.raises(Refused):
        parse_json(document, MANIFEST)


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**14), 10**14)
    | st.text(st.sampled_from('ab\\"[]{},:\n\u00e4\U0001f600u') | st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def levels(value: object) -> int:
    """How deep brackets are nested."""
    if isinstance(value, dict):
        value = list(value.values())
    return 1 + max(map(levels, value), default=0) if isinstance(value, list) else 0


@given(st.sampled_from(RULES), VALUES, st.booleans())
def test_whatever_is_written_strictly_is_read_back(
    rules: JsonRules, value: object, ascii_only: bool
) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only or rules is MANIFEST).encode()
    if levels(value) <= rules.depth:
        assert parse_json(raw, rules) == value
    else:
        with pytest.raises(Refused):
            parse_json(raw, rules)


@given(
    st.sampled_from(RULES),
    st.binary(max_size=60) | st.text(st.sampled_from('"\\[]{}:,1u d8'), max_size=60),
)
def test_what_is_read_is_what_every_reader_reads(rules: JsonRules, text: bytes | str) -> None:
    raw = text.encode("ascii") if isinstance(text, str) else text
    try:
        value = parse_json(raw, rules)
    except Refused:
        return
    assert value == json.loads(raw, parse_float=Decimal) and levels(value) <= rules.depth


@pytest.mark.parametrize("rules", RULES, ids=["study", "manifest"])
@pytest.mark.parametrize(
    "raw",
    [
        b'"' + b'\\"' * 400_000,
        b'{"a": "' + b"\\\\" * 400_000,
        b'"' * 800_001,
        b"[" * 800_000,
        b"[]" * 400_000,
        b"[{" * 400_000,
        b'"\\u' * 260_000,
        rb"\ud800\udc00" * 66_000 + rb"\ud800",
        b'["' + b'\\","' * 200_000,
        b" " * 800_000 + b"[",
        b"-" * 800_000,
        b"1" * 800_000,
        b'{"":' * 200_000,
        b"{" + b",".join(b'"%d":1' % (n % 66_000) for n in range(80_000)) + b"}",
    ],
    ids=range(14),
)
def test_hostile_documents_are_looked_at_once(raw: bytes, rules: JsonRules) -> None:
    """800 kB that once took hours: each byte is looked at some times, never each with each."""
    tracemalloc.start()
    try:
        with pytest.raises(Refused):
            parse_json(raw, rules)
        assert tracemalloc.get_traced_memory()[1] < 24 * len(raw)
    finally:
        tracemalloc.stop()
