# SPDX-License-Identifier: Apache-2.0
"""Every time on a page is the reader's own, by one function."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest
from PySide6.QtWidgets import QApplication

from dpdesk.desk.core.session import Session
from dpdesk.desk.pages.history.row_words import row_words
from dpdesk.desk.pages.verify.page import VerifyPage
from dpdesk.desk.text.times import calendar_day, day, in_lines, periods, when
from dpdesk.study.model.amount import Epsilon
from tests.desk.languages import spoken_language, written_as_in

STAMP = "2026-11-21T22:32Z"


@pytest.fixture
def far_east(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nine hours ahead: it is the next day there."""
    if not hasattr(time, "tzset"):
        pytest.skip("this system has no zone to choose")
    monkeypatch.setenv("TZ", "EAST-9")
    time.tzset()
    with written_as_in("en_GB"):
        yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("far_east")
def test_it_is_the_readers_day_and_hour() -> None:
    assert when(STAMP) == "Sunday, 22\u00a0November\u00a02026, 07:32"
    assert when(STAMP, brief=True) == "22\u00a0Nov\u00a02026, 07:32"
    assert in_lines(STAMP) == "22\u00a0Nov\u00a02026\n07:32"


@pytest.mark.usefixtures("far_east")
def test_a_short_day_never_breaks_at_a_lines_end(qapp: QApplication) -> None:
    for language in ("en", "de"):
        with spoken_language(qapp, language):
            for said in (day(STAMP, brief=True), calendar_day("2026-11-22")):
                assert "2026" in said
                assert " " not in said


@pytest.mark.parametrize("stamp", ["", "soon", "2026-19-39T29:59Z", "0001-01-01T00:00Z"])
def test_what_is_no_time_is_shown_as_it_is(stamp: str) -> None:
    assert stamp[:4] in when(stamp)


def test_periods_are_written_as_people_do(qapp: QApplication) -> None:
    months, quarters = ("2026-05", "2026-11"), ("2025-Q4", "2026-Q1")
    with spoken_language(qapp, "en"):
        assert [*periods(months).values()] == ["May 2026", "Nov 2026"]
        assert periods(quarters) == {"2025-Q4": "Q4 2025", "2026-Q1": "Q1 2026"}
        assert periods([*months, "unknown"]) == periods(["2026", "2026-13", "2026-1"]) == {}
    with spoken_language(qapp, "de"):
        assert [*periods(months).values()] == ["Mai 2026", "Nov. 2026"]


@pytest.mark.usefixtures("far_east")
def test_history_shows_it(session: Session) -> None:
    session.accounts.ledger().new_account("registry", Epsilon.of("1"), "")
    (found,) = session.accounts.ledger().history()
    row = row_words(replace(found, entry=replace(found.entry, time=STAMP)), {})
    assert row[1] == "22\u00a0Nov\u00a02026, 07:32"


@pytest.mark.usefixtures("far_east")
def test_verify_shows_it(session: Session) -> None:
    page = VerifyPage(session)
    found = SimpleNamespace(
        release=SimpleNamespace(record=SimpleNamespace(time=STAMP)), files={"a": b"", "b": b""}
    )
    text = page._describe(found)  # type: ignore[arg-type]
    assert text == "Released Sunday, 22\u00a0November\u00a02026, 07:32. 2 files."
