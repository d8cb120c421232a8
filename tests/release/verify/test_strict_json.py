# SPDX-License-Identifier: Apache-2.0
"""Strict JSON: each guard is shown by a document that is right but for what it guards against."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify import strict_json
from dpdesk.release.verify.strict_json import MAX_DEPTH, NotStrict, parse_strict
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KEY, KNOWN, repacked
from tests.release.documents import Flaw, flaws, right

FLAWS = flaws()


def test_a_manifest_without_a_flaw_is_read() -> None:
    assert parse_strict(right()) == json.loads(right())


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_a_document_that_two_readers_could_read_in_two_ways_is_refused(flaw: Flaw) -> None:
    with pytest.raises(NotStrict):
        parse_strict(flaw.document)


@pytest.mark.parametrize("flaw", [f for f in FLAWS if f.guard], ids=lambda flaw: flaw.name)
def test_nothing_but_its_guard_refuses_a_document(
    flaw: Flaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flaw.guard is not None
    monkeypatch.setattr(strict_json, *flaw.guard)
    statement = parse_strict(flaw.document)
    assert statement["predicate"].items() >= json.loads(right())["predicate"].items()


@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_a_flaw_makes_a_signed_manifest_worthless(flaw: Flaw) -> None:
    raw = flaw.document
    found = verify(repacked(lambda f: f.update({MANIFEST: raw, SIGNATURE: sign(raw, KEY)})), KNOWN)
    assert [problem.code for problem in found.whole] == ["manifest-malformed"]
    assert found.claim is None and not found.predicate


@pytest.mark.parametrize(("name", "guard"), [("a member twice", dict), ("too large", 10**9)])
def test_without_the_guard_the_whole_bundle_would_be_good(
    name: str, guard: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that comes after strict reading would notice."""
    (flaw,) = (flaw for flaw in FLAWS if flaw.name == name)
    raw = flaw.document
    sealed = repacked(lambda f: f.update({MANIFEST: raw, SIGNATURE: sign(raw, KEY)}))
    monkeypatch.setattr(strict_json, "_unique" if guard is dict else "MAX_BYTES", guard)
    assert verify(sealed, KNOWN).is_good


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


@given(VALUES)
def test_whatever_is_written_strictly_is_read_back(value: object) -> None:
    raw = json.dumps(value).encode("ascii")
    if levels(value) <= MAX_DEPTH:
        assert parse_strict(raw) == value
    else:
        with pytest.raises(NotStrict):
            parse_strict(raw)


@given(st.binary(max_size=60) | st.text(st.sampled_from('"\\[]{}:,1u d8'), max_size=60))
def test_what_is_read_is_what_every_reader_reads(text: bytes | str) -> None:
    raw = text.encode("ascii") if isinstance(text, str) else text
    try:
        value = parse_strict(raw)
    except NotStrict:
        return
    assert value == json.loads(raw) and levels(value) <= MAX_DEPTH


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
    ],
    ids=range(13),
)
def test_hostile_documents_are_looked_at_once(raw: bytes) -> None:
    """800 kB that once took hours: each byte is looked at some times, never each with each."""
    tracemalloc.start()
    try:
        with pytest.raises(NotStrict):
            parse_strict(raw)
        assert tracemalloc.get_traced_memory()[1] < 24 * len(raw)
    finally:
        tracemalloc.stop()
