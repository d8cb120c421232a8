# SPDX-License-Identifier: Apache-2.0
"""A bundle in a language that is not here is not taken for one of another version."""

from __future__ import annotations

from typing import Any

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.release.bundle.bundle_zip import unpack
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.notices.own_decision import TakenBack
from dpdesk.release.record.values import form_in
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KEY, KNOWN, bundle, done, resigned
from tests.release.verify.test_active_content import of_another_version


def test_why_texts_are_not_made_again_is_said(session: Session) -> None:
    page = VerifyPage(session)
    said = {}
    for code in ("fi", "de"):
        raw = build(done().stored, done().chain, KEY, form_in(code))
        found = verify(raw, KNOWN)
        page.answers.show_answers(found)
        page._say_verdict(found)
        said[code] = page.answers.remade.accessibleName()
        verdict, relied = page.verdict.verdict.text(), "You can rely on this bundle"
        assert verdict == (relied if code == "de" else "You cannot rely on this bundle yet")
        assert bool(page._why_closed(found)) == (code == "fi")
    assert (
        "no sentences in the bundle’s language (fi)" in said["fi"] and "report.html" in said["fi"]
    )


def test_another_version_is_neither_relied_on_nor_called_a_forgery(session: Session) -> None:
    page = VerifyPage(session)
    found = verify(of_another_version("report.html", unpack(bundle())["report.html"]), KNOWN)
    page.answers.show_answers(found)
    page._say_verdict(found)
    assert page.verdict.verdict.text() == "You cannot rely on this bundle yet"
    assert "made by dpdesk 0.9.9" in page.verdict.accessibleName()
    assert "made by dpdesk 0.9.9" in page.answers.remade.accessibleName()
    assert "Recomputed from the study" in page.answers.claim.accessibleName()
    closed = "Figures locked: this dpdesk cannot check all of them."
    assert page._why_closed(found) == closed


def test_of_a_bundle_that_is_not_judged_no_files_are_counted(session: Session) -> None:
    """ "All 0 files are unchanged" stood there."""

    def change(statement: dict[str, Any]) -> None:
        statement["predicate"]["software"]["dpdesk"] = "9999.0.0"
        statement["predicate"]["queries"][0]["parts"][0]["scale"] = "60.0"

    page, found = VerifyPage(session), verify(resigned(change), KNOWN)
    page.answers.show_answers(found)
    said = page.answers.files.accessibleName()
    assert "None was changed since the bundle was signed." in said and "0" not in said
    # What its signer decided later is the news of it, too.
    page.answers.notice.own = TakenBack("withdrawn", "wrong file", "2026-11-30T12:00:00Z")
    page._say_verdict(found)
    assert page.verdict.verdict.text() == "This release was withdrawn"
    assert page._why_closed(found) == "Figures locked: their release was withdrawn."
