# SPDX-License-Identifier: Apache-2.0
"""A window with some queries, on the page that declares them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.release.ledger import Ledger
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from dpdesk.study.model.amount import Epsilon
from dpdesk.study.model.queries import Query
from dpdesk.study.model.unit import Unit
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY, write_data

Opener = Callable[..., MainWindow]


@pytest.fixture
def opened(open_window: OpenWindow, tmp_path: Path, home: Home) -> Opener:
    """Opens a window with some queries, about people who are told apart as is said."""

    def open_with(*queries: Query, unit: Unit | None = STUDY.unit) -> MainWindow:
        write_data(tmp_path)
        save_study(replace(STUDY, unit=unit, queries=queries), tmp_path / "stays.dpdesk")
        Ledger.open(home).new_account("registry", Epsilon.of(1))
        window = open_window(tmp_path / "stays.dpdesk", page="queries")
        settle()
        return window

    return open_with


def page_of(window: MainWindow) -> QueriesPage:
    """The page that declares them."""
    page = window.pages["queries"]
    assert isinstance(page, QueriesPage)
    return page
