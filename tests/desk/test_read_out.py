# SPDX-License-Identifier: Apache-2.0
"""What a screen reader learns: roles, states, values, and no mark-up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from PySide6.QtGui import QAccessible, QAccessibleInterface

from dpdesk.desk.main_window.rail_view import rail_entries
from dpdesk.desk.main_window.window import MainWindow
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle
from tests.release.studies import STUDY

PAGES = tuple(entry.key for entry in rail_entries())
ODD = "Stays < 3 days & more"


class ReadOut(NamedTuple):
    """One thing of the tree."""

    role: QAccessible.Role
    name: str
    description: str
    is_checked: bool


@pytest.fixture
def window(open_window: OpenWindow, study_file: Path) -> MainWindow:
    made = open_window(study_file)
    queries = (replace(STUDY.queries[0], title=ODD), *STUDY.queries[1:])
    made.session.edit(replace(STUDY, title=ODD, queries=queries), "")
    settle()
    return made


def tree(interface: QAccessibleInterface | None) -> Iterator[ReadOut]:
    """What is on show, from the top."""
    if interface is None or not interface.isValid() or interface.state().invisible:
        return
    text = QAccessible.Text
    yield ReadOut(
        interface.role(),
        interface.text(text.Name),
        interface.text(text.Description),
        bool(interface.state().checked),
    )
    if interface.role() != QAccessible.Role.Table:
        for place in range(interface.childCount()):
            yield from tree(interface.child(place))


def read_out(window: MainWindow, page: str) -> list[ReadOut]:
    window.go_to(page)
    settle(6)
    return list(tree(QAccessible.queryAccessibleInterface(window.centralWidget())))


CHECK_BOXES = {
    *("Budget", "Used", "Show as table", "Interval for the population"),
    "Whole numbers, none below 0",
}
"""What is on or off by itself."""


def test_each_page_is_read_out(window: MainWindow) -> None:
    """The rail is one choice of several, few things are check boxes, and nothing is mark-up."""
    names = {window.rail.item(key).text(): key for key in PAGES}
    for page in PAGES:
        found = read_out(window, page)
        items = [one for one in found if one.name in names][: len(PAGES)]
        assert {one.role for one in items} == {QAccessible.Role.RadioButton}
        assert [names[one.name] for one in items if one.is_checked] == [page]
        boxes = {one.name for one in found if one.role == QAccessible.Role.CheckBox}
        assert boxes <= CHECK_BOXES, page
        said = [text for one in found for text in (one.name, one.description)]
        markup = [t for t in said if any(m in t for m in ("&lt;", "&amp;", "<b>", "<span"))]
        assert markup == [], page
        assert page not in ("queries", "release") or any(ODD in text for text in said), page


def test_the_handle_says_its_share_and_margin(window: MainWindow) -> None:
    (handle,) = (one for one in read_out(window, "queries") if one.role == QAccessible.Role.Slider)
    assert handle.name == "Budget of this query: 0.10, ± 90 rows"
    page = window.pages["queries"]
    page.card("stays").accuracy.handle.share_dragged.emit(250_000)  # type: ignore[attr-defined]
    (handle,) = (one for one in read_out(window, "queries") if one.role == QAccessible.Role.Slider)
    assert handle.name == "Budget of this query: 0.25, ± 36 rows"


def test_cards_of_queries_are_groups_whose_menus_are_told_apart(window: MainWindow) -> None:
    found = read_out(window, "queries")
    menus = [one.name for one in found if one.name.startswith("More for ")]
    assert len(menus) == len(set(menus)) == len(STUDY.queries)
    assert [one.name for one in found if ", ," in one.name] == [], "a card reads no empty part"
    groups = [one for one in found if one.role == QAccessible.Role.Grouping]
    others = ("Steps", "The query as a sentence")
    named = [one.name for one in groups if one.name]
    assert [name for name in named if name in others] == list(others)
    named = [name for name in named if name not in others]
    assert len(named) == len(STUDY.queries)
    assert named[0] == f"{ODD}, ± 90 rows, 0.10"
