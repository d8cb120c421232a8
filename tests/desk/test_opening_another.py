# SPDX-License-Identifier: Apache-2.0
"""Opening a study draws that study, once, and nothing of the one before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QFileDialog

from dpdesk.desk.pages.queries.query_card import QueryCard
from dpdesk.release.places.home import Home
from dpdesk.study.json.study_files import save_study
from tests.desk.conftest import OpenWindow, save_with_account
from tests.desk.screens import settle, wait_until
from tests.release.studies import STUDY, write_data


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Queries whose cards were drawn."""
    ids, render = [], QueryCard.render_state

    def noted(card: QueryCard, state: Any, query: Any, *given: Any) -> None:
        ids.append(query.id)
        render(card, state, query, *given)

    monkeypatch.setattr(QueryCard, "render_state", noted)
    return ids


@pytest.mark.parametrize("page", ["data", "queries", "release", "history"])
@pytest.mark.in_turn(2)
def test_cards_of_the_study_before_are_not_drawn_again(
    page: str, open_window: OpenWindow, home: Home, tmp_path: Path, drawn: list[str]
) -> None:
    write_data(tmp_path)
    query = STUDY.queries[0]
    first, second = (
        replace(STUDY, queries=tuple(replace(query, id=f"{name}-{n}") for n in range(3)))
        for name in ("first", "second")
    )
    save_study(second, tmp_path / "second.dpdesk")
    window = open_window(save_with_account(first, tmp_path / "first.dpdesk", home))
    settle()
    window.go_to(page)
    drawn.clear()
    window.opening.open_study(tmp_path / "second.dpdesk")
    assert window.page == "queries"
    assert drawn == ["second-0", "second-1", "second-2"]
    drawn.clear()
    window.session.document.close()
    assert (window.page, drawn) == ("", [])


def test_another_study_is_looked_for_where_studies_are_kept(
    open_window: OpenWindow, home: Home, study_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(
        QFileDialog,
        "getOpenFileName",
        lambda _parent, _title, start, *_a: (begun.append(start), ("", ""))[1],
    )
    window = open_window()
    window.opening.ask_open()
    window.opening.open_study(study_file)
    wait_until(lambda: window.session.document.is_open)
    window.opening.ask_open()
    assert begun == [str(home.root / "studies"), str(study_file.resolve().parent)]
