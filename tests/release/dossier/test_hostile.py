# SPDX-License-Identifier: Apache-2.0
"""Typed texts and bundles that somebody made to break a dossier, or whoever reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.query_headings import ReleaseWords
from dpdesk.release.dossier.dossier_check import check_dossier
from dpdesk.release.dossier.dossier_file import build_dossier, dossier_name, write_dossier
from dpdesk.release.dossier.kept_stated import keep_stated, read_stated
from dpdesk.release.dossier.stated import MOST_SIGNS, Stated, stated_of
from dpdesk.release.dossier.subject import subject_of
from dpdesk.release.places.home import Home
from dpdesk.release.signing.signers import Signers
from dpdesk.release.verify.active_content import is_plain_report
from dpdesk.release.verify.plain_documents import is_plain_pdf
from dpdesk.release.verify.verification import verify
from dpdesk.study.problem import Refused
from tests.release.bundles import KEY, KNOWN, bundle, done, refusal, repacked, resigned
from tests.release.dossier.dossiers import STATED, subject, verified
from tests.release.hostile import containers
from tests.release.verify.test_active_content import of_another_version

ODD_TEXTS = {
    "html": '<script>alert("x")</script><img src=x onerror=y> & </p></body>',
    "entities": "&lt;b&gt; &#60; &amp;amp; {title} %s {0}",
    "pdf": "() \\( \\) endstream endobj /JavaScript /OpenAction << >> \\",
    "one long word": "x" * MOST_SIGNS,
    "long": "word " * (MOST_SIGNS // 5),
    "right to left": "\u05d3\u05d5\u05d7 \u05d0\u05d9\u05db \u062a\u0642\u0631\u064a\u0631",
    "rare": "\U0001f600 \U00020bb7 \u0e01\u0e33 e\u0301",
    "formula": '=HYPERLINK("x") +1 @SUM',
}
HIDDEN = ["\x00", "a\x07b", "\u202eevil", "\u2066x\u2069", "\u200b", "a\ufeffb", "\ud800", "\u3164"]


@pytest.mark.parametrize("name", ODD_TEXTS)
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.in_turn(4)
def test_typed_texts_stay_texts(name: str, language: str) -> None:
    odd = ODD_TEXTS[name]
    stated = stated_of(replace(STATED, purpose=odd, recipient=odd, legal_route=odd).members)
    raw = build_dossier(subject(stated, language), KEY)
    files = unpack(raw)
    assert is_plain_report(files["dossier.html"]) and b"<script" not in files["dossier.html"]
    assert is_plain_pdf(files["dossier.pdf"])
    found = check_dossier(raw, KNOWN, [verified()])
    assert found.is_good and found.remade == "yes"


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
def test_signs_that_nobody_sees_are_refused(hidden: str) -> None:
    problem = refusal(stated_of, replace(STATED, purpose=hidden).members)
    assert (problem.code, problem.path) == ("text-invisible", "$.purpose")


def test_line_ends_become_spaces_and_longer_texts_are_refused() -> None:
    assert stated_of(replace(STATED, purpose=" a\r\n\tb  c ").members).purpose == "a b c"
    problem = refusal(stated_of, replace(STATED, recipient="x" * (MOST_SIGNS + 1)).members)
    assert (problem.code, problem.params) == ("text-too-long", {"most": str(MOST_SIGNS)})


@pytest.mark.parametrize(
    "day", ["tomorrow", "2027-02-30", "30.11.2027", "20271130", "2027-11-30T00:00", "\u0662\u0660"]
)
def test_a_review_date_is_a_day(day: str) -> None:
    assert refusal(stated_of, replace(STATED, review_date=day).members).code == (
        "dossier-date-invalid"
    )


@pytest.mark.parametrize(
    "members", [None, [], {}, {**STATED.members, "more": "x"}, {**STATED.members, "purpose": 1}]
)
def test_members_of_another_form_are_refused(members: Any) -> None:
    assert refusal(stated_of, members).code == "dossier-fields-invalid"


def _wider_claim(statement: dict[str, Any]) -> None:
    statement["predicate"]["claim"]["neighbours"] = "change-one"


def bad_bundles() -> Iterator[bytes]:
    yield from (raw for _name, raw in containers())
    yield resigned(_wider_claim)
    yield repacked(lambda files: files.update({"report.html": b"<script>"}))
    yield bundle()[:-1]


def test_no_dossier_is_made_of_a_bundle_that_does_not_verify() -> None:
    bundles = list(bad_bundles())
    assert len(bundles) > 12
    for raw in bundles:
        found = verify(raw, KNOWN)
        problem = refusal(subject_of, found, STATED, ReleaseWords.of("en"))
        assert problem.code == "dossier-bundle-not-verified"


def test_a_dossier_is_made_of_a_bundle_that_another_version_wrote() -> None:
    """It follows from what was drawn, and from no page of the bundle."""
    page = unpack(bundle())["report.html"]
    subjects = [
        subject_of(verify(raw, KNOWN), STATED, ReleaseWords.of("en"))
        for raw in (bundle(), of_another_version("report.html", page.replace(b"<p>", b"<p>1", 1)))
    ]
    assert subjects[0].tables == subjects[1].tables


def test_no_dossier_is_made_of_a_strangers_bundle() -> None:
    found = verify(bundle(), Signers(()))
    problem = refusal(subject_of, found, STATED, ReleaseWords.of("en"))
    assert problem.code == "dossier-bundle-not-verified"


def test_what_was_typed_in_is_kept_for_the_study(tmp_path: Path) -> None:
    home, record = Home.at(tmp_path), done().stored.record
    assert read_stated(home, record) == Stated()
    keep_stated(home, record, STATED)
    assert read_stated(home, record) == STATED
    other = replace(record, account=replace(record.account, name="other"))
    assert read_stated(home, other) == Stated()
    (path,) = home.dossiers.iterdir()
    for odd in (b"", b"{", b'{"purpose": "\\u202e"}', b"[" * 10_000, bytes(200_000)):
        path.write_bytes(odd)
        assert read_stated(home, record) == Stated()


def _as_folder(path: Path) -> None:
    path.mkdir()


def _as_file(path: Path) -> None:
    path.write_bytes(b"kept")


@pytest.mark.parametrize("put", [_as_folder, _as_file])
def test_nothing_is_written_over(tmp_path: Path, put: Callable[[Path], None]) -> None:
    path = tmp_path / "d.zip"
    put(path)
    assert refusal(write_dossier, path, b"new").code == "export-exists"
    with pytest.raises(Refused):
        write_dossier(tmp_path / "none" / "d.zip", b"new")


def test_a_name_is_plain_whatever_the_bundle_is_called() -> None:
    assert dossier_name("../Stays \u202e.zip") == "stays-dossier.zip"
