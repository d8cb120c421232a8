# SPDX-License-Identifier: Apache-2.0
"""A manifest's JSON: each guard is shown by a document that is right but for one thing."""

import json

import pytest

from dpdesk.release.bundle.signed_bundle import MANIFEST, SIGNATURE
from dpdesk.release.signing.sshsig import sign
from dpdesk.release.verify.manifest_json import parse_manifest
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN, repacked
from tests.release.documents import Flaw, flaws, right

FLAWS = flaws()


def test_a_manifest_without_a_flaw_is_read() -> None:
    assert parse_manifest(right()) == json.loads(right())


@pytest.mark.threat("G7")
@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_a_document_that_two_readers_could_read_in_two_ways_is_refused(flaw: Flaw) -> None:
    with pytest.raises(Refused):
        parse_manifest(flaw.document)


@pytest.mark.parametrize("flaw", [f for f in FLAWS if f.guard], ids=lambda flaw: flaw.name)
def test_nothing_but_its_guard_refuses_a_document(
    flaw: Flaw, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert flaw.guard is not None
    monkeypatch.setattr(*flaw.guard)
    statement = parse_manifest(flaw.document)
    assert statement["predicate"].items() >= json.loads(right())["predicate"].items()


@pytest.mark.threat("G7")
@pytest.mark.parametrize("flaw", FLAWS, ids=lambda flaw: flaw.name)
def test_a_flaw_makes_a_signed_manifest_worthless(flaw: Flaw) -> None:
    raw = flaw.document
    found = verify(repacked(lambda f: f.update({MANIFEST: raw, SIGNATURE: sign(raw, KEY)})), KNOWN)
    assert [problem.code for problem in found.whole] == ["manifest-malformed"]
    assert found.claim is None and found.release is None


@pytest.mark.parametrize("name", ["a member twice", "too large"])
def test_without_the_guard_the_whole_bundle_would_be_good(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing that comes after strict reading would notice."""
    (flaw,) = (flaw for flaw in FLAWS if flaw.name == name)
    raw = flaw.document
    sealed = repacked(lambda f: f.update({MANIFEST: raw, SIGNATURE: sign(raw, KEY)}))
    assert flaw.guard is not None
    monkeypatch.setattr(*flaw.guard)
    assert verify(sealed, KNOWN).is_good
