# SPDX-License-Identifier: Apache-2.0
"""A signer's name of any length leaves the verdict on the page, and can be read whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QFontInfo

from dpdesk.desk.main_window.window import LEAST_SIZE
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.release.places.home import Home
from dpdesk.release.signing.keys import new_key
from dpdesk.release.signing.signers import RevokedKey, Signers
from dpdesk.release.verify.verification import Verification, Who
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle, spoken

NAME = "W" * 89 + "@x.example"


@pytest.fixture
def page(open_window: OpenWindow) -> VerifyPage:
    window = open_window()
    window.resize(LEAST_SIZE)
    window.go_to("verify")
    page = window.pages["verify"]
    assert isinstance(page, VerifyPage)
    page._path = Path("Q" * 200 + ".zip")
    page.found = Verification(whole=(), who=Who("known", NAME, "SHA256:" + "W" * 43), claim=())
    page._name.setText(page._path.name)
    page.answers.show_answers(page.found)
    page._opened.show()
    page.empty.hide()
    settle()
    return page


def test_the_verdict_stays_on_the_page(page: VerifyPage) -> None:
    verdict = page.answers.signer._verdict
    right = verdict.mapTo(page.window(), QPoint(verdict.width(), 0)).x()
    assert verdict.isVisible()
    assert right <= page.mapTo(page.window(), QPoint(page.width(), 0)).x()
    assert page.window().width() == LEAST_SIZE.width()
    button = page.another
    assert button.mapTo(page, QPoint(button.width(), 0)).x() <= page.width()


def test_the_name_can_be_read_whole(page: VerifyPage) -> None:
    assert "…" in page.answers.signer.name.shown
    assert page.answers.signer.name.toolTip() == NAME
    assert spoken(page.answers.signer.name) == NAME
    assert NAME in page.answers.signer.accessibleName()
    assert "SHA256:" in page.answers.signer.accessibleName()


def test_a_fingerprint_stands_in_groups_that_are_broken_and_never_cut_off(page: VerifyPage) -> None:
    """As the page of the key shows it, and in its face: they are compared group by group."""
    key = page.answers.signer._key
    assert [len(line.split()) for line in key.text().split("\n")] == [8, 8]
    assert {len(group) for group in key.text().split()} == {4}
    assert QFontInfo(key.font()).fixedPitch()
    assert key.heightForWidth(200) >= 4 * key.height_of(1)


def test_a_short_name_is_shown_whole(page: VerifyPage) -> None:
    page.answers.signer.say(True, "", "Known", "office@x.example", "SHA256:" + "W" * 43)
    settle()
    assert page.answers.signer.name.shown == "office@x.example"
    page.answers.signer.say(None, "nobody", "–")
    settle()
    assert not page.answers.signer.name.isVisible()


def test_since_when_a_key_is_revoked_is_a_day_as_people_write_it(
    page: VerifyPage, home: Home
) -> None:
    signer = new_key(home.keys, "office@x.example", "made-up passphrase")
    page.answers._signers = Signers(revoked=(RevokedKey(signer, "2026-11-22", "It was stolen."),))
    said = page.answers._revoked(signer.fingerprint)
    assert said == "Revoked on 22\u00a0Nov\u00a02026: It was stolen."
