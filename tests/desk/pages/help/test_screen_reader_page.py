# SPDX-License-Identifier: Apache-2.0
"""The handbook tells of everything that the window announces, and of nothing else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpdesk import desk
from dpdesk.desk.pages.help.handbook import read_handbook

ANNOUNCES = {
    "main_window/window.py": "the page that opened",
    "pages/help/handbook_window.py": "how much a search found",
    "pages/help/page_view.py": "the link that Tab reached",
    "pages/help/find_bar.py": "how much a search found",
    "widgets/labels/banner.py": "a new banner",
    "widgets/labels/remark.py": "what is wrong with an entry",
    "widgets/inputs/field.py": "what is wrong with an entry",
    "pages/queries/page.py": "a query that was added, duplicated, moved or removed",
    "pages/queries/query_search.py": "columns and queries that a search found",
    "pages/sentence/condition_dialog.py": "what is wrong with an entry",
    "pages/columns/column_search.py": "columns and queries that a search found",
    "pages/columns/page.py": "chosen columns",
    "pages/comparison/page.py": "how many figures of a comparison differ",
    "widgets/tables/arranged_table.py": "how many rows a search found",
    "widgets/inputs/choice_popup.py": "that a search in a list found nothing",
    "pages/working_dialog.py": "that a key is being made or unlocked",
    "main_window/menus.py": "what was undone or redone",
    "widgets/dialog.py": "that a red button takes only the space bar",
    "widgets/budget/gauge.py": "a plan over budget",
    "widgets/footer.py": "what a release or an export is doing",
    "pages/results/results_view.py": "that it is done",
    "pages/results/exported_view.py": "that it is done",
    "pages/release/check_card.py": "what **Check** on **Release** found",
    "pages/verify/verify_answers.py": "the verdict of **Verify**",
    "widgets/accessibility/announcing.py": "**Copied.**",
}
"""What announces something, and the words of the page that tell of it."""


def test_the_page_lists_all_that_is_announced() -> None:
    root = Path(desk.__path__[0])
    found = {
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if re.search(r"(?<!def )\bannounce\(", path.read_text(encoding="utf-8"))
    }
    assert found == set(ANNOUNCES)
    page = read_handbook("en").page("screen-reader").text
    assert [words for words in ANNOUNCES.values() if words not in page] == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_page_lists_as_much_in_each_language(language: str) -> None:
    page = read_handbook(language).page("screen-reader").text
    assert page.count("\n- ") == 7
