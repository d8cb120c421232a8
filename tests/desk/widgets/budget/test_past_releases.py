# SPDX-License-Identifier: Apache-2.0
"""Beside pages about what was released, the panel lists the account's releases, not a plan."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel

from dpdesk.desk.core.accounts import LAST_RELEASES
from dpdesk.desk.main_window.window import MainWindow
from dpdesk.privacy.noise.door import OpenDPDoor
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.release.run.release_run import release
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.unit import DataSource
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    return open_window(study_file)


def listed(window: MainWindow, page: str) -> list[str]:
    """What stands below the heading of the shares."""
    window.go_to(page)
    settle()
    window.panel._coming.finish()
    labels = [one for one in window.panel.findChildren(QLabel) if one.isVisibleTo(window.panel)]
    texts = [one.text().replace("\N{NO-BREAK SPACE}", " ") for one in labels]
    return texts[texts.index(window.panel._shares_title.text()) :]


def test_releases_stand_where_a_plan_says_nothing(
    window: MainWindow, home: Home, tmp_path: Path
) -> None:
    assert listed(window, "history")[0] == "This plan", "nothing was released yet"
    ledger = Ledger.open(home)
    for extract, epsilon in (("one", "0.2"), ("two", "0.1")):
        first = replace(STUDY.queries[0], epsilon=Epsilon.of(epsilon))
        study = replace(STUDY, data=DataSource("stays.csv", extract=extract), queries=(first,))
        release(study, tmp_path, ledger, OpenDPDoor())
    window.session.reread_accounts()
    for page in ("history", "verify"):
        said = listed(window, page)
        assert said[0] == "Releases"
        newest = next(place for place, one in enumerate(said) if "Release 2, " in one)
        assert said[newest + 1] == "0.10" and "0.20" in said[newest + 2 :]
        assert not any(query.title and query.title in said for query in STUDY.queries)
    assert listed(window, "queries")[0] == "This plan"


def test_of_many_releases_the_last_ones_are_listed(window: MainWindow) -> None:
    account = window.session.accounts.states[0]
    (opened,) = account.entries
    many = tuple(
        replace(opened, sequence=n, kind="release", charged=Epsilon.of("0.001"))
        for n in range(2, 40)
    )
    window.session.accounts.states = (replace(account, entries=(opened, *many)),)
    view = window.session.accounts.view(window.session.document.study)
    assert view is not None
    assert [one.number for one in view.releases] == [*range(38, 38 - LAST_RELEASES, -1)]
