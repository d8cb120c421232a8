# SPDX-License-Identifier: Apache-2.0
"""What the budget panel says of a plan, beside the page that is on show."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dpdesk.desk.main_window.window import MainWindow
from dpdesk.desk.pages.queries.accuracy import worlds_words
from dpdesk.release.places.home import Home
from dpdesk.study.model.amount import WITHOUT_DELTA, Epsilon
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path, home: Home) -> MainWindow:
    made = open_window(study_file)
    settle()
    return made


def test_a_guess_that_nothing_limits_is_said_to_be_right_nearly_always(window: MainWindow) -> None:
    """At most 100 in 100 times limits nothing."""
    for share, said in (("0.5", "at most <b>"), ("6", "<b>more than 99 in 100</b> times")):
        query = replace(STUDY.queries[0], epsilon=Epsilon.of(share))
        window.session.edit(replace(window.session.state.study, queries=(query,)), "")
        settle()
        assert said in window.panel._guess.text()
        assert "100 in 100" not in window.panel._guess.text()
        in_card = worlds_words.explanation(
            window.session.state.study, Epsilon.of(share), WITHOUT_DELTA
        )
        assert said in in_card and "100 in 100" not in in_card


def test_nobody_is_sent_to_the_page_that_is_on_show(window: MainWindow) -> None:
    window.session.edit(replace(window.session.state.study, queries=()), "")
    window.go_to("columns")
    assert "in the step Queries" in window.panel._shares_empty.text()
    window.go_to("queries")
    assert window.panel._shares_empty.text() == "No queries yet."
