# SPDX-License-Identifier: Apache-2.0
"""A bundle in a language that is not here is not taken for one of another version."""

from __future__ import annotations

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.release.bundle.signed_bundle import build
from dpdesk.release.record.values import newest_form
from dpdesk.release.verify.verification import verify
from tests.release.bundles import KEY, KNOWN, done


def test_why_texts_are_not_made_again_is_said(session: Session) -> None:
    page = VerifyPage(session)
    said = {}
    for code in ("fi", "de"):
        raw = build(done().stored, done().head, KEY, newest_form(code))
        found = verify(raw, KNOWN)
        page.answers.show_answers(found)
        page._say_verdict(found)
        said[code] = page.answers.remade.accessibleName()
        assert page.verdict.verdict.text() == "You can rely on this bundle"
        is_said = "its signer alone answers" in page.verdict.accessibleName()
        assert is_said == (code == "fi")
    assert "no sentences in the bundle's language" in said["fi"] and "report.html" in said["fi"]
    assert said["de"].startswith("Tables and report: Reproduced")
