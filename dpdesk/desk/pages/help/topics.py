# SPDX-License-Identifier: Apache-2.0
"""Which page of the handbook is about what has the keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from PySide6.QtWidgets import QWidget

from dpdesk.desk.pages.page_list import PAGES

START = "tutorial-plan"
"""Where nothing says otherwise."""
_DESK = "dpdesk.desk."
TOPICS: Final = {f"pages.{page.key}": page.handbook_page for page in PAGES.values()} | {
    "main_window.changed_outside_banner": "study",
    "pages.about": "preferences",
    "pages.columns.codebook": "codebooks",
    "pages.columns.offers.range_card": "bounds",
    "pages.columns.offers.suggestion_line": "bounds",
    "pages.columns.derived": "derived-columns",
    "pages.columns.derived.person_table_dialog": "person-values",
    "pages.dossier": "dossier",
    "pages.history.reconcile_dialog": "locked",
    "pages.keys.sign_dialog": "second-person",
    "pages.keys.lost_key_dialog": "second-person",
    "pages.keys.require_dialog": "second-person",
    "pages.keys.second_person_dialog": "second-person",
    "pages.keys.second_person_fields": "second-person",
    "pages.ledger": "ledger",
    "pages.ledger.backup_dialog.ExportDialog": "auditor",
    "pages.ledger.series_dialog": "account",
    "pages.ledger.unlock_dialog": "locked",
    "pages.counted": "database",
    "pages.counted.separate_dialog": "release",
    "pages.data.database": "database",
    "pages.data.tables.table_dialog": "several-tables",
    "pages.data.tables.tables_card": "several-tables",
    "pages.data.tables.added_files_dialog": "several-tables",
    "pages.people.account_card": "account",
    "pages.people.account_dialog": "account",
    "pages.people.house_rule_card": "rounded-counts",
    "pages.preferences": "preferences",
    "pages.queries.accuracy": "margins",
    "pages.queries.accuracy.row_limit_picture": "people",
    "pages.release.synthetic_card": "synthetic-rows",
    "pages.queries.accuracy.whole_numbers_toggle": "rounded-counts",
    "pages.queries.query_notes.CountedNote": "people",
    "pages.queries.baseline": "table-one",
    "pages.queries.fit": "shares",
    "pages.sentence": "groups",
    "pages.release.series_banner": "account",
    "pages.results": "margins",
    "pages.results.baseline_grid": "table-one",
    "pages.results.baseline_result": "table-one",
    "pages.results.card_tools": "charts",
    "pages.results.chart_views": "charts",
    "pages.results.heat_table": "charts",
    "pages.results.exported_view": "after-export",
    "pages.ledger.notice_dialog": "after-export",
    "pages.reuse": "reuse",
    "pages.reuse.template_dialog": "templates",
    "pages.verify.signer_dialog": "signing-key",
    "pages.welcome": START,
    "pages.welcome.welcome_row.RecentStudy": "study",
    "pages.welcome.welcome_row.TemplateRow": "templates",
    "plots.averaging_plot": "averaging",
    "plots.bars_plot": "margins",
    "plots.box_plot": "charts",
    "plots.budget_plot": "history",
    "plots.choice_plot": "margins",
    "plots.curve_plot": "charts",
    "plots.noise_plot": "margins",
    "plots.two_worlds_plot": "promise",
    "widgets.budget": "budget",
}
"""Folders, modules and classes of the desk, and their pages; what is nearer counts."""


def topic_at(module: str) -> str:
    """The page about what a module, or a class in it, shows; empty where there is none."""
    name = module.removeprefix(_DESK) if module.startswith(_DESK) else ""
    while name:
        if name in TOPICS:
            return TOPICS[name]
        name = name.rpartition(".")[0]
    return ""


def topic_of(widget: QWidget | None, page: str) -> str:
    """The page about a widget: by itself, or by what it is in.

    Args:
        widget: what has the keyboard.
        page: the key of the window's page on show; empty before a study is open.
    """
    for one in _with_those_around(widget):
        found = topic_at(f"{type(one).__module__}.{type(one).__name__}")
        if found:
            return found
    return PAGES[page].handbook_page if page else START


def _with_those_around(widget: QWidget | None) -> Iterator[QWidget]:
    while widget is not None:
        yield widget
        widget = widget.parentWidget()
