# SPDX-License-Identifier: Apache-2.0
"""The scheme can be switched at any moment, also while cards, lists and windows come and go."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent

from dpdesk.desk.pages.queries.page import QueriesPage
from dpdesk.desk.theme.theme import Theme
from tests.audit.length import runs
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


def test_switching_while_widgets_come_and_go(
    open_window: OpenWindow, study_file: Path, themed: Theme
) -> None:
    for turn in range(runs(1, 6)):
        window = open_window(study_file)
        queries = window.pages["queries"]
        assert isinstance(queries, QueriesPage)
        for step, key in enumerate((*window.pages, *window.pages)):
            window.go_to(key)
            if key == "queries":
                queries.add_query()
                queries.card(queries.selected).sentence.chip("statistic").click()
                themed.apply("dark" if turn % 2 else "light")
                queries.card(queries.selected).sentence.anchor.popup.close()
                queries._do(queries.selected, "remove")
            # Some of what was taken away is still there, some is not.
            themed.apply("dark" if step % 2 else "light")
            settle(1)
        window.close()
        themed.apply("dark")
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        themed.apply("light")
