# SPDX-License-Identifier: Apache-2.0
"""A page of the window is declared once, and all that shows it follows from its declaration."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QAction

from dpdesk.desk.core.state import STEPS
from dpdesk.desk.pages.help.handbook import read_handbook
from dpdesk.desk.pages.help.topics import topic_at
from dpdesk.desk.pages.page_list import PAGES, Rail
from tests.desk.conftest import OpenWindow
from tests.desk.screens import settle


def test_the_steps_are_the_pages_that_say_how_far_they_are() -> None:
    assert tuple(p.key for p in PAGES.values() if p.rail is Rail.STEP) == STEPS


def test_a_page_lies_in_the_folder_of_its_key_and_has_a_page_of_the_handbook() -> None:
    handbook = {page.key for page in read_handbook("en").pages}
    for page in PAGES.values():
        module = getattr(page.load(), "__module__", "")
        assert module == f"dpdesk.desk.pages.{page.key}.page"
        assert topic_at(module) == page.handbook_page and page.handbook_page in handbook


@pytest.mark.in_turn(2)
def test_keys_and_menus_open_what_is_declared(open_window: OpenWindow, study_file: Path) -> None:
    window = open_window(study_file)
    by_keys = {action.shortcut().toString(): action for action in window.findChildren(QAction)}
    by_name = {action.text(): action for action in window.findChildren(QAction)}
    for page in PAGES.values():
        doors = [by_keys[page.shortcut]] if page.shortcut else []
        doors += [by_name[page.tool()]] if page.tool is not None else []
        for action in doors:
            window.go_to("verify")
            action.trigger()
            assert window.page == page.key
            settle()
            assert window.pages[page.key].accessibleName() == page.title()


@pytest.mark.in_turn(2)
def test_a_page_without_an_item_leads_back_to_where_it_was_opened(
    open_window: OpenWindow, study_file: Path
) -> None:
    window = open_window(study_file)
    for page in PAGES.values():
        if page.rail is Rail.NONE:
            for before in ("columns", "verify"):
                window.go_to(before)
                window.go_to(page.key)
                settle()
                window.pages[page.key].footer.back.click()
                assert window.page == before
    window.go_to("people")
    window.go_to("comparison")
    window.go_to("keys")
    window.pages["keys"].footer.back.click()
    assert window.page == "comparison", "one beside the other"
    window.pages["comparison"].footer.back.click()
    assert window.page == "people"
