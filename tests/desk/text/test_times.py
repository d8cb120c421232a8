# SPDX-License-Identifier: Apache-2.0
"""Every time on a page is the reader's own, by one function."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QLocale

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.history.row_words import row_words
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.text.times import when
from dpdesk.study.model.amount import Epsilon

STAMP = "2026-11-21T22:32Z"


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nine hours ahead: it is the next day there."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system has no zone to choose")
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    monkeypatch.setenv("TZ", "EAST-9")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()
    QLocale.setDefault(before)


@pytest.mark.usefixtures("far_east")
def test_it_is_the_readers_day_and_hour() -> None:
    assert when(STAMP) == "Sunday, 22 November 2026, 07:32"
    assert when(STAMP, brief=True) == "22 Nov 2026, 07:32"


@pytest.mark.parametrize("stamp", ["", "soon", "2026-19-39T29:59Z", "0001-01-01T00:00Z"])
def test_what_is_no_time_is_shown_as_it_is(stamp: str) -> None:
    assert stamp[:4] in when(stamp)


@pytest.mark.usefixtures("far_east")
def test_history_shows_it(session: Session) -> None:
    session.accounts.ledger().new_account("registry", Epsilon.of("1"), "")
    (found,) = session.accounts.ledger().history()
    row = row_words(replace(found, entry=replace(found.entry, time=STAMP)))
    assert row[1] == "22 Nov 2026, 07:32"


@pytest.mark.usefixtures("far_east")
def test_verify_shows_it(session: Session) -> None:
    page = VerifyPage(session)
    found = SimpleNamespace(
        release=SimpleNamespace(record=SimpleNamespace(time=STAMP)), files={"a": b"", "b": b""}
    )
    text = page._describe(found)  # type: ignore[arg-type]
    assert text == "Released Sunday, 22 November 2026, 07:32. 2 files."
